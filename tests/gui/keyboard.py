"""The table by keys alone: a digit chooses, Enter plays, Escape lets go, focus is never lost."""

import time

from stage import Atspi, Stage


def focused(stage):
    for node in stage.nodes():
        if node.get_state_set().contains(Atspi.StateType.FOCUSED):
            return node
    return None


def held(stage):
    return stage.find(name="Your hand").get_child_count()


def main():
    stage = Stage("--practise", "3", "--seed", "7")
    stage.expect(name="Your hand")
    stage.wait_for(lambda: held(stage) == 9, "nine cards in hand")
    stage.wait_for(lambda: stage.find(starts="Your turn") or stage.find(starts="You are the Guide"), "the player's turn")

    stage.key("2")
    stage.expect(starts="Play ")
    stage.key("Escape")
    stage.wait_for(lambda: stage.find(starts="Play ") is None, "the choice let go")
    assert held(stage) == 9, "choosing and letting go plays nothing"

    stage.key("h")
    stage.expect(name="Covered card")
    stage.key("2")
    stage.expect(name="Play the covered card")
    stage.key("Escape", "h")
    stage.wait_for(lambda: stage.find(name="Covered card") is None, "the hand shown again")

    # In a menu letters are the menu's.
    stage.key("F10")
    stage.wait_for(lambda: (node := focused(stage)) and node.get_role() == Atspi.Role.MENU_ITEM, "the main menu")
    stage.key("h")
    time.sleep(0.5)
    assert stage.find(name="Covered card") is None, "the table heard a letter that was the menu's"
    stage.key("Escape")
    stage.wait_for(lambda: (node := focused(stage)) and node.get_role() != Atspi.Role.MENU_ITEM, "the menu closed")

    stage.key("3")
    stage.expect(starts="Play ")
    stage.key("Return")
    stage.wait_for(lambda: held(stage) == 8, "the card played")
    time.sleep(0.5)
    node = focused(stage)
    assert node is not None, "focus is lost after a card was played"
    print("after playing, the focus is on", repr(node.get_name()))

    stage.wait_for(lambda: stage.find(starts="Your turn") or stage.find(starts="You are the Guide") or stage.find(starts="Choose an"), "the next decision", 40)
    stage.hold("l")
    stage.expect(starts="Last trick: ")
    stage.let_go("l")
    stage.wait_for(lambda: stage.find(starts="Last trick: ") is None, "the present trick again")
    # The news since the last decision, and back to the hand.
    stage.key("n")
    news = stage.wait_for(lambda: (node := focused(stage)) and node.get_role() == Atspi.Role.STATUS_BAR and node, "the focus on the news")
    assert "You play " in news.get_name() or "You lead " in news.get_name(), news.get_name()
    print("the news:", news.get_name())
    stage.key("n")
    stage.wait_for(lambda: (node := focused(stage)) and node.get_role() == Atspi.Role.PUSH_BUTTON, "the focus on the hand again")
    stage.hold("i")
    identity = stage.expect(starts="Your identity: ")
    assert identity.get_name() in ("Your identity: Shaman", "Your identity: Shadow")
    stage.let_go("i")
    stage.expect(name="Your identity, hidden")
    # A key that goes up elsewhere leaves nothing open.
    stage.hold("i")
    stage.expect(starts="Your identity: ")
    stage.look_away()
    stage.expect(name="Your identity, hidden")
    stage.let_go("i")
    # No other table while one sits at this one.
    stage.key("ctrl+n")
    stage.expect(name="You sit at a table: leave it first.")
    assert stage.find(starts="Seat 1: ") is None, "a new table in place of the game"
    assert held(stage) == 8, "the game is not what it was"
    complaints = stage.complaints()
    stage.close()
    assert not complaints, "\n".join(complaints)


if __name__ == "__main__":
    main()
