"""Three clients on loopback: one opens a table, two join by its code, they talk, all are ready and play a whole round, by keyboard alone."""

import sys
import time

from table import RELAXED, close, hand, open_table, be_ready, join, play, round_over, say, set_option


def main(pictures):
    begun = time.monotonic()
    host, code = open_table(3)
    set_option(host, "Time to think", RELAXED, ["Off", RELAXED, "Fast"])
    stages = [host, join("Petr", code), join("Radka", code)]
    say(stages[1], "A fine evening!")
    for stage in stages:
        line = "You: A fine evening!" if stage is stages[1] else "Petr: A fine evening!"
        stage.expect(name=line)
    if pictures:
        stages[2].picture(f"{pictures}/people-room.png")
    be_ready(stages)
    for stage in stages:
        stage.wait_for(lambda stage=stage: len(hand(stage)) == 9, "nine cards in hand", 60)
    hands = [set(hand(stage)) for stage in stages]
    assert not (hands[0] & hands[1] or hands[0] & hands[2] or hands[1] & hands[2]), "a card is in two hands"
    words = [stage.expect(starts="Four words: ").get_name() for stage in stages]
    assert len(set(words)) == 1, f"not the same four words on every screen: {words}"
    print(f"seated and dealt after {time.monotonic() - begun:.0f} s; {words[0]}")
    # Whoever is asked has a clock, and only they.
    asked = host.wait_for(lambda: next((stage for stage in stages if stage.find(ends=" to think")), None), "a clock")
    assert sum(stage.find(ends=" to think") is not None for stage in stages) == 1, "a clock for somebody who is not asked"
    if pictures:
        asked.picture(f"{pictures}/people-asked.png")
    say(stages[2], "Good luck")
    stages[0].expect(name="Radka: Good luck")
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
