"""What the network around shows in the window: the doctor's report, a link that is followed, tables and people found by mDNS, a table of another version, sitting down
from the list, and watching. Run in a network namespace of its own."""

import os
import pathlib
import subprocess
import sys
import tempfile

from beside import Bot, wire
from stage import BUTTON, Stage
from table import be_ready, close, focused_name, hand, invite, press_named, tab_to

ANNOUNCE = pathlib.Path(__file__).parent.parent / "lan" / "announce.py"
IP = "10.99.0.1"


def contains(stage, text):
    """Something on the screen with these words."""
    return any(text in (node.get_name() or "") for node in stage.nodes())


def change_networks():
    """The code follows the networks that come and go."""
    host = Stage(network=("--no-mdns",))
    host.key("ctrl+n")
    first = host.wait_for(lambda: invite(host), "an invite code")
    for change in ("add", "del"):
        before = invite(host)
        subprocess.run(["ip", "addr", change, "10.98.0.1/24", "dev", "shamans0"], check=True)
        host.wait_for(lambda before=before: invite(host) not in (None, before), f"another code after {change}")
    assert invite(host) == first, "not the code of the network that is left"
    host.close()


def main(pictures):
    wire(IP)
    change_networks()
    jana = Stage(network=())
    press_named(jana, "Find out why no table shows up")
    jana.wait_for(lambda: contains(jana, "shamans0"), "the doctor's report", 60)
    if pictures:
        jana.picture(f"{pictures}/lan-doctor.png")
    assert contains(jana, IP), "the doctor does not tell the address"
    jana.key("alt+Left")
    jana.expect(name="Open a new table", role=BUTTON)

    # A link that is followed while the game runs comes to the window that is there.
    link = subprocess.run([os.environ["SHAMANS"], "shamans:Ann"], env=dict(os.environ, DISPLAY=jana.display), timeout=30, check=False)
    assert link.returncode == 0, link
    jana.wait_for(lambda: contains(jana, "“Ann” is neither an address"), "what is wrong with the link")

    newer = subprocess.Popen([sys.executable, str(ANNOUNCE), IP, "newer"])
    petr = Bot("Petr", "--create", "Night", network=())
    # Said where to keep things, it is a program of its own beside Jana's.
    kept = tempfile.TemporaryDirectory(prefix="shamans-gui-")
    eva = Stage("--data-dir", kept.name, player="Eva", network=())
    jana.wait_for(lambda: contains(jana, "Tomorrow"), "a table of another version", 40)
    jana.wait_for(lambda: contains(jana, "speaks the newer protocol 9"), "why one cannot sit down there", 10)
    assert jana.find(name="Join Tomorrow") is None, "nobody can sit down there"
    jana.expect(name="Join Night", seconds=40)
    jana.wait_for(lambda: contains(jana, "Eva"), "people nearby", 40)
    if pictures:
        jana.picture(f"{pictures}/lan-list.png")
    # Whoever is about to press a button of the list keeps it under the finger while tables and people come and go.
    eva.expect(name="Join Night", seconds=40)
    tab_to(eva, "Join Night")
    newer.kill()
    newer.wait(30)
    press_named(jana, "Join Night")
    jana.expect(starts="Seat 1: Petr", seconds=40)
    radka = Bot("Radka", "--join", "night", network=())
    be_ready([jana])
    jana.wait_for(lambda: len(hand(jana)) == 9, "nine cards in hand", 60)
    print("found by mDNS, sat down from the list, dealt")

    eva.wait_for(lambda: focused_name(eva) == "Watch Night", "the focus where it was", 40)
    eva.key("Return")
    eva.expect(name="Watching", seconds=60)
    eva.wait_for(lambda: contains(eva, "Round 1 is dealt"), "what happened", 60)
    eva.wait_for(lambda: eva.find(name="Your hand") is None, "no hand")
    if pictures:
        eva.picture(f"{pictures}/lan-watching.png")
    eva.key("alt+Left")
    eva.expect(name="Watch Night", seconds=40)
    print("watched, and left again")
    close([jana, eva])
    petr.close()
    radka.close()
    kept.cleanup()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
