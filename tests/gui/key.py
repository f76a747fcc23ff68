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
    # Whoever is refused and tries again is not asked about again.
    other.process.wait(60)
    Bot("Petr", "--join", code, folder=other.folder).process.wait(60)
    press_named(host, "It is them")
    host.wait_for(lambda: host.find(starts="Petr comes with another key") is None, "the end of the question")
    # The answer was about that key, and about no other.
    third = Bot("Petr", "--join", code)
    host.expect(starts="Petr comes with another key", seconds=40)
    press_named(host, "Do not let in")
    third.process.wait(60)
    again = Bot("Petr", "--join", code, folder=other.folder)
    host.expect(starts="Seat 2: Petr", seconds=40)
    assert host.find(starts="Petr comes with another key") is None, "asked once more"
    print("another key under a known name: asked once, refused, then let in, and no third key with it")
    close([host])
    again.close()
    for one in (petr, third):
        one.folder.cleanup()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
