"""One of three is gone: the others agree, the round is dealt anew, she comes back. Then the player leaves the
table, is free for another one at once, and the others play on. Whoever does not look is called when it is their turn."""

import sys

from beside import Person
from bell import Bell
from stage import BUTTON
from table import be_ready, close, hand, invite, open_table, play, press_named


def main(pictures):
    bell = Bell()
    host, code = open_table(3, grace="15 s")
    others = [Person(name, "--join", code) for name in ("Petr", "Radka")]
    petr, radka = others
    petr.plays = radka.plays = False
    be_ready([host])
    host.wait_for(lambda: len(hand(host)) == 9, "nine cards in hand", 60)

    def nudge():
        for person in (petr, radka):
            if person.turn:
                person.play()

    # The window is not in front: whoever looks elsewhere is called when it is their turn, and no card is named.
    play([host], lambda: nudge() or len(hand(host)) <= 8)
    host.look_away()
    host.wait_for(lambda: nudge() or bell.rung(), "a notification", 60)
    assert bell.rung() == ("Your turn", "The table waits for you."), bell.rung()
    assert not bell.taken_back()
    # Whoever looks again need not be called any more.
    host.key("shift")
    host.wait_for(bell.taken_back, "the call taken back")

    folder = radka.kill()
    host.expect(starts="Radka: connection lost", seconds=60)
    # An answer is needed: that calls too.
    host.look_away()
    host.expect(name="Deal the round anew", enabled=True, seconds=60)
    host.wait_for(lambda: bell.rung()[0] == "Somebody did not come back. How to go on?", "a call to the vote")
    host.key("shift")
    petr.wait("Type “on”")
    petr.type("void")
    host.wait_for(lambda: any("Petr: deal anew" in (node.get_name() or "") for node in host.nodes()), "the other's answer", 40)
    if pictures:
        host.picture(f"{pictures}/void-vote.png")
    press_named(host, "Deal the round anew")
    host.expect(starts="The round is void and dealt anew without Radka", seconds=40)
    host.wait_for(lambda: len(hand(host)) == 9, "nine new cards in hand", 60)
    if pictures:
        host.picture(f"{pictures}/void-again.png")
    print("both agree, and the round is dealt anew")

    radka = Person("Radka", folder=folder)
    host.expect(starts="Radka is back at the table", seconds=60)
    host.key("alt+Left")
    if pictures:
        host.expect(name="Leave the table?")
        host.picture(f"{pictures}/void-leave.png")
    press_named(host, "Leave")
    host.expect(name="Open a new table", role=BUTTON)
    for person in (petr, radka):
        person.wait("Jana leaves the table")
    assert host.find(name="Continue the interrupted game") is None, "there is nothing to go on with"
    # Free for another table at once, opened or joined.
    host.key("ctrl+n")
    eva = Person("Eva", "--join", host.wait_for(lambda: invite(host), "an invite code"))
    try:
        host.expect(starts="Seat 2: Eva", seconds=60)
    except AssertionError:
        print("Eva heard:", eva.said[-6:])
        raise
    print("whoever leaves is free, and the others know")
    close([host])
    for person in (petr, radka, eva):
        person.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
