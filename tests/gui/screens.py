"""Pictures of every screen and state into a folder, for people to look at. No picture is compared: eyes judge them."""

import functools
import pathlib
import sys
import time

from gi.repository import GLib

from catalogue import translated
from stage import BUTTON, Stage, is_enabled

OUT = pathlib.Path(sys.argv[1])
TESTS = pathlib.Path(__file__).parent.parent
RECORDS, SCENARIOS = TESTS / "records", TESTS / "scenarios"
LIGHT, DARK = 1, 2
SMALL, LARGE, PHONE = (1024, 700), (1920, 1080), (360, 720)
# Every look a screen is shown in: its name, the size of the screen, what the player or the system prefers.
LOOKS = {
    "dark": (SMALL, {"scheme": DARK}),
    "light": (SMALL, {"scheme": LIGHT}),
    "dark-360": (PHONE, {"scheme": DARK}),
    "light-1920": (LARGE, {"scheme": LIGHT}),
    "contrast": (SMALL, {"scheme": LIGHT, "contrast": True}),
    "text200": (SMALL, {"scheme": DARK, "text_scale": 2}),
    "cs": (SMALL, {"scheme": DARK, "system_language": "cs"}),
    "de": (SMALL, {"scheme": LIGHT, "system_language": "de"}),
    "ru": (SMALL, {"scheme": DARK, "system_language": "ru"}),
    "ru-360": (PHONE, {"scheme": LIGHT, "system_language": "ru"}),
}

def keys(*pressed):
    """Opens a screen by keys."""

    def go(stage, _say):
        for key in pressed:
            stage.key(key)
            time.sleep(0.4)

    return go


def menu(place):
    """Opens the entry of the main menu at this place."""
    return keys("F10", *["Down"] * place, "Return")


def dealt(stage, say):
    """Until the cards are in the hand."""
    hand = stage.expect(name=say("Your hand"), seconds=60)
    stage.wait_for(lambda: hand.get_child_count() > 0, "cards in hand", 40)


def chosen(stage, say):
    """A card is chosen and waits for the second press."""
    dealt(stage, say)
    stage.key("3")


def pressed(message):
    """By a button."""

    def go(stage, say):
        stage.press(stage.expect(name=say(message), role=BUTTON))
        time.sleep(1)

    return go


def checked(stage, say):
    """A record that is fair, some steps into it, with all hands open."""
    stage.expect(name=say("Step forward"), enabled=True, seconds=120)
    stage.wait_for(lambda: not stage.find(name=say("Checking…")), "a verdict", 120)
    for key in ("Page_Down", "Right", "Right", "Right", "a"):
        stage.key(key)
        time.sleep(0.5)


def choices(stage, say):
    """What may be pressed in the player's places, in any language."""
    if not hasattr(stage, "places"):
        stage.places = [stage.expect(name=say(name)) for name in ("Decision", "Artefacts", "Your hand")]
    try:
        there = [node for place in stage.places for node in stage.nodes(place, within_buttons=False)]
        return [node for node in there if node.get_role() == BUTTON and is_enabled(node)]
    except GLib.Error:
        return []  # the screen changed while it was read


def over(stage, say):
    """Is a round or the game over?"""
    return stage.find(name=say("Next round")) or stage.find(name=say("Play again"))


def played_out(stage, say):
    """A whole round, and the verdict on its deal."""
    end, turn = time.monotonic() + 240, 0
    while (there := choices(stage, say)) or not over(stage, say):
        assert time.monotonic() < end, f"the round is not over after {turn} presses"
        turn += bool(there) and stage.press(there[turn % len(there)])
        time.sleep(0.15)
    stage.wait_for(lambda: not stage.find(name=say("Checking…")), "a verdict", 60)


def asked(stage, say):
    """What there is to choose from, by name; what comes after a round counts too."""
    there = stage.wait_for(lambda: choices(stage, say) or [node for node in [over(stage, say)] if node], "a question", 40)
    return [node.get_name() for node in there]


def answer(stage, say):
    """Gives the one answer with which the scenario goes on: all others bring the same question back."""
    before = asked(stage, say)
    for at in range(len(before)):
        stage.press(stage.wait_for(lambda at=at: choices(stage, say)[at:], "the question again", 10)[0])
        time.sleep(1)
        if asked(stage, say) != before:
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
    ("record-unfair", (str(RECORDS / "unfair-order.record"),), lambda stage, say: time.sleep(4)),
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


def tour(look, only):
    """Every screen in one look."""
    say = functools.partial(translated, LOOKS[look][1].get("system_language", "en"))
    for name, args, go in SCREENS:
        if not only or name in only:
            show(look, say, args, ((name, go),))
    for name, eyes, questions in SCENES:
        if not only or not set(only).isdisjoint(questions):
            show(look, say, ("--scenario", str(SCENARIOS / f"{name}.txt"), "--as", eyes), [(question, at and answer) for at, question in enumerate(questions)])
    print(look, flush=True)


def show(look, say, args, pictures):
    """One client, and the pictures on its way."""
    size, preferences = LOOKS[look]
    # Whoever plays in any language looks for nothing to confirm with.
    plays = any(go in (answer, played_out) for _, go in pictures)
    stage = Stage(*args, size=size, single_click=str(plays).lower(), **preferences)
    for name, go in pictures:
        try:
            if go:
                go(stage, say)
            if name:
                time.sleep(0.8)
                stage.picture(OUT / f"{name}-{look}.png")
        except (AssertionError, GLib.Error) as missing:
            stage.picture(OUT / f"{name}-{look}-MISSING.png")
            print(f"  {name}-{look}: {missing}")
            break
    for complaint in stage.complaints():
        print(f"  {look}: {pictures[-1][0]}: toolkit: {complaint}")
    stage.close()


def main():
    only = sys.argv[2:]
    looks = [look for look in LOOKS if look in only] or LOOKS
    screens = [name for name in only if name not in LOOKS]
    for look in looks:
        tour(look, screens)


if __name__ == "__main__":
    main()
