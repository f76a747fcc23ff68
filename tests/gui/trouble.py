"""A client is killed in the middle of a round: the others see it, wait, vote, and a phantom plays on. It starts again, goes on with the
interrupted game and has its seat and its cards back."""

import sys
import time

from stage import Stage
from table import close, hand, play, press_named, sit_down


def main(pictures):
    stages = sit_down(3, grace="15 s")
    for stage in stages:
        stage.wait_for(lambda stage=stage: len(hand(stage)) == 9, "nine cards in hand", 60)
    # Some cards are played first, so that there is something to come back to.
    play(stages, lambda: all(len(hand(stage)) <= 7 for stage in stages))
    lost, others = stages[2], stages[:2]
    held = sorted(hand(lost))
    folder = lost.kill()
    for stage in others:
        stage.expect(starts="Radka: connection lost", seconds=60)
    if pictures:
        others[0].picture(f"{pictures}/trouble-reconnecting.png")
    print("the others see that Radka's connection is lost")
    for stage in others:
        stage.expect(name="A phantom plays on", enabled=True, seconds=90)
    if pictures:
        others[0].picture(f"{pictures}/trouble-vote.png")
    press_named(others[0], "A phantom plays on")
    others[1].expect(starts="Radka did not come back. How to go on?")
    others[1].wait_for(lambda: any("Jana: a phantom plays on" in (node.get_name() or "") for node in others[1].nodes()), "the other's vote", 30)
    if pictures:
        others[1].picture(f"{pictures}/trouble-vote-other.png")
    press_named(others[1], "A phantom plays on")
    for stage in others:
        stage.expect(starts="A phantom plays the cards of Radka", seconds=40)
    print("both agree, and a phantom plays on")

    back = Stage(player="Radka", folder=folder)
    interrupted = back.expect(starts="With ", seconds=60).get_name()
    assert "Jana" in interrupted and "Petr" in interrupted, interrupted
    if pictures:
        back.picture(f"{pictures}/trouble-continue.png")
    press_named(back, "Continue the interrupted game")
    back.wait_for(lambda: hand(back), "cards in hand", 90)
    for stage in others:
        stage.expect(starts="Radka is back at the table", seconds=60)
    mine = sorted(hand(back))
    assert mine and set(mine) <= set(held), f"other cards than before: {mine} instead of {held}"
    if pictures:
        back.picture(f"{pictures}/trouble-back.png")
    print(f"Radka is back with {len(mine)} of the {len(held)} cards she held")
    close([*others, back])


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
