"""A bot at a table of people, in the window that opened the table and in one that joined it: everybody is told that it is one, who runs it and that this person can
see its cards, before they agree and while they play."""

import sys

from beside import Bot
from table import be_ready, close, hand, join, open_table, play

MARK = "bot, run by Eva, who can see its cards"
CONSENT = "Bots play here: Robo (run by Eva). Whoever runs a bot can see its cards. If you are ready, you agree to that."


def seat(stage, name):
    """What is said of a seat at the table, or None."""
    return next((said for node in stage.nodes() if (said := node.get_name() or "").startswith(f"{name}, ") and " point" in said), None)


def main(pictures):
    host, code = open_table(3)
    assert host.find(starts="Bots play here") is None, "no bot is there yet"
    bot = Bot("Robo", "--join", code, "--bot", "strong", "--operator", "Eva")
    host.expect(starts="Seat 2: Robo", seconds=40)
    stages = [host, join("Petr", code)]
    for stage in stages:
        place = stage.expect(starts=f"Seat 2: Robo, {MARK}").get_name()
        stage.expect(name=CONSENT)
        stage.expect(name="I am ready", enabled=True, seconds=40)
    assert not any(MARK in (node.get_name() or "") for stage in stages for node in stage.nodes() if (node.get_name() or "").startswith(("Seat 1: ", "Seat 3: "))), "a person is marked as a bot"
    if pictures:
        stages[1].picture(f"{pictures}/bots-room.png")
    print(place)
    be_ready(stages)
    for stage in stages:
        stage.wait_for(lambda stage=stage: len(hand(stage)) == 9, "nine cards in hand", 60)
        said = stage.wait_for(lambda stage=stage: seat(stage, "Robo"), "the bot's seat")
        assert MARK in said, said
        people = [seat(stage, name) for name in ("Jana", "Petr")]
        assert all(people) and not any("bot" in said for said in people), people
        assert stage.find(name="Hint") is None, "hints at a table of people"
    # It plays, and says so with its mark.
    play(stages, lambda: all("8 cards" in (seat(stage, "Robo") or "") for stage in stages))
    print(seat(host, "Robo"))
    if pictures:
        host.picture(f"{pictures}/bots-table.png")
    close(stages)
    bot.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
