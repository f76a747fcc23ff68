"""Every decision has its own clear prompt: positions of the rules' scenarios in a real window, as the player who is asked sees them. Each question is
read, its choices are counted, and the one that stands in the file is taken by keys."""

import pathlib
import sys

from stage import Stage, is_enabled
from table import buttons, hand

SCENARIOS = pathlib.Path(__file__).parent.parent / "scenarios"
LED = "You are the Guide: lead any card."
STRAY = "Your turn. Dream is led"
DAGGER = "Neutralisation: your Ritual Dagger must strike. Whom do you eliminate?"
ORDER = "Several worlds are complete: which ritual is next?"
BACK = "Stabilisation: move the Shadow back two steps, or take an artefact."

# How questions begin whose answer is asked about once more, and how.
SURE = [("Neutralisation", "Eliminate"), ("Permutation", "Swap identities with"), ("Choose an artefact", "Take")]

# The file, whose eyes, and what is asked: words of the question, all its choices (those in brackets cannot be taken), and the one that the file takes.
PROMPTS = [
    (
        "eli-4-chain-of-rituals",
        "Jan",
        [
            (STRAY, None, "Fire 8"),
            (DAGGER, ["Petr", "Radka", "Ruda", "Eliška"], "Petr"),
            (ORDER, ["River: Stabilisation", "Sun: Neutralisation", "Wind: Neutralisation"], "River: Stabilisation"),
            (BACK, ["Back two steps", "Take an artefact"], "Back two steps"),
            (ORDER, ["Sun: Neutralisation", "Wind: Neutralisation"], "Wind: Neutralisation"),
            (DAGGER, ["Radka", "Ruda", "Eliška"], "Eliška"),
        ],
    ),
    (
        "trk-9-highest-of-the-eliminated",
        "Jan",
        [(LED, None, "Dream 5"), ("You were highest, but are out: name the next Guide.", ["Radka", "Ruda", "Eliška"], "Ruda")],
    ),
    (
        "rit-4-hidden-dagger-declined",
        "Petr",
        [
            (STRAY, None, "Sun 6"),
            ("Neutralisation: turn up a face-down dagger and eliminate someone?", ["Jan", "Radka", "Eliminate nobody"], "Eliminate nobody"),
        ],
    ),
    (
        "rit-2-permutation",
        "Petr",
        [(STRAY, None, "Forest 6"), ("Permutation: choose a player to swap identity cards with.", ["Jan", "Radka"], "Radka")],
    ),
    (
        "por-2-dagger",
        "Jan",
        [
            (LED, None, "Dream 1"),
            ("Petr is about to eliminate you. Open a Portal?", ["No Portal", "One step away", "One step to the Moon"], "One step away"),
        ],
    ),
    (
        "por-3-face-down-tells-nothing",
        "Jan",
        [
            (LED, None, "Dream 1"),
            ("The Shadow is about to take 1 step and reach the Moon. Open a Portal?", ["No Portal", "[One step away]", "[One step to the Moon]"], "No Portal"),
        ],
    ),
    (
        "por-4-last-call-back",
        "Jan",
        [
            (LED, None, "Dream 1"),
            ("No cards are left and the Moon is near: the round is about to end. Open a Portal?", ["No Portal", "One step away", "One step to the Moon"], "One step away"),
        ],
    ),
    (
        "ecl-2-left",
        "Petr",
        [
            (STRAY, None, "River 6"),
            (BACK, ["Back two steps", "Take an artefact"], "Take an artefact"),
            ("Choose an artefact: one that lies face up, or the top of the pile.", None, "Moonstone"),
            ("Eclipse: choose a card to pass to the left.", None, "Sun 2"),
        ],
    ),
]


def ask(stage, words):
    """Waits until the bar above the hand says so."""
    bar = stage.expect(name="Decision")
    stage.wait_for(lambda: any((node.get_name() or "").startswith(words) for node in stage.nodes(bar)), f"{words!r}", 40)


def take(stage, choice, words):
    """By keys: the digit of a card, tile or button, and Enter. What cannot be taken back is only chosen by its digit, and can be let go."""
    cards = hand(stage)
    if choice in cards:
        stage.key(str(cards.index(choice) + 1))
        stage.expect(starts=("Play ", "Pass "))
        stage.key("Return")
        return
    open_ones = [node for place in ("Artefacts", "Decision") for node in buttons(stage, place) if is_enabled(node)]
    names = [node.get_name() for node in open_ones]
    at = next(i for i, name in enumerate(names) if name.startswith(choice))
    digit = str(at + 1)
    sure = next((f"{asks} {choice}" for begins, asks in SURE if words.startswith(begins) and choice != "Eliminate nobody"), None)
    if sure:
        for keys in (digit, "Escape", digit):
            stage.key(keys)
            stage.wait_for(lambda keys=keys: (stage.find(name=sure) is None) == (keys == "Escape"), f"{sure!r} after {keys}")
        stage.key("Return")
        return
    stage.key(digit, "Return")


def main(pictures):
    for name, eyes, asked in PROMPTS:
        stage = Stage("--scenario", str(SCENARIOS / f"{name}.txt"), "--as", eyes)
        for at, (words, choices, chosen) in enumerate(asked):
            ask(stage, words)
            if pictures:
                stage.picture(f"{pictures}/prompt-{name}-{at}.png")
            if choices is not None:
                shown = [f"{node.get_name()}" if is_enabled(node) else f"[{node.get_name()}]" for node in buttons(stage, "Decision")]
                assert shown == choices, f"{name}: {shown} instead of {choices}"
            take(stage, chosen, words)
        stage.wait_for(lambda: not any((node.get_name() or "").startswith(asked[-1][0]) for node in stage.nodes(stage.expect(name="Decision"))), "the last answer taken", 20)
        complaints = stage.complaints()
        stage.close()
        assert not complaints, "\n".join(complaints)
        print(f"{name}: {len(asked)} questions asked and answered")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
