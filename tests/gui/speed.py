"""How fast and how light the client is, as figures to look at. Nothing is asserted: they depend on the machine."""

import contextlib
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from gi.repository import GLib

from count import count
from practise import decide
from stage import Stage

TESTS = pathlib.Path(__file__).parent.parent
RECORDS, SCENARIOS = TESTS / "records", TESTS / "scenarios"
TICK = os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def running(program, **environment):
    """The process of a program on a screen of its own, with nothing kept from before."""
    ours, theirs = os.pipe()
    screen = subprocess.Popen(["Xvfb", "-displayfd", str(theirs), "-screen", "0", "1280x800x24", "-nolisten", "tcp"], pass_fds=[theirs], stderr=subprocess.DEVNULL)
    os.close(theirs)
    with os.fdopen(ours, encoding="ascii") as number:
        display = ":" + number.readline().strip()
    with tempfile.TemporaryDirectory() as home:
        environment = dict(os.environ, DISPLAY=display, XDG_CONFIG_HOME=home, XDG_DATA_HOME=home, GSK_RENDERER="cairo", **environment)
        process = subprocess.Popen(program, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        yield process
        process.kill()
        process.wait()
    screen.terminate()
    screen.wait()


def tells(program, lines):
    """So many lines of what the program says, and the seconds until each."""
    with tempfile.TemporaryDirectory() as folder, running(program, SHAMANS_WATCHDOG=f"{folder}/watch") as process:
        begun = time.monotonic()
        told = [(process.stdout.readline().strip(), time.monotonic() - begun) for _ in range(lines)]
    assert told[0][0] == "first frame", f"{program}: no frame"
    return told


def first_frame(program):
    """Seconds from the start of the program to its first frame."""
    return tells(program, 1)[0][1]


def figures(watch):
    """Waits for fresh ones, in milliseconds: longest without an answer, longest computing, slowest card, its frames, latest call; and the parts of the longest."""
    time.sleep(0.6)
    end = time.monotonic() + 10
    while True:
        try:
            lines = pathlib.Path(watch).read_text(encoding="ascii").splitlines()
            return [*map(float, lines[0].split()), lines[1]]
        except (FileNotFoundError, IndexError):
            assert time.monotonic() < end, "the watchdog says nothing"
            time.sleep(0.01)  # it is being written


def longest(*things):
    """In words: of these things, each done some times over. Computing is the client's own; what is without an answer beyond it was waiting, for the screen or
    for a machine that others use too. Doing the same again takes the same work, so of each thing the quickest time is nearest to what that work takes.
    """
    runs = [run for thing in things for run in thing]
    waited, computing, _, _, late, _ = zip(*runs)
    worst = max(runs, key=lambda run: run[1])
    parts = worst[5].split("frame ")[1].replace(" ", " + ")
    waited_undisturbed, computing_undisturbed = (max(min(run[which] for run in thing) for thing in things) for which in (0, 1))
    return (
        f"computing {max(computing):.1f} ms at most, {statistics.median(computing):.1f} usually, {computing_undisturbed:.1f} at most in the quickest of {len(things[0])} times, "
        f"in {len(runs)} runs (the longest: {parts} for changing, layout, painting); "
        f"without an answer {max(waited):.1f} at most, {statistics.median(waited):.1f} usually, {waited_undisturbed:.1f} in the quickest, "
        f"while a thread that only sleeps was up to {max(late):.1f} late, {statistics.median(late):.1f} usually"
    )


def ticks(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def busy(pid, seconds=5):
    """How much of a processor it takes, in hundredths."""
    before = ticks(pid)
    time.sleep(seconds)
    return (ticks(pid) - before) / TICK / seconds * 100


def memory(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0


def anew(watch):
    """Forgets what was."""
    pathlib.Path(watch).unlink(missing_ok=True)
    time.sleep(0.5)


def start():
    """The first frame, beside a window with nothing in it."""
    client, bare = os.environ["SHAMANS"], os.environ["SHAMANS_BARE"]
    pairs = [(first_frame([bare]), first_frame([client, "--listen", "127.0.0.1"])) for _ in range(9)]
    empty, ours = (statistics.median(times) for times in zip(*pairs))
    print(f"first frame: a bare window {empty * 1000:.0f} ms, the client {ours * 1000:.0f} ms ({ours / empty * 100 - 100:+.0f} %)")


def bare():
    """What the toolkit alone computes for a whole window in another colour, on this machine and just now."""
    frames = [float(line) for line, _ in tells([os.environ["SHAMANS_BARE"], "24"], 24)[4:]]
    print(f"a bare window painted whole: computing {max(frames):.1f} ms at most, {statistics.median(frames):.1f} usually, in {len(frames)} frames")


def deal():
    """Sitting down at a practise table, and the deal."""
    with tempfile.TemporaryDirectory() as folder:
        watch = os.environ["SHAMANS_WATCHDOG"] = f"{folder}/watch"
        dealt = []
        for _ in range(15):
            stage = Stage("--listen", "127.0.0.1", "--seed", "7", pace=2)
            time.sleep(2)
            button = stage.expect(name="Practise at a table of 5")
            anew(watch)
            stage.press(button)
            # Not looked at meanwhile: answering is work for the main thread too.
            time.sleep(5)
            dealt.append(figures(watch))
            stage.close()
        print("sitting down and the deal:", longest(dealt))
        del os.environ["SHAMANS_WATCHDOG"]


def after():
    """The page after a round of five who all hold cards."""
    with tempfile.TemporaryDirectory() as folder:
        watch = os.environ["SHAMANS_WATCHDOG"] = f"{folder}/watch"
        ended = []
        for _ in range(5):
            stage = Stage("--scenario", str(SCENARIOS / "end-1-moon-at-full-hands.txt"), "--as", "Jan", pace=2)
            stage.expect(name="Your hand", seconds=60)
            time.sleep(5)
            anew(watch)
            stage.key("1", "Return")
            # What happens is told at the pace of people.
            time.sleep(12)
            ended.append(figures(watch))
            assert stage.find(name="Next round"), "the round is not over"
            stage.close()
        print("the page after a round:", longest(ended))
        del os.environ["SHAMANS_WATCHDOG"]


def cards():
    """Some cards at a practise table."""
    with tempfile.TemporaryDirectory() as folder:
        watch = os.environ["SHAMANS_WATCHDOG"] = f"{folder}/watch"
        stage = Stage("--practise", "5", pace=2)
        stage.expect(name="Your hand", seconds=60)
        time.sleep(5)
        anew(watch)
        runs, pressed = [], 0
        end = time.monotonic() + 120
        while len(runs) < 12 and time.monotonic() < end:
            try:
                said = decide(stage, pressed)
            except GLib.Error:
                continue  # the screen changed while it was read
            pressed += said is not None
            if (said or "").startswith("Play "):
                time.sleep(1)
                runs.append(figures(watch))
                anew(watch)
            time.sleep(0.1)
        # None where the card had not settled yet.
        ways = [(run[2], run[3]) for run in runs if run[2] > 0]
        assert ways, "no card was played"
        times, frames = zip(*ways)
        print(
            f"{len(ways)} cards played: on screen in frame {max(frames):.0f} after settling at the latest, frame {statistics.median(frames):.0f} usually; "
            f"{max(times):.1f} ms at most, {statistics.median(times):.1f} usually (a frame is 16.7 ms); {longest(*([run] for run in runs))}"
        )
        stage.close()
        del os.environ["SHAMANS_WATCHDOG"]


def record():
    """Checking a record and turning its pages."""
    with tempfile.TemporaryDirectory() as folder:
        watch = os.environ["SHAMANS_WATCHDOG"] = f"{folder}/watch"
        keys = ["Right"] * 12 + ["End", "Home", "a"] + ["Page_Down"] * 4 + ["Left"] * 6
        verified, steps = [], [[] for _ in keys]
        for _ in range(5):
            stage = Stage(str(RECORDS / "away-and-back.record"), pace=2)
            anew(watch)
            stage.expect(starts="Fair", seconds=120)
            verified.append(figures(watch))
            for key, step in zip(keys, steps):
                anew(watch)
                stage.key(key)
                step.append(figures(watch))
            stage.close()
        print("verifying:", longest(verified))
        print("steps of a record:", longest(*steps))
        del os.environ["SHAMANS_WATCHDOG"]


def idle():
    """The start page, and a table that waits for its player, left alone."""
    for where, options, there in (("start page", ("--listen", "127.0.0.1"), "Practise at a table of 5"), ("a table that waits for you", ("--practise", "5", "--seed", "7"), "Your hand")):
        stage = Stage(*options)
        stage.expect(name=there, seconds=60)
        time.sleep(20)
        print(f"{where}, nothing happens: {busy(stage.process.pid):.1f} % of a processor")
        stage.close()


def game():
    """A whole game, with all its deals and their checks, and what is left of it."""
    with tempfile.TemporaryDirectory() as folder:
        watch = os.environ["SHAMANS_WATCHDOG"] = f"{folder}/watch"
        stage = Stage("--practise", "5", "--seed", "7")
        end, presses = time.monotonic() + 900, 0
        while time.monotonic() < end:
            try:
                pressed = decide(stage, presses)
            except GLib.Error:
                continue
            if pressed == "Play again":
                break
            presses += pressed is not None
            time.sleep(0.05)
        else:
            raise AssertionError(f"the game has not ended after {presses} presses")
        # Asked for its widgets all along, which is work for the main thread too.
        print(f"a whole game ({presses} presses), read by the driver all along: {longest([figures(watch)])}")
        print(f"after it: {memory(stage.process.pid):.0f} MB")
        stage.close()
        del os.environ["SHAMANS_WATCHDOG"]


PARTS = {"start": start, "bare": bare, "deal": deal, "after": after, "cards": cards, "record": record, "idle": idle, "game": game, "count": lambda: count(running)}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
