"""The disk is full in the middle of a game: the window says so, the game stands still, and goes on when there is room again. Run in a mount
namespace of its own."""

import os
import pathlib
import subprocess
import sys
import tempfile

from beside import Bot
from table import be_ready, close, hand, open_table, play


def main(pictures):
    folder = tempfile.mkdtemp(prefix="shamans-disk-")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", folder], check=True)
    host, code = open_table(3, args=("--data-dir", folder))
    bots = [Bot(name, "--join", code) for name in ("Petr", "Radka")]
    be_ready([host])
    host.wait_for(lambda: len(hand(host)) == 9, "nine cards in hand", 60)
    ballast = pathlib.Path(folder, "ballast")
    file = os.open(ballast, os.O_WRONLY | os.O_CREAT)
    try:
        while True:
            os.write(file, bytes(1024))
    except OSError:
        os.close(file)
    stands = "The game stands still on this computer"
    play([host], lambda: host.find(starts=stands), 60)
    if pictures:
        host.picture(f"{pictures}/disk.png")
    held = len(hand(host))
    ballast.unlink()
    subprocess.run(["mount", "-o", "remount,size=64m", folder], check=True)
    host.wait_for(lambda: host.find(starts=stands) is None, "the notice gone", 60)
    play([host], lambda: len(hand(host)) < held - 1)
    print("a full disk stops the game and says so; with room again it goes on")
    close([host])
    for bot in bots:
        bot.close()
    subprocess.run(["umount", "-l", folder], check=False)
    os.rmdir(folder)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
