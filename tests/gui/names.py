"""Every widget that can be pressed or typed into has a name, and says whether it can be used."""

from stage import Atspi, Stage

INTERACTIVE = {
    Atspi.Role.PUSH_BUTTON,
    Atspi.Role.TOGGLE_BUTTON,
    Atspi.Role.CHECK_BOX,
    Atspi.Role.COMBO_BOX,
    Atspi.Role.TEXT,
    Atspi.Role.SPIN_BUTTON,
    Atspi.Role.MENU_ITEM,
}


def nameless(stage, where):
    """Interactive nodes without a name of their own: the toolkit names them by their class."""
    wrong = []
    count = 0
    for node in stage.nodes():
        if node.get_role() not in INTERACTIVE or not node.get_state_set().contains(Atspi.StateType.FOCUSABLE):
            continue
        count += 1
        name = node.get_name() or ""
        if not name.strip() or name.startswith(("Gtk", "Adw", "Shamans")) and name != "Shamans":
            wrong.append(f"{where}: {node.get_role_name()} called {name!r}")
    print(f"{where}: {count} interactive widgets")
    return wrong


def main():
    wrong = []
    stage = Stage()
    wrong += nameless(stage, "start")
    stage.close()
    stage = Stage("--practise", "4", "--seed", "3")
    stage.expect(name="Your hand")
    stage.wait_for(lambda: stage.find(name="Your hand").get_child_count() == 9, "nine cards in hand")
    wrong += nameless(stage, "table")
    stage.close()
    assert not wrong, "\n".join(wrong)


if __name__ == "__main__":
    main()
