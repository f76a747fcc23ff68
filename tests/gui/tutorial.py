"""The tutorial from its first page to its last, left and gone on with in between; then a practise game left and gone on with."""

import re
import sys
import time

from gi.repository import GLib

from practise import decide, is_card
from stage import BUTTON, Atspi, Stage

PAGE = re.compile(r"^(\d+) of (\d+)$")


def coach(stage):
    """Everything the coach shows."""
    card = stage.find(name="Tutorial", role=Atspi.Role.PANEL)
    return list(stage.nodes(card)) if card else []


def page(nodes):
    """Where the tutorial stands: (page, pages), or None when it is not on screen."""
    for node in nodes:
        found = PAGE.match(node.get_name() or "")
        if found:
            return int(found[1]), int(found[2])
    return None


def button(nodes, name):
    return next((node for node in nodes if node.get_role() == BUTTON and node.get_name() == name), None)


def learn(stage, pictures):
    stage.press(stage.expect(name="Learn to play", role=BUTTON))
    stage.parts = None
    del stage.parts
    stage.wait_for(lambda: page(coach(stage)), "the first page")
    seen, moves, idle, left = [], 0, 0, False
    while True:
        try:
            nodes = coach(stage)
            at = page(nodes)
            if at and at not in seen:
                seen.append(at)
                if pictures:
                    time.sleep(0.4)
                    stage.picture(f"{pictures}/tutorial-{at[0]:02}.png")
            if at and at[0] == 9 and not left:
                left = True
                stage.press(stage.expect(name="Leave the tutorial", role=BUTTON))
                stage.expect(name="Learn to play", role=BUTTON)
                stage.press(stage.expect(name="Learn to play", role=BUTTON))
                del stage.parts
                # Pages that belong to the same move come again.
                assert stage.wait_for(lambda: page(coach(stage)), "the page that was left")[0] in (8, 9)
                continue
            end = button(nodes, "To the start")
            if end:
                stage.press(end)
                break
            forward = button(nodes, "Next")
            pressed = stage.press(forward) if forward else decide(stage, 0)
        except GLib.Error:
            pressed = None  # the screen changed while it was read
        if pressed:
            idle = 0
            moves += not forward
        else:
            idle += 1
            assert idle < 300, f"nothing to do for too long on page {at}"
        time.sleep(0.05)
    stage.expect(name="Learn to play", role=BUTTON)
    assert [at for at, _ in seen] == list(range(1, seen[0][1] + 1)), seen
    print(f"{len(seen)} pages, {moves} presses on the table")


def hand(stage):
    return sorted(node.get_name() for node in stage.nodes(stage.expect(name="Your hand")) if is_card(node.get_name() or ""))


def go_on(stage):
    stage.press(stage.expect(name="Practise at a table of 3", role=BUTTON))
    stage.expect(name="Your hand", seconds=60)
    del stage.parts
    stage.wait_for(lambda: len(hand(stage)) == 9, "nine cards", 60)
    pressed = 0
    while pressed < 8:
        try:
            pressed += bool(decide(stage, pressed))
        except GLib.Error:
            pass
        time.sleep(0.1)
    stage.wait_for(lambda: stage.find(name="Your hand"), "the table")
    time.sleep(2)
    before = hand(stage)
    assert before and len(before) < 9, before
    stage.press(stage.expect(name="Leave the table", role=BUTTON))
    stage.press(stage.expect(ends="Leave", role=BUTTON))
    stage.press(stage.expect(name="Go on with your last practise game", role=BUTTON, seconds=30))
    stage.wait_for(lambda: hand(stage) == before, f"the same hand, {before}", 60)
    print(f"a practise game went on with {len(before)} cards in hand")


def main(pictures):
    stage = Stage()
    stage.parts = None
    learn(stage, pictures)
    go_on(stage)
    complaints = stage.complaints()
    stage.close()
    assert not complaints, "\n".join(complaints)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
