"""The pseudo-language on every screen: whatever has a name that did not go through the catalogues was never translated.

`pseudo.py screens|table [FOLDER]`: with a folder it also takes pictures there: accented English, 40 % longer, in brackets. Eyes judge what is cut off.
"""

import pathlib
import re
import shutil
import sys
import tempfile
import time

from gi.repository import GLib

from names import menu
from stage import ANSWERS, Atspi, BUTTON, CONFIRMS, Stage, is_enabled

ACCENTS = str.maketrans("acdegilnorstuyzACEINOSTUY", "áčďëğíľñöřšťůýžÅČÉÍÑÖŠŤŮÝ")
# People's names, what the toolkit itself says, and languages, which are called what their speakers call them.
PEOPLE = ("Jana", "Petr", "Radka", "Ruda", "Eliška", "Mila", "Oto", "P0", "P1", "P2")
# A record is called what its file is.
FILES = ("voided", "unfair-order")
TOOLKIT_SAYS = ("Minimize the window", "Maximize the window", "Close the window", "No Results Found", "Try a different search.", "Try a different search", "Search Results", "(None)")
TOOLKIT = ("Close", "Minimize", "Maximize", "Unmaximize", "Back", "Ctrl", "Alt", "Shift", "Return", "Escape", "Left", "Right", "Up", "Down", "Space", "Tab", "PgUp", "PgDn", "Page", "Home", "End", "Shortcuts", "Search", "All", "page")
# What has no name is called by its class.
CLASS = re.compile("(Gtk|Adw|Shamans)[A-Z]")
# Keys, as the toolkit calls them, and invite codes.
SIGNS = re.compile(r"(Ctrl|Alt|Shift)\+\S+|\b[0-9A-Z]{4}(-[0-9A-Z]{4})+-[0-9A-Z]+\b")
LANGUAGES = ("English", "Čeština", "Deutsch", "Русский")
RECORDS = pathlib.Path(__file__).parent.parent / "records"
# How a screen is opened (keys, the name of a button, or a file that the program is started with), its name, and a text on it.
SCREENS = (
    ((), "start", "Main menu"),
    (("F1",), "rules", "What it is about"),
    (("ctrl+comma",), "preferences", "Single click plays"),
    (("ctrl+question",), "shortcuts", "At the table"),
    (("ctrl+n",), "room", "Invite code"),
    ("Find out why no table shows up", "doctor", "Look again"),
    (menu(0), "past", "Past games"),
    (menu(3), "statistics", "Rounds"),
    ("Learn to play", "tutorial", "Your hand"),
    (RECORDS / "voided.record", "record", "Step forward"),
    (RECORDS / "unfair-order.record", "record-unfair", "Check failed"),
)
OUT = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None


def spoken(text):
    """How a message begins in the pseudo-language."""
    return "⟦" + text.translate(ACCENTS)


def outside(text):
    """What stands outside the brackets."""
    kept, depth = [], 0
    for sign in text:
        depth += (sign == "⟦") - (sign == "⟧")
        if depth <= 0 and sign != "⟧":
            kept.append(sign)
    return "".join(kept)


def untranslated(text):
    """The words that no catalogue knows."""
    rest = SIGNS.sub("", outside(text))
    for known in sorted(PEOPLE + LANGUAGES + FILES, key=len, reverse=True):
        rest = rest.replace(known, "")
    return any(word not in TOOLKIT for word in ["".join(c for c in part if c.isalpha()) for part in rest.split()] if len(word) > 1)


def used():
    """The folder of somebody who has played before: past games, a practise game that was left, numbers for the statistics."""
    folder = tempfile.TemporaryDirectory(prefix="shamans-gui-")
    home = pathlib.Path(folder.name, "shamans")
    (home / "records").mkdir(parents=True)
    for record in ("voided", "unfinished"):
        shutil.copy(RECORDS / f"{record}.record", home / "records" / f"{record}.shamans")
    now = int(time.time())
    kinds = ("shaman", "shadow", "game", "void")
    lines = (f"{now - 86400 * n}\t{3 + n % 3}\t{('people', 'practise')[n % 2]}\t{kinds[n % 4]}\t{n % 3 % 2 if n % 4 != 3 else 0}" for n in range(40))
    (home / "statistics.tsv").write_text("\n".join(lines) + "\n")
    (home / "practise").write_text("shamans-practise-2\n7\neasy\n1\n3\nJana\nPetr\nPhantom 3\n")
    return folder


