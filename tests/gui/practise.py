"""A practise game by accessible names alone, against bots of any strength: every decision, round after round, to the end of the game.

`practise.py SEATS SEED ROUNDS [easy|sensible|strong]`: so many rounds at most, or the whole game if that is shorter.
"""

import re
import sys
import time

from gi.repository import GLib

from stage import BUTTON, Atspi, Stage, confirms, is_enabled

WORLDS = ("Dream ", "River ", "Forest ", "Sun ", "Wind ", "Stone ", "Fire ")


def is_card(name):
    return name.startswith(WORLDS) and name.split()[-1].isdigit()


def parts(stage):
    """The places where decisions are made; looked up once, they stay."""
    if not hasattr(stage, "parts"):
        stage.parts = [stage.expect(name=name) for name in ("Decision", "Artefacts", "Your hand")]
    return stage.parts


def choose(stage, seen):
    """Makes one decision of the round if there is one; says what it pressed."""
    cards, tiles, choices = [], [], []
    for part, group in zip(parts(stage), (choices, tiles, cards)):
        buttons = (node for node in stage.nodes(part) if node.get_role() == BUTTON)
        group.extend(node for node in buttons if is_enabled(node))
    confirm = [node for node in choices if confirms(node.get_name())]
    own = [node for node in choices if not node.get_name().startswith("Portal:")]
    for group in (confirm, own, tiles, cards):
        if group:
            node = group[seen % len(group)]
            name = node.get_name()
            return name if stage.press(node) else None
    return None


def decide(stage, seen, read_result=lambda: None):
    """Makes one decision, or goes on after a round, when its result is read; says what it pressed."""
    name = choose(stage, seen)
    if name is not None:
        return name
    after = stage.find(name="Next round") or stage.find(name="Play again")
    if after is None:
        return None
    read_result()
    name = after.get_name()
    if name == "Next round":
        stage.press(after)
    return name


def standings(stage, before):
    """After a round, by player: the points. Those that came since `before` are told with what they are for."""
    points = {}
    for row in stage.nodes(stage.expect(name="Standings")):
        if told := re.match(r"(.*?), (.*), (\d+) points?\b", row.get_name() or ""):
            player, reasons, points[told[1]] = told[1], told[2], int(told[3])
            earned = sum(map(int, re.findall(r"\+(\d+) ", reasons)))
            assert points[player] == before.get(player, 0) + earned, f"{row.get_name()!r} after {before}"
    return points


def reads_the_end(stage):
    """Is the newest line of the log in view?"""
    lines = stage.find(name="What happened", role=Atspi.Role.LIST)
    newest = lines and lines.get_child_at_index(lines.get_child_count() - 1)
    if not newest:
        return False
    place, window = (node.get_extents(Atspi.CoordType.WINDOW) for node in (newest, stage.app.get_child_at_index(0)))
    return place.height > 0 and 0 < place.y and place.y + place.height <= window.height


STRENGTHS = ("easy", "sensible", "strong")


def main(seats, seed, rounds, strength="sensible"):
    stage = Stage("--practise", seats, "--seed", seed, strength=STRENGTHS.index(strength))
    rounds = int(rounds)
    pressed, idle, done, points, result = [], 0, 0, {}, {}
    begun = time.monotonic()
    while done < rounds:
        assert stage.process.poll() is None, f"the client has ended after {pressed[-5:]}: {stage.complaints()}"
        try:
            name = decide(stage, len(pressed), lambda: result.update(standings(stage, points)))
        except GLib.Error:
            name = None  # the screen changed while it was read
        if name is None:
            idle += 1
            assert idle < 200, f"nothing to do for too long, after {pressed[-5:]}"
            time.sleep(0.05)
            continue
        idle = 0
        if pressed and pressed[-1] == "Next round":
            stage.wait_for(lambda: reads_the_end(stage), "the newest line of the log in view")
        pressed.append(name)
        if name in ("Next round", "Play again"):
            assert len(result) == int(seats), f"standings of {result} alone"
            points = dict(result)
        if name == "Play again":
            break
        if name == "Next round":
            done += 1
        time.sleep(0.12)
    took = time.monotonic() - begun
    complaints = stage.complaints()
    print(f"{seats} seats, {strength}, seed {seed}: {done} rounds, {len(pressed)} presses in {took:.0f} s, ended with {pressed[-1]!r}")
    kinds = sorted({name for name in pressed if not is_card(name) and not name.startswith(("Play ", "pile of"))})
    print("  choices met:", ", ".join(kinds))
    stage.close()
    assert not complaints, "\n".join(complaints)


if __name__ == "__main__":
    main(*sys.argv[1:5])
