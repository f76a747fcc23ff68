"""Three clients on loopback: one opens a table, two join by its code, all are ready and play a whole round, by keyboard alone."""

import sys
import time

from table import close, hand, play, round_over, sit_down


def main(pictures):
    begun = time.monotonic()
    stages = sit_down(3)
    for stage in stages:
        stage.wait_for(lambda stage=stage: len(hand(stage)) == 9, "nine cards in hand", 60)
    hands = [set(hand(stage)) for stage in stages]
    assert not (hands[0] & hands[1] or hands[0] & hands[2] or hands[1] & hands[2]), "a card is in two hands"
    words = [stage.expect(starts="Four words: ").get_name() for stage in stages]
    assert len(set(words)) == 1, f"not the same four words on every screen: {words}"
    print(f"seated and dealt after {time.monotonic() - begun:.0f} s; {words[0]}")
    if pictures:
        stages[0].picture(f"{pictures}/people-dealt.png")
    turns = play(stages, lambda: all(round_over(stage) for stage in stages))
    for stage in stages:
        stage.expect(starts="Fair, checked by your computer")
    if pictures:
        stages[0].picture(f"{pictures}/people-round-end.png")
    for stage in stages:
        stage.key("Return")
        stage.wait_for(lambda stage=stage: stage.find(name="Next round") is None and len(hand(stage)) == 9, "the next round", 60)
    print(f"a round of {turns} decisions by keys, over after {time.monotonic() - begun:.0f} s; the next one is dealt")
    close(stages)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
