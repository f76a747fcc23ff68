"""Play as a screen reader's user does: things are found by name, role and state, pressed by their accessible actions, and what happened is known only from what is
announced. No key, no pointer, no place on the screen.

`reader.py [ROUNDS]`: so many rounds, or the whole game if that is shorter.
"""

import re
import sys
import time

from gi.repository import GLib

from practise import choose, parts
from stage import BUTTON, Atspi, Stage, is_enabled

STATUS = Atspi.Role.STATUS_BAR
ITEM = Atspi.Role.LIST_ITEM
CARD = re.compile(r"(Dream|River|Forest|Sun|Wind|Stone|Fire) \d$")
QUESTIONS = ("Your turn", "You are the Guide", "Choose", "Take ", "Pass ")


class Ears:
    """Hears what a screen reader hears: names that change, in places that say how things stand, of the window, and elsewhere."""

    def __init__(self):
        self.heard = []
        self.window = []
        self.named = []
        self.listener = Atspi.EventListener.new(self.hear)
        assert self.listener.register("object:property-change"), "nothing can be heard"

    def hear(self, event):
        try:
            if event.type.endswith(":accessible-name") and isinstance(event.any_data, str):
                places = {STATUS: self.heard, Atspi.Role.FRAME: self.window}
                places.get(event.source.get_role(), self.named).append(event.any_data)
        except GLib.Error:
            pass  # it is gone already

    def listen(self):
        """Takes in what was said meanwhile."""
        context = GLib.MainContext.default()
        while context.iteration(False):
            pass
        return self


def is_in(node, state):
    return node.get_state_set().contains(state)


def role_of(stage, name, role):
    return next((node for node in stage.nodes() if node.get_role() == role and (node.get_name() or "") == name), None)


def hand(stage):
    """The cards that can be played."""
    return [node for node in stage.nodes(parts(stage)[2]) if node.get_role() == BUTTON and is_enabled(node)]


def lines(stage):
    """The log, line for line."""
    log = next((node for node in stage.nodes() if node.get_role() == Atspi.Role.LIST and node.get_name() == "What happened"), None)
    return [node.get_name() for node in stage.nodes(log) if node.get_role() == ITEM] if log else []


def missed(told, heard):
    """The first line that was not announced in its order, or None."""
    ears = iter(heard)
    return next((line for line in told if not any(line == said for said in ears)), None)


def look_around(stage, ears):
    """Everything that a player has to know is said somewhere."""
    said = [node.get_name() or "" for node in stage.nodes()]
    cards = [name for name in said if CARD.match(name)]
    assert len(set(cards)) >= 9, f"not the whole hand: {cards}"
    assert any(re.match(r"Shadow path: space \d+ of 24\. \d+ steps? to the Moon\.", name) for name in said), "where the Shadow stands is not said"
    for player in ("Petr", "Radka", "Jana"):
        assert any(re.match(player + r", [89] cards, 0 points", name) for name in said), f"nothing is said of {player}"
    for world in ("Dream", "River", "Forest", "Sun", "Wind"):
        assert any(re.match(world + r": \d of 6 cards laid .*Ritual: ", name) for name in said), f"nothing is said of {world}"
    # One's own identity: pressed, it is said; and hidden again by itself.
    stage.press(stage.expect(name="Your identity, hidden", role=BUTTON))
    identity = stage.wait_for(lambda: next((name for name in ears.listen().named if name.startswith("Your identity: ")), None), "the identity to be said")
    assert identity in ("Your identity: Shaman", "Your identity: Shadow"), identity
    stage.expect(name="Your identity, hidden", seconds=30)


def choose_and_let_go(stage, ears):
    """A chosen card says so, and its button to play it is there."""
    stage.wait_for(lambda: hand(stage), "a card that can be played", 60)
    card = hand(stage)[0]
    name = card.get_name()
    assert not is_in(card, Atspi.StateType.SELECTED), f"{name} is chosen before anyone chose it"
    stage.press(card)
    stage.expect(name=f"Play {name}", role=BUTTON)
    stage.wait_for(lambda: is_in(card, Atspi.StateType.SELECTED), f"{name} to say that it is chosen")
    stage.wait_for(lambda: f"Chosen. Enter again: Play {name}." in ears.listen().window, "the window to say what Enter does now")


def play_round(stage, ears, turn):
    """Until the round is over."""
    idle, met = 0, 0
    while True:
        assert stage.process.poll() is None, f"the client has ended: {stage.complaints()}"
        try:
            name = choose(stage, turn)
        except GLib.Error:
            name = None  # the screen changed while it was read
        ears.listen()
        if name is None:
            idle += 1
            assert idle < 200, f"nothing to do for too long; the last that was heard: {ears.heard[-4:]}"
            if role_of(stage, "Next round", BUTTON) or role_of(stage, "Play again", BUTTON):
                return turn, met
            time.sleep(0.05)
            continue
        idle, turn, met = 0, turn + 1, met + 1
        time.sleep(0.12)


def read_end(stage, ears, told):
    """The page after a round, from its words alone."""
    said = [node.get_name() or "" for node in stage.nodes()]
    assert any("Shamans win" in name or "Shadows win" in name for name in said), f"who has won is not said: {said}"
    stage.expect(starts="Fair, checked by your computer", seconds=60)
    standings = stage.expect(name="Standings")
    rows = [node.get_name() for node in stage.nodes(standings) if node.get_role() == ITEM]
    assert len(rows) == 3 and all(("Shaman" in row or "Shadow" in row) and " point" in row for row in rows), rows
    print("; ".join(rows))
    wrong = missed(told, ears.listen().heard)
    assert wrong is None, f"not announced in its order: {wrong!r}"
    # With the focus elsewhere, Orca says these of the window alone.
    aloud = " ".join(ears.window)
    unsaid = [line for line in told if line not in aloud]
    assert not unsaid, f"the window does not say: {unsaid}"


def main(rounds):
    ears = Ears()
    stage = Stage("--seed", "7", strength=0)
    stage.press(stage.expect(name="Practise at a table of 3", role=BUTTON))
    # Whoever goes there hears the news as they come.
    stage.wait_for(lambda: next((node for node in stage.nodes() if node.get_role() == STATUS and is_in(node, Atspi.StateType.FOCUSABLE)), None), "a place for the news", 60)
    before = len(lines(stage))
    choose_and_let_go(stage, ears)
    look_around(stage, ears)
    turn, done = 0, 0
    while True:
        turn, met = play_round(stage, ears, turn)
        told = lines(stage)[before:]
        assert told, f"the log cannot be read after the round; heard: {ears.heard[-4:]}"
        read_end(stage, ears, told)
        done += 1
        print(f"round {done}: {met} presses, {len(told)} lines in the log, {len(ears.heard)} announcements")
        after = role_of(stage, "Next round", BUTTON)
        if done == rounds or after is None:
            break
        stage.press(after)
        stage.wait_for(lambda: role_of(stage, "Next round", BUTTON) is None, "the next round", 60)
    asked = [said for said in ears.listen().heard if said.startswith(QUESTIONS)]
    assert asked, "the player was never told that it is their turn"
    complaints = stage.complaints()
    stage.close()
    assert not complaints, "\n".join(complaints)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
