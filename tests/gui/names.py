"""On every page: whatever can be pressed or typed into has a name, a role and says whether it can be used; Tab goes from one to
the next, and the focus is never lost."""

import pathlib
import time

from stage import Atspi, Stage

RECORDS = pathlib.Path(__file__).parent.parent / "records"
SCENARIOS = pathlib.Path(__file__).parent.parent / "scenarios"

INTERACTIVE = {
    Atspi.Role.PUSH_BUTTON,
    Atspi.Role.TOGGLE_BUTTON,
    Atspi.Role.CHECK_BOX,
    Atspi.Role.RADIO_BUTTON,
    Atspi.Role.COMBO_BOX,
    Atspi.Role.TEXT,
    Atspi.Role.ENTRY,
    Atspi.Role.SPIN_BUTTON,
    Atspi.Role.MENU_ITEM,
    Atspi.Role.LIST_ITEM,
}
TABS = 6


def wrong_with(node):
    """What a screen reader's user would miss, or None."""
    name = node.get_name() or ""
    states = node.get_state_set()
    if name == "GtkSearchEntry":
        return None  # of the preferences window itself, which hides it
    # Without a name of its own the toolkit names a widget by its class.
    if not name.strip() or name.startswith(("Gtk", "Adw", "Shamans")) and name != "Shamans":
        return f"{node.get_role_name()} called {name!r}"
    if "_" in name:
        return f"{node.get_role_name()} called {name!r}, with the mark of a mnemonic"
    if node.get_role() in (Atspi.Role.TOGGLE_BUTTON, Atspi.Role.CHECK_BOX) and not states.contains(Atspi.StateType.CHECKABLE):
        return None  # GTK 4.8 says only whether it is pressed or checked, not that it could be
    if not states.contains(Atspi.StateType.SENSITIVE) and states.contains(Atspi.StateType.ENABLED):
        return f"{name!r} is enabled and cannot be used"
    return None


def focused(stage):
    windows = [stage.app.get_child_at_index(i) for i in range(stage.app.get_child_count())]
    # A window behind another one remembers its focus.
    active = [window for window in windows if window and window.get_state_set().contains(Atspi.StateType.ACTIVE)]
    nodes = (node for window in active or [stage.app] for node in stage.nodes(window))
    return next((node for node in nodes if node.get_state_set().contains(Atspi.StateType.FOCUSED)), None)


def own(stage):
    """Every node but the inside of drop-downs, which is the toolkit's."""
    inside = set()
    for node in stage.nodes():
        if node.get_role() == Atspi.Role.COMBO_BOX:
            inside.update(hash(inner) for inner in stage.nodes(node) if inner != node)
        if hash(node) not in inside:
            yield node


def look(stage, where):
    """All that is wrong on this page."""
    wrong, count = [], 0
    for node in own(stage):
        if node.get_role() in INTERACTIVE and node.get_state_set().contains(Atspi.StateType.FOCUSABLE):
            count += 1
            found = wrong_with(node)
            if found:
                wrong.append(f"{where}: {found}")
    visited = []
    for _ in range(TABS):
        stage.key("Tab")
        try:
            node = stage.wait_for(lambda: focused(stage), "a focus", 2)
        except AssertionError:
            # GTK 4.8 does not tell of the focus in an entry; two of them in a row would be one too many.
            if visited[-1:] == ["an entry"]:
                wrong.append(f"{where}: the focus is lost after {visited}")
                break
            visited.append("an entry")
            continue
        visited.append(node.get_name())
    if len(set(visited)) < 2:
        wrong.append(f"{where}: Tab goes nowhere: {visited}")
    print(f"{where}: {count} interactive widgets; Tab: {' → '.join(str(name)[:24] for name in visited)}")
    assert count, f"{where}: nothing to press"
    return wrong


def menu(place):
    """Keys to the entry of the main menu at this place."""
    return ("F10", *["Down"] * place, "Return")


def pages(*args, size=(1280, 800)):
    """Looks at pages one after another in one program. A page: its name, the way there (keys, or the name of a button), what is seen there, and the
    way back, if another one comes."""
    *options, ways = args
    stage = Stage(*options, size=size)
    wrong = []
    for where, there, seen, back in ways:
        if isinstance(there, str):
            stage.press(stage.expect(name=there, enabled=True, role=Atspi.Role.PUSH_BUTTON, seconds=60))
        for key in there if isinstance(there, tuple) else ():
            stage.key(key)
            time.sleep(0.3)
        window = stage.window
        if back in ("Escape", "ctrl+w"):
            stage.wait_for(lambda: stage.newest() != window, f"the window of {where}")
        stage.expect(starts=seen, seconds=60)
        stage.window = stage.newest()
        wrong += look(stage, where)
        if back:
            stage.key(back)
            stage.window = window
            stage.wait_for(lambda: stage.newest() == window, f"{where} closed")
            stage.wait_for(lambda: stage.find(name="Open a new table") is not None, "the start page again")
            # Back where one came from, Tab goes on from something.
            for _ in range(3):
                stage.key("Tab")
                time.sleep(0.3)
                if focused(stage):
                    break
            else:
                wrong.append(f"{where}: the focus is lost on the way back")
    complaints = stage.complaints()
    stage.close()
    return wrong + complaints


def scenario(name, cards):
    """The arguments for a scenario and the keys that play it to its end."""
    return ("--scenario", str(SCENARIOS / f"{name}.txt"), "--as", "Jan"), ("1", "Return") * cards


def main():
    wrong = pages(
        [
            ("start", (), "Open a new table", None),
            ("preferences", ("ctrl+comma",), "Your animal", "Escape"),
            ("rules", ("F1",), "Rules", "Escape"),
            ("statistics", menu(3), "Statistics", "Escape"),
            ("past games", menu(0), "Past games", "ctrl+w"),
            ("doctor", "Find out why no table shows up", "Look again", "alt+Left"),
            ("room", ("ctrl+n",), "Invite code", "alt+Left"),
            ("tutorial", "Learn to play", "Your hand", None),
        ]
    )
    wrong += pages("--practise", "4", "--seed", "3", [("table", (), "Your identity, hidden", None)])
    wrong += pages(str(RECORDS / "unfinished.record"), [("record", (), "Step forward", None)])
    for where, name, seen in (("round end", "end-7-new-round", "Next round"), ("game end", "end-6-eight-points", "Play again")):
        args, keys = scenario(name, 1)
        wrong += pages(*args, [(f"before the {where}", (), "Your hand", None), (where, keys, seen, None)])
    assert not wrong, "\n".join(wrong)


if __name__ == "__main__":
    main()
