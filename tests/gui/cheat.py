"""A player signs two histories of the game: the window names them, and the proof can be saved and checked by anyone."""

import os
import pathlib
import subprocess
import sys

from beside import Bot, Person
from table import be_ready, close, hand, open_table, press_named

LIAR = os.environ.get("SHAMANS_LIAR") or str(pathlib.Path(os.environ["SHAMANS"]).parent / "examples" / "liar")


def main(pictures):
    host, code = open_table(3)
    petr, radka = Person("Petr", "--join", code), Bot("Radka", "--join", code)
    petr.plays = False
    be_ready([host])
    host.wait_for(lambda: len(hand(host)) == 9, "nine cards in hand", 60)
    # The bot has played if it leads: the table waits for a person now.
    host.wait_for(lambda: petr.turn or host.find(starts="Your turn") or host.find(starts="You are the Guide"), "somebody's turn", 60)
    seated = radka.of("seated")[-1]
    folder = radka.kill()
    table = next((radka.data / "tables").glob("*.log")).stem
    step = radka.of("step")[-1]["step"]
    command = [LIAR, str(radka.data), code, table, str(seated["seat"]), str(step)]
    liar = subprocess.Popen(command)
    try:
        host.expect(starts="Radka's program broke the rules, and this can be proved", seconds=60)
    finally:
        liar.kill()
        liar.wait(30)
    if pictures:
        host.picture(f"{pictures}/cheat.png")
    press_named(host, "Save the proof")
    print("two histories under one key: named at once")
    close([host])
    petr.close()
    folder.cleanup()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
