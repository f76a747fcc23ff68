"""The longest blocks of the main thread, counted in instructions instead of timed: the same on a machine that others slow down.

Valgrind runs the client and tells what each turn of the main loop took. What the machine does in a millisecond comes from the client's own start, counted and, some
times over, timed. Work of the kernel is in the time and not in the count, so the milliseconds are an estimate.
"""

import os
import pathlib
import subprocess
import tempfile
import time

from stage import Stage

RECORD = pathlib.Path(__file__).parent.parent / "records" / "away-and-back.record"
# The application's own turn; other threads have loops of other kinds.
TURN = "g_main_context_iteration"


def counted(folder, *options):
    """A program in the folder that runs the client under Valgrind."""
    program = pathlib.Path(folder, "counted")
    line = ["exec", "valgrind", "-q", "--tool=callgrind", "--separate-threads=yes", f"--callgrind-out-file={folder}/out", *options, os.environ["SHAMANS"], '"$@"']
    program.write_text("#!/bin/sh\n" + " ".join(line) + "\n", encoding="ascii")
    program.chmod(0o755)
    return str(program)


def control(order, pid):
    subprocess.run(["callgrind_control", order, str(pid)], check=True, capture_output=True)


def turns(folder):
    """Millions of instructions of each turn of the main thread, which is the first."""
    totals = []
    for part in pathlib.Path(folder).glob("out*-01"):
        for line in part.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("totals:"):
                totals.append(int(line.split()[1]) / 1e6)
        part.unlink()
    return totals


class Counted(Stage):
    """A client under Valgrind: all takes longer."""

    def wait_for(self, look, what, seconds=20):
        return super().wait_for(look, what, seconds * 15)


def longest(stage, folder, act, seconds):
    """Of all turns from this act on."""
    turns(folder)
    control("--instr=on", stage.process.pid)
    act()
    time.sleep(seconds)
    control("--instr=off", stage.process.pid)
    return max(turns(folder))


def rate(running):
    """Millions of instructions in a millisecond of the client's start, the best of some: others can only slow it down."""
    client = [os.environ["SHAMANS"], "--listen", "127.0.0.1", "--no-mdns"]
    timed = []
    for _ in range(7):
        with running(client) as process:
            time.sleep(4)
            timed.append(processor_time(process.pid))
    with tempfile.TemporaryDirectory() as folder, running([counted(folder), *client[1:]]) as process:
        time.sleep(60)
        control("--dump", process.pid)
        return sum(turns(folder)) / min(timed)


def processor_time(pid):
    """Milliseconds that the main thread has computed."""
    return int(pathlib.Path(f"/proc/{pid}/task/{pid}/schedstat").read_text(encoding="ascii").split()[0]) / 1e6


def count(running):
    """Prints the longest turns of a deal and of turning the pages of a record."""
    speed = rate(running)
    print(f"this machine, undisturbed: {speed:.1f} million instructions in a millisecond of the client's start", flush=True)

    def tell(what, most):
        print(f"{what}: the longest turn of the main loop has {most:.1f} million instructions, about {most / speed:.1f} ms", flush=True)

    real = os.environ["SHAMANS"]
    with tempfile.TemporaryDirectory() as folder:
        program = counted(folder, "--instr-atstart=no", f"--dump-before={TURN}")
        os.environ["SHAMANS"] = program
        stage = Counted("--seed", "7", pace=2)
        button = stage.expect(name="Practise at a table of 5")
        # All that is made ready beforehand takes its time too.
        time.sleep(15)
        tell("sitting down and the deal", longest(stage, folder, lambda: stage.press(button), 60))
        stage.close()
        stage = Counted(str(RECORD), pace=2)
        stage.expect(starts="Fair")
        for key in ("Right", "Right", "End", "Home", "a", "Page_Down"):
            tell(f"{key} in a record", longest(stage, folder, lambda key=key: stage.key(key), 15))
        stage.close()
        os.environ["SHAMANS"] = real
