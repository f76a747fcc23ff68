"""A known name comes with another key: the player is asked, and until then nobody is let in."""

import sys

from beside import Bot
from table import close, open_table, press_named


def main(pictures):
    host, code = open_table(3)
    petr = Bot("Petr", "--join", code)
    host.expect(starts="Seat 2: Petr", seconds=40)
    petr.kill()
    host.expect(name="Seat 2: free", seconds=40)
    other = Bot("Petr", "--join", code)
    host.expect(starts="Petr comes with another key", seconds=40)
    if pictures:
        host.picture(f"{pictures}/key.png")
    assert host.find(starts="Seat 2: Petr") is None, "let in without asking"
    press_named(host, "It is them")
    other.process.wait(60)
    again = Bot("Petr", "--join", code, folder=other.folder)
    host.expect(starts="Seat 2: Petr", seconds=40)
    print("another key under a known name: asked, refused, then let in")
    close([host])
    again.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
