"""Players without a window beside those with one: bots, and people who type. Real programs with real keys on the same network."""

import atexit
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time

from stage import LOOPBACK

PROGRAM = os.environ.get("SHAMANS_TABLE") or str(pathlib.Path(os.environ["SHAMANS"]).parent / "shamans-table")


def wire(ip):
    """A network of our own with this address, in a namespace of our own."""
    for line in ("link add shamans0 type veth peer name shamans1", f"addr add {ip}/24 dev shamans0", "link set shamans0 up", "link set shamans1 up"):
        subprocess.run(["ip", *line.split()], check=True)


class Beside:
    """A program in the terminal and what it has said."""

    def __init__(self, command, name, *args, network=LOOPBACK, folder=None, inside=()):
        """`inside`: a command that starts others elsewhere, in another network for example."""
        self.name = name
        self.folder = folder or tempfile.TemporaryDirectory(prefix="shamans-beside-")
        self.data = pathlib.Path(self.folder if isinstance(self.folder, (str, pathlib.Path)) else self.folder.name, "data")
        named = ["--name", name] if command != "relay" else []
        command = [*inside, PROGRAM, command, *named, "--data-dir", str(self.data), *network, *args]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=dict(os.environ, LC_ALL="C.UTF-8", LANGUAGE="en"))
        atexit.register(self.process.kill)
        self.said = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.process.stdout:
            self.said.append(line.rstrip("\n"))
            self.on_line(self.said[-1])

    def on_line(self, line):
        """For those who answer."""

    def wait(self, text, seconds=40, start=0):
        """Until a line with this text has been said."""
        end = time.monotonic() + seconds
        while True:
            for at, line in enumerate(self.said[start:], start):
                if text in line:
                    return at
            assert time.monotonic() < end, f"{self.name} did not say {text!r} within {seconds} s; the last: {self.said[-6:]}"
            time.sleep(0.05)

    def kill(self):
        """As a crash would; its folder stays."""
        self.process.kill()
        self.process.wait(60)
        return self.folder

    def close(self):
        """Goes, and says so."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()
        if hasattr(self.folder, "cleanup"):
            self.folder.cleanup()


class Bot(Beside):
    """Plays by itself and tells everything as JSON."""

    def __init__(self, name, *args, **more):
        super().__init__("peer", name, "--json", *args, **more)

    def of(self, kind):
        """All events of a kind."""
        events = [json.loads(line) for line in list(self.said) if line.startswith("{")]
        return [event for event in events if event["event"] == kind]


class Person(Beside):
    """Types. Is ready when asked, and takes the first choice when it is their turn, unless held back."""

    def __init__(self, name, *args, **more):
        self.plays = True
        self.turn = False
        super().__init__("play", name, *args, **more)

    def type(self, line):
        """A line on the keyboard."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def on_line(self, line):
        if line.startswith("Press Enter when"):
            self.type("")
        if line == "Your turn:":
            self.turn = True
            if self.plays:
                self.play()

    def play(self):
        """The first choice there is."""
        self.turn = False
        self.type("1")
