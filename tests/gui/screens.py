"""Pictures of every screen and state into a folder, for people to look at. No picture is compared: eyes judge them.

Decisions come as the cards fall: games are played on until each kind of prompt has been met, or the time is up.
"""

import pathlib
import sys
import time

from gi.repository import GLib

from practise import decide, parts
from stage import BUTTON, Stage

OUT = pathlib.Path(sys.argv[1])
LIGHT, DARK = 1, 2
SIZES = {"1024x700": (1024, 700), "1920x1080": (1920, 1080), "360": (360, 720)}

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


def still(name, *args, size, keys=(), **preferences):
    """One picture of a screen as it opens."""
    stage = Stage(*args, size=size, **preferences)
    if "--practise" in args:
        hand = stage.expect(name="Your hand")
        stage.wait_for(lambda: hand.clear_cache() or hand.get_child_count() > 0, "cards in hand", 40)
    for key in keys:
        stage.key(key)
        time.sleep(0.6)
    time.sleep(0.5)
    stage.picture(OUT / f"{name}.png")
    stage.close()
    print(name)


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
        elif pressed.split()[0] not in ("Next",) and count == 3:
            stage.picture(OUT / f"chosen{suffix}.png")
        count += pressed is not None
    for complaint in stage.complaints():
        print("  toolkit:", complaint)
    stage.close()


def main():
    for scheme, name in ((DARK, "dark"), (LIGHT, "light")):
        for label, size in SIZES.items():
            still(f"start-{name}-{label}", size=size, scheme=scheme)
            still(f"table5-{name}-{label}", "--practise", "5", "--seed", "7", size=size, scheme=scheme)
    still("table3-dark-1024x700", "--practise", "3", "--seed", "5", size=SIZES["1024x700"], scheme=DARK)
    still("table-contrast-1024x700", "--practise", "4", "--seed", "3", size=SIZES["1024x700"], scheme=DARK, contrast=True)
    for name, key in (("rules", "F1"), ("preferences", "ctrl+comma"), ("shortcuts", "ctrl+question")):
        still(f"{name}-dark", size=SIZES["1024x700"], scheme=DARK, keys=[key])
    budget = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    met = set()
    decisions(5, 7, budget, met, (1280, 800), "-dark", DARK)
    decisions(3, 4, budget, met, (1280, 800), "-light", LIGHT)
    decisions(4, 11, budget, set(), (360, 720), "-360", DARK)


if __name__ == "__main__":
    main()
