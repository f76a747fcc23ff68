"""Pictures of every screen and state into a folder, for people to look at. No picture is compared: eyes judge them.

Decisions come as the cards fall: games are played on until each kind of prompt has been met, or the time is up.
"""

import functools
import pathlib
import sys
import time

from gi.repository import GLib

from catalogue import translated
from practise import decide, parts
from stage import BUTTON, Stage
from table import invite, join, open_table

OUT = pathlib.Path(sys.argv[1])
RECORDS = pathlib.Path(__file__).parent.parent / "records"
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

# A prompt's opening words, and what its picture is called.
PROMPTS = {
    "You are the Guide": "lead",
    "Your turn": "play",
    "Choose an artefact": "artefact",
    "Stabilisation": "stabilisation",
    "Permutation": "permutation",
    "Neutralisation: your": "dagger-must",
    "Neutralisation: turn": "dagger-may",
    "The Shadow is about": "portal-moon",
    "No cards are left": "portal-last",
    "Eclipse": "eclipse",
    "Several worlds": "ritual-order",
    "You were highest": "name-guide",
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
)


def tour(look, only):
    """Every screen in one look."""
    size, preferences = LOOKS[look]
    say = functools.partial(translated, preferences.get("system_language", "en"))
    for name, args, go in SCREENS:
        if only and name not in only:
            continue
        stage = Stage(*args, size=size, **preferences)
        try:
            if go:
                go(stage, say)
            time.sleep(0.6)
            stage.picture(OUT / f"{name}-{look}.png")
            for complaint in stage.complaints():
                print(f"  {name}-{look}: toolkit: {complaint}")
        except AssertionError as missing:
            stage.picture(OUT / f"{name}-{look}-MISSING.png")
            print(f"  {name}-{look}: {missing}")
        stage.close()
    print(look, flush=True)


def people():
    """A table with people: the room as others come, then what the first of them sees."""
    host, code = open_table(3)
    others = [join(name, code) for name in ("Petr", "Radka")]
    host.expect(name="I am ready", enabled=True, seconds=40)
    host.picture(OUT / "room-full.png")
    assert invite(host)
    for stage in (host, *others):
        stage.press(stage.expect(name="I am ready", enabled=True))
    host.expect(name="Your hand", seconds=60)
    time.sleep(3)
    host.picture(OUT / "table-people.png")
    others[1].kill()
    time.sleep(8)
    host.picture(OUT / "trouble-reconnecting.png")
    for stage in (host, others[0]):
        stage.close()
    print("people", flush=True)


def question(stage):
    """The words of the prompt."""
    prompt = parts(stage)[0]
    for child in stage.nodes(prompt):
        if child is not prompt and child.get_name() and child.get_role() != BUTTON:
            return child.get_name()
    return ""


def decisions(seats, seed, seconds, met, size, suffix, scheme):
    """Plays on and takes each kind of prompt once."""
    stage = Stage("--practise", str(seats), "--seed", str(seed), size=size, scheme=scheme)
    end = time.monotonic() + seconds
    count = 0
    while time.monotonic() < end:
        try:
            asked = question(stage)
            kind = next((kind for start, kind in PROMPTS.items() if asked.startswith(start)), None)
            kind = kind or ("portal-dagger" if "is about to eliminate" in asked else None)
            if kind is None and asked.startswith(("The Shamans win", "The Shadows win")) or " gets " in asked or " still held " in asked:
                kind = "round-end" if stage.find(name="Next round") else None
            if kind and kind not in met:
                met.add(kind)
                stage.picture(OUT / f"prompt-{kind}{suffix}.png")
                print(f"prompt-{kind}{suffix}")
            pressed = decide(stage, count)
        except GLib.Error:
            continue  # the screen changed while it was read
        if pressed == "Play again":
            stage.picture(OUT / f"game-end{suffix}.png")
            break
        if pressed is None:
            time.sleep(0.05)
        count += pressed is not None
    for complaint in stage.complaints():
        print("  toolkit:", complaint)
    stage.close()


def main():
    seconds, *only = sys.argv[2:] or ["60"]
    looks = [look for look in LOOKS if look in only] or LOOKS
    screens = [name for name in only if name not in LOOKS]
    for look in looks:
        tour(look, screens)
    if only:
        return
    people()
    met = set()
    decisions(5, 7, int(seconds), met, (1280, 800), "-dark", DARK)
    decisions(3, 4, int(seconds), met, (1280, 800), "-light", LIGHT)
    decisions(4, 11, int(seconds), set(), PHONE, "-360", DARK)


if __name__ == "__main__":
    main()
