"""A client is killed in the middle of a round: the others see it, wait, vote, and a phantom plays on. It starts again, goes on with the
interrupted game and has its seat and its cards back."""

import sys

from beside import Bot
from stage import Stage
from table import be_ready, close, hand, join, open_table, play, press_named


def main(pictures):
    host, code = open_table(3, grace="15 s", think="Relaxed")
    lost = join("Petr", code)
    bot = Bot("Radka", "--join", code)
    be_ready([host, lost])
    for stage in (host, lost):
        stage.wait_for(lambda stage=stage: len(hand(stage)) == 9, "nine cards in hand", 60)
    # Some cards are played first, so that there is something to come back to.
    play([host, lost], lambda: len(hand(host)) <= 7 and len(hand(lost)) <= 7)
    held = sorted(hand(lost))
    folder = lost.kill()
    host.expect(starts="Petr: connection lost", seconds=60)
    counted = host.expect(ends=" seconds left").get_name()
    if pictures:
        host.picture(f"{pictures}/trouble-reconnecting.png")
    print(f"Petr's connection is lost: {counted}")
    host.expect(name="A phantom plays on", enabled=True, seconds=60)
    host.wait_for(lambda: any("Radka: a phantom plays on" in (node.get_name() or "") for node in host.nodes()), "the other's vote", 30)
    if pictures:
        host.picture(f"{pictures}/trouble-vote.png")
    press_named(host, "A phantom plays on")
    host.expect(starts="A phantom plays the cards of Petr", seconds=40)
    print("both agree, and a phantom plays on")

    back = Stage(player="Petr", folder=folder)
    interrupted = back.expect(starts="With ", seconds=60).get_name()
    assert "Jana" in interrupted and "Radka" in interrupted, interrupted
    if pictures:
        back.picture(f"{pictures}/trouble-continue.png")
    press_named(back, "Continue the interrupted game")
    back.wait_for(lambda: hand(back), "cards in hand", 90)
    host.expect(starts="Petr is back at the table", seconds=60)
    mine = sorted(hand(back))
    # An Eclipse meanwhile has passed one on for another.
    others = set(mine) - set(held)
    assert len(others) <= bool(host.find(starts="Eclipse!")), f"other cards than before: {mine} instead of {held}"
    if pictures:
        back.picture(f"{pictures}/trouble-back.png")
    # The time to think is as the table has agreed on it before.
    play([host], lambda: back.find(ends=" to think"))
    print(f"asked again, with {back.find(ends=' to think').get_name()}")
    # And can play them.
    play([host, back], lambda: len(hand(back)) < len(mine))
    print(f"Petr is back with {len(mine)} of the {len(held)} cards he held, and plays on")
    close([host, back])
    bot.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