class Reader:
    """Collects what a screen reader would say."""

    def __init__(self):
        self.wrong = {}
        self.read = set()

    def look(self, stage, where):
        for node in stage.nodes():
            try:
                role = node.get_role()
                texts = [node.get_name() or "", node.get_description() or ""]
                # What people type is theirs; so is an invite code.
                editable = node.get_state_set().contains(Atspi.StateType.EDITABLE)
                if node.get_text_iface() and not editable:
                    texts.append(Atspi.Text.get_text(node, 0, Atspi.Text.get_character_count(node)))
            except GLib.Error:
                continue  # it went away while it was read
            if role == Atspi.Role.APPLICATION:
                continue
            for text in texts:
                if text in self.read or text in TOOLKIT_SAYS or CLASS.match(text):
                    continue
                self.read.add(text)
                if untranslated(text):
                    self.wrong.setdefault(text, f"{where}: {role.value_nick}: {text!r}")
        if OUT:
            stage.picture(OUT / f"pseudo-{where}.png")


def decide(stage):
    """Makes one decision, if there is one."""
    groups = []
    for name in ("Decision", "Artefacts", "Your hand"):
        part = stage.find(starts=spoken(name))
        nodes = stage.nodes(part) if part else []
        groups.append([node for node in nodes if node.get_role() == BUTTON and is_enabled(node)])
    choices, tiles, cards = groups
    begins, answers = (tuple(map(spoken, words)) for words in (CONFIRMS, ANSWERS))
    confirm = [node for node in choices if node.get_name().startswith(begins) and not node.get_name().startswith(answers)]
    own = [node for node in choices if not node.get_name().startswith(spoken("Portal:"))]
    for group in (confirm, own, tiles, cards):
        if group:
            return stage.press(group[0])
    return False


def table(reader, size, presses):
    stage = Stage("--practise", "4", "--seed", "3", size=size, system_language="en@pseudo")
    hand = stage.expect(starts=spoken("Your hand"))
    stage.wait_for(lambda: hand.get_child_count() == 9, "nine cards in hand", 40)
    reader.look(stage, f"table-{size[0]}")
    made = idle = 0
    while made < presses and idle < 100:
        try:
            after = stage.find(starts=spoken("Next round"))
            if after:
                reader.look(stage, f"round-end-{size[0]}")
                break
            moved = decide(stage)
        except GLib.Error:
            moved = False  # the screen changed while it was read
        if not moved:
            idle += 1
            time.sleep(0.05)
            continue
        made, idle = made + 1, 0
        if made % 4 == 1:
            reader.look(stage, f"table-{size[0]}-{made}")
        time.sleep(0.1)
    reader.look(stage, f"table-{size[0]}-last")
    stage.close()
    return made


def screens(reader):
    """Every screen but the table."""
    for size in ((1280, 800), (360, 720)) if OUT else ((1280, 800),):
        # A window opened over another keeps the keys: each screen has a program of its own.
        for way, screen, marked in SCREENS:
            stage = Stage(*[str(way)] * isinstance(way, pathlib.Path), size=size, folder=used(), system_language="en@pseudo")
            if isinstance(way, str):
                stage.press(stage.expect(starts=spoken(way), role=BUTTON, enabled=True))
            for key in way if isinstance(way, tuple) else ():
                stage.key(key)
                time.sleep(0.3)
            stage.expect(starts=spoken(marked), seconds=60)
            reader.look(stage, f"{screen}-{size[0]}")
            stage.close()


def main(what):
    reader = Reader()
    if what == "screens":
        screens(reader)
        print(f"{len(SCREENS)} screens, {len(reader.read)} texts read, {len(reader.wrong)} not translated")
    else:
        made = table(reader, (1280, 800), 60)
        if OUT:
            table(reader, (360, 720), 6)
        print(f"{len(reader.read)} texts read, {made} presses, {len(reader.wrong)} not translated")
        assert made > 10, "the table could not be played"
    assert not reader.wrong, "\n".join(reader.wrong.values())


if __name__ == "__main__":
    main(sys.argv[1])
