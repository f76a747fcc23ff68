"""A relay between two networks that cannot reach each other: the window opens a table in one of them, two bots of the other sit down by its code, and the window says
that they are linked through a relay. Run in a network namespace of its own."""

import atexit
import os
import re
import subprocess
import sys
import time

from beside import Beside, Bot
from stage import Stage
from table import be_ready, close, hand, play

RELAY = "10.9.9.9"
WAY = "through a relay"


def network():
    """Another network; gives the command that starts programs there."""
    holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
    atexit.register(holder.kill)
    place = f"/proc/{holder.pid}/ns/net"
    end = time.monotonic() + 20
    while os.readlink(place) == os.readlink("/proc/self/ns/net"):
        assert time.monotonic() < end, "no network of its own"
        time.sleep(0.05)
    inside = ["nsenter", f"--net={place}"]
    ip("link set lo up", inside)
    return holder.pid, inside


def ip(line, inside=()):
    subprocess.run([*inside, "ip", *line.split()], check=True)


def world():
    """Here and there, with a relay between them that passes on no packets."""
    between, relay = network()
    far, there = network()
    ip(f"addr add {RELAY}/32 dev lo", relay)
    for number, (pid, inside) in enumerate(((os.getpid(), []), (far, there)), 1):
        ip(f"link add r{number} type veth peer name h{number} netns {pid}", relay)
        ip(f"addr add 10.{number}.0.1/24 dev r{number}", relay)
        ip(f"link set r{number} up", relay)
        ip(f"addr add 10.{number}.0.2/24 dev h{number}", inside)
        ip(f"link set h{number} up", inside)
        ip(f"route add {RELAY} via 10.{number}.0.1", inside)
    return relay, there


def far_code(stage):
    """The code that leads through the relay: sixteen signs."""
    texts = (node.get_name() or "" for node in stage.nodes())
    return next((text for text in texts if re.fullmatch(r"[0-9A-Z]{4}(-[0-9A-Z]{4}){3}", text)), None)


def main(pictures):
    relay_side, there = world()
    relay = Beside("relay", "relay", "--json", network=(), inside=relay_side)
    relay.wait('"reachable"')
    stage = Stage("--relay", RELAY, network=("--no-mdns",))
    stage.key("ctrl+n")
    stage.expect(starts="Seat 1: ")
    code = stage.wait_for(lambda: far_code(stage), "a code that leads through the relay", 60)
    bots = [Bot(name, "--join", code, network=("--no-mdns",), inside=there) for name in ("Petr", "Radka")]
    for place in (2, 3):
        print(stage.wait_for(lambda place=place: (node := stage.find(starts=f"Seat {place}: ")) and WAY in node.get_name() and node.get_name(), "a player through the relay", 60))
    if pictures:
        stage.picture(f"{pictures}/relay-room.png")
    be_ready([stage])
    stage.wait_for(lambda: len(hand(stage)) == 9, "nine cards in hand", 60)

    def seats():
        said = [node.get_name() or "" for node in stage.nodes()]
        return [text for text in said if text.startswith(("Petr, ", "Radka, ")) and " point" in text]

    try:
        stage.wait_for(lambda: len(seats()) == 2 and all(WAY in said for said in seats()), "the mark at the seats")
    except AssertionError as missing:
        raise AssertionError(f"{missing}: {seats()}") from None
    play([stage], lambda: len(hand(stage)) == 8)
    print(seats())
    if pictures:
        stage.picture(f"{pictures}/relay-table.png")
    close([stage])
    for beside in (*bots, relay):
        beside.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
