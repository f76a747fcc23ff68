"""A table with people: this client opens it, two other programs join by its code over loopback, and a round is played."""

import os
import subprocess
import sys
import tempfile
import time

from gi.repository import GLib

from practise import decide
from stage import Stage


def main(rounds):
    stage = Stage()
    code = stage.wait_for(lambda: invite(stage), "an invite code")
    stage.press(stage.expect(name="Open a new table"))
    stage.expect(starts="Seat 1: ")
    folders = [tempfile.TemporaryDirectory(prefix="shamans-peer-") for _ in range(3)]
    peers = []
    for folder, name in zip(folders, ("Petr", "Radka", "Ruda")):
        command = [os.environ["SHAMANS_TABLE"], "peer", "--name", name, "--data-dir", folder.name, "--listen", "127.0.0.1", "--no-mdns", "--join", code]
        peers.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    stage.expect(name="Seat 4: Ruda", seconds=30)
    ready = stage.expect(name="I am ready", enabled=True, seconds=30)
    stage.press(ready)
    stage.expect(name="Your hand", seconds=60)
    phrase = stage.expect(starts="Four words: ", seconds=30)
    print("the table's words:", phrase.get_name().removeprefix("Four words: "))
    done, presses, idle = 0, 0, 0
    while done < rounds:
        try:
            name = decide(stage, presses)
        except GLib.Error:
            name = None
        if name is None:
            idle += 1
            assert idle < 400, "nothing to do for too long"
            time.sleep(0.05)
            continue
        idle = 0
        presses += 1
        done += name in ("Next round", "Play again")
        time.sleep(0.1)
    print(f"{done} rounds with three peers over loopback, {presses} presses")
    complaints = stage.complaints()
    stage.close()
    for peer in peers:
        peer.kill()
        peer.wait()
    for folder in folders:
        folder.cleanup()
    assert not complaints, "\n".join(complaints)


def invite(stage):
    """The code stands under its title; it has dashes or spaces between groups."""
    row = stage.find(name="Your own code")
    for node in stage.nodes(row) if row else ():
        text = node.get_name() or ""
        if any(c.isdigit() or c.isupper() for c in text) and text not in ("Your own code", "Copy the code") and "not" not in text:
            return text
    return None


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
