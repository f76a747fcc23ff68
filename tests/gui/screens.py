"""Pictures of every screen and prompt into a folder, in the look of `SHAMANS_LOOK`, for people to look at. No picture is compared: eyes judge them.

`screens.py FOLDER SCREEN…`, where `screens` and `prompts` stand for all of them.
"""

import pathlib
import sys
import time

from gi.repository import GLib

from looks import LOOK
from stage import BUTTON, Stage, is_enabled

OUT = pathlib.Path(sys.argv[1])
TESTS = pathlib.Path(__file__).parent.parent
RECORDS, SCENARIOS = TESTS / "records", TESTS / "scenarios"


def keys(*pressed):
    """Opens a screen by keys."""

    def go(stage):
        for key in pressed:
            stage.key(key)
            time.sleep(0.4)

    return go


def menu(place):
    """Opens the entry of the main menu at this place."""
    return keys("F10", *["Down"] * place, "Return")


def dealt(stage):
    """Until the cards are in the hand."""
    hand = stage.expect(name="Your hand", seconds=60)
    stage.wait_for(lambda: hand.get_child_count() > 0, "cards in hand", 40)


def chosen(stage):
    """A card is chosen and waits for the second press."""
    dealt(stage)
    stage.key("3")


def pressed(message):
    """By a button."""

    def go(stage):
        stage.press(stage.expect(name=message, role=BUTTON))
        time.sleep(1)

    return go


def checked(stage):
    """A record that is fair, some steps into it, with all hands open."""
    stage.expect(name="Step forward", enabled=True, seconds=120)
    stage.wait_for(lambda: not stage.find(name="Checking…"), "a verdict", 120)
    for key in ("Page_Down", "Right", "Right", "Right", "a"):
        stage.key(key)
        time.sleep(0.5)


def choices(stage):
    """What may be pressed in the player's places."""
    if not hasattr(stage, "places"):
        stage.places = [stage.expect(name=name) for name in ("Decision", "Artefacts", "Your hand")]
    try:
        there = [node for place in stage.places for node in stage.nodes(place, within_buttons=False)]
        return [node for node in there if node.get_role() == BUTTON and is_enabled(node)]
    except GLib.Error:
        return []  # the screen changed while it was read


def over(stage):
    """Is a round or the game over?"""
    return stage.find(name="Next round") or stage.find(name="Play again")


def played_out(stage):
    """A whole round, and the verdict on its deal."""
    end, turn = time.monotonic() + 240, 0
    while (there := choices(stage)) or not over(stage):
        assert time.monotonic() < end, f"the round is not over after {turn} presses"
        turn += bool(there) and stage.press(there[turn % len(there)])
        time.sleep(0.15)
    stage.wait_for(lambda: not stage.find(name="Checking…"), "a verdict", 60)


def asked(stage):
    """What there is to choose from, by name; what comes after a round counts too."""
    there = stage.wait_for(lambda: choices(stage) or [node for node in [over(stage)] if node], "a question", 40)
    return [node.get_name() for node in there]


def answer(stage):
    """Gives the one answer with which the scenario goes on: all others bring the same question back."""
    before = asked(stage)
    for at in range(len(before)):
        stage.press(stage.wait_for(lambda at=at: choices(stage)[at:], "the question again", 10)[0])
        time.sleep(1)
        if asked(stage) != before:
            return
    raise AssertionError(f"no answer goes on from {before}")


# A screen: its name, the client's arguments, and the way to it.
SCREENS = (
    ("start", (), None),
    ("menu", (), keys("F10")),
    ("preferences", (), keys("ctrl+comma")),
    ("shortcuts", (), keys("ctrl+question")),
    ("rules", (), keys("F1")),
    ("statistics", (), menu(3)),
    ("about", (), menu(5)),
    ("past-games", (), menu(0)),
    ("doctor", (), pressed("Find out why no table shows up")),
    ("room", (), keys("ctrl+n")),
    ("tutorial", (), pressed("Learn to play")),
    ("table3", ("--practise", "3", "--seed", "5"), dealt),
    ("table4", ("--practise", "4", "--seed", "3"), chosen),
    ("table5", ("--practise", "5", "--seed", "7"), dealt),
    ("record", (str(RECORDS / "voided.record"),), checked),
    ("record-unfair", (str(RECORDS / "unfair-order.record"),), lambda stage: time.sleep(4)),
    ("record-unreadable", (str(RECORDS / "unreadable-cut.record"),), None),
    ("round-end", ("--practise", "3", "--seed", "5"), played_out),
)

# Positions of the rules' scenarios: the file, whose eyes, and what the pictures of its questions are called, in turn.
SCENES = (
    ("ecl-2-left", "Petr", (None, "prompt-stabilisation", "prompt-artefact", "prompt-eclipse")),
    ("eli-4-chain-of-rituals", "Jan", (None, "prompt-dagger", "prompt-ritual-order")),
    ("trk-9-highest-of-the-eliminated", "Jan", (None, "prompt-name-guide")),
    ("rit-4-hidden-dagger-declined", "Petr", (None, "prompt-dagger-hidden")),
    ("rit-2-permutation", "Petr", (None, "prompt-permutation")),
    ("por-2-dagger", "Jan", (None, "prompt-portal-dagger")),
    ("por-3-face-down-tells-nothing", "Jan", (None, "prompt-portal-moon")),
    ("por-4-last-call-back", "Jan", (None, "prompt-portal-last")),
    ("end-6-eight-points", "Petr", (None, "game-end")),
)


def show(args, pictures):
    """One client, and the pictures on its way."""
    # Whoever plays here looks for nothing to confirm with.
    plays = any(go in (answer, played_out) for _, go in pictures)
    stage = Stage(*args, single_click=str(plays).lower())
    for name, go in pictures:
        try:
            if go:
                go(stage)
            if name:
                time.sleep(0.8)
                stage.picture(OUT / f"{name}.png")
        except (AssertionError, GLib.Error) as missing:
            stage.picture(OUT / f"{name}-MISSING.png")
            print(f"  {name} {LOOK}: {missing}")
            break
    for complaint in stage.complaints():
        print(f"  {pictures[-1][0]} {LOOK}: toolkit: {complaint}")
    stage.close()


def main(only):
    for name, args, go in SCREENS:
        if not {"screens", name}.isdisjoint(only):
            show(args, ((name, go),))
    for name, eyes, questions in SCENES:
        if not {"prompts", *filter(None, questions)}.isdisjoint(only):
            show(("--scenario", str(SCENARIOS / f"{name}.txt"), "--as", eyes), [(question, at and answer) for at, question in enumerate(questions)])
    print(LOOK, flush=True)


if __name__ == "__main__":
    main(sys.argv[2:])
