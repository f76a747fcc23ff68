"""A player signs two histories of the game: the window names them, and the proof can be saved and checked by anyone."""

import os
import pathlib
import subprocess
import sys
import tempfile

from beside import PROGRAM, Bot, Person
from language import choose
from stage import BUTTON
from table import be_ready, close, hand, open_table, press_named

LIAR = os.environ.get("SHAMANS_LIAR") or str(pathlib.Path(os.environ["SHAMANS"]).parent / "examples" / "liar")


def name_entry(stage):
    """Where the file's name is typed: the toolkit's own dialog, with the name that we propose."""
    for node in stage.nodes():
        text = node.get_text_iface()
        if text is not None and node.get_editable_text_iface() is not None and text.get_text(0, text.get_character_count()).endswith(".shamans-proof"):
            return node
    return None


def key_of(text):
    """The key in a proof."""
    return next(line.removeprefix("key: ") for line in text.splitlines() if line.startswith("key: "))


def main(pictures):
    place = tempfile.TemporaryDirectory(prefix="shamans-proof-")
    os.chdir(place.name)
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
    # The toolkit's own dialog proposes the folder where the program was started, and the name that we say.
    proof = pathlib.Path(place.name, "Radka.shamans-proof")
    host.wait_for(lambda: name_entry(host), "the proposed name")
    host.press(host.expect(ends="Save", role=BUTTON))
    host.wait_for(proof.exists, "the file")
    text = proof.read_text(encoding="utf-8")
    assert "\nwho: Radka\n" in text and "\nwhat: " in text, text
    # Anyone can check it; and not if it accuses another, or was changed.
    for changed, holds in ((text, True), (text.replace(key_of(text), key_of(text)[::-1]), False)):
        proof.write_text(changed, encoding="utf-8")
        said = subprocess.run([PROGRAM, "verify", str(proof)], capture_output=True, text=True, check=False, env=dict(os.environ, LC_ALL="C.UTF-8", LANGUAGE="en"))
        assert ("The proof holds. The key" in said.stdout and "(Radka, as this file says)" in said.stdout) == holds, (holds, said)
    # In another language it is said once more.
    choose(host, "Language", 2)
    host.expect(starts="Program hráče Radka porušil pravidla")
    print("two histories under one key: named at once, and the saved proof convinces whoever checks it")
    close([host])
    petr.close()
    folder.cleanup()
    os.chdir("/")
    place.cleanup()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
