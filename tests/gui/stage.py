"""A client on a screen in memory, driven by what a screen reader sees.

Started inside `dbus-run-session`; each client gets a screen of its own, and of the network only loopback. Every look goes through AT-SPI, every press through its
actions or a real key.
"""

import atexit
import ctypes
import os
import pathlib
import subprocess
import tempfile
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

import looks  # noqa: E402
from catalogue import english  # noqa: E402

# Of the network only loopback.
LOOPBACK = ("--listen", "127.0.0.1", "--no-mdns")
BUTTON = Atspi.Role.PUSH_BUTTON
TOGGLE = Atspi.Role.TOGGLE_BUTTON

if looks.LANGUAGE != "en":
    # Tests know what is said in English, whatever the language of the window.
    said = Atspi.Accessible.get_name
    Atspi.Accessible.get_name = lambda node: english(looks.LANGUAGE, said(node) or "")


class Stage:
    """One running client."""

    def __init__(self, *args, size=looks.SIZE, folder=None, network=LOOPBACK, **preferences):
        """`folder`: that of a client that was killed, to start it again. `network`: options about it."""
        self.folder = folder or tempfile.TemporaryDirectory(prefix="shamans-gui-")
        preferences = looks.PREFERENCES | preferences
        contrast = preferences.pop("contrast", False)
        text_scale = preferences.pop("text_scale", 1)
        # What the system asks for; the preferences may choose another.
        system_language = preferences.pop("system_language", "en")
        config = pathlib.Path(self.folder.name, "config")
        (config / "gtk-4.0").mkdir(parents=True, exist_ok=True)
        (config / "gtk-4.0" / "settings.ini").write_text("[Settings]\ngtk-font-name=Cantarell 11\n")
        (config / "shamans").mkdir(exist_ok=True)
        kept = {"player": "Jana", "pace": 0, "trick-hold": 0, "sound": "false"}
        kept.update({key.replace("_", "-"): value for key, value in preferences.items()})
        lines = "".join(f"{key}={value}\n" for key, value in kept.items())
        (config / "shamans" / "preferences.ini").write_text("[preferences]\n" + lines)
        ours, theirs = os.pipe()
        shape = f"{size[0]}x{size[1]}x24"
        command = ["Xvfb", "-displayfd", str(theirs), "-screen", "0", shape, "-nolisten", "tcp", "-noreset"]
        self.screen = subprocess.Popen(command, pass_fds=[theirs], stderr=subprocess.DEVNULL)
        os.close(theirs)
        # A test that fails leaves nothing behind.
        atexit.register(self.screen.kill)
        with os.fdopen(ours, encoding="ascii") as number:
            self.display = ":" + number.readline().strip()
        if text_scale != 1:
            # The toolkit asks the screen, and not its own settings file, how large text is.
            self._x(["xprop", "-root", "-f", "RESOURCE_MANAGER", "8s", "-set", "RESOURCE_MANAGER", f"Xft.dpi: {96 * text_scale}"])
        environment = dict(os.environ, DISPLAY=self.display, XDG_CONFIG_HOME=str(config), XDG_DATA_HOME=self.folder.name, GSK_RENDERER="cairo", LC_ALL="C.UTF-8", LANGUAGE=system_language)
        if contrast:
            environment["ADW_DEBUG_HIGH_CONTRAST"] = "1"
        self.errors = open(pathlib.Path(self.folder.name, "stderr"), "w+", encoding="utf-8")
        self.args = args
        for attempt in (1, 2):
            self.process = subprocess.Popen([os.environ["SHAMANS"], *network, *args], env=environment, stderr=self.errors)
            atexit.register(self.process.kill)
            try:
                self.app = self.wait_for(self._app, "the client on the accessibility bus", 12)
                break
            except AssertionError:
                # The registry sometimes misses a newcomer on a busy machine; once more, then it is ours.
                self.process.kill()
                self.process.wait(60)
                if attempt == 2:
                    self.screen.kill()
                    raise
        # What the library keeps of a program that opens windows can have the program among its own children.
        self.app.set_cache_mask(Atspi.Cache.NONE)
        self.window = self.wait_for(self._window, "a window")
        self._x(["xdotool", "windowmove", self.window, "0", "0", "windowsize", self.window, str(size[0]), str(size[1])])
        self._x(["xdotool", "mousemove", str(size[0] - 1), str(size[1] - 1)])
        time.sleep(0.6)

    def _x(self, command):
        environment = dict(os.environ, DISPLAY=self.display)
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    def _app(self):
        desktop = Atspi.get_desktop(0)
        desktop.set_cache_mask(Atspi.Cache.NONE)
        for i in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(i)
            if child and child.get_process_id() == self.process.pid and child.get_child_count():
                return child
        return None

    def _window(self):
        out = self._x(["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)])
        return out.stdout.split()[0] if out.stdout.split() else None

    def newest(self):
        """The window that was opened last."""
        out = self._x(["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)])
        return max(out.stdout.split(), key=int, default=None)

    def wait_for(self, look, what, seconds=20):
        """Polls: effects come a little after the press."""
        end = time.monotonic() + seconds
        while True:
            assert self.process.poll() is None, f"the client has ended ({self.process.poll()}) while waiting for {what}: {self.complaints()}"
            try:
                found = look()
            except gi.repository.GLib.Error:
                found = None  # the node went away while it was read
            if found:
                return found
            assert time.monotonic() < end, f"waited {seconds} s for {what}"
            # Looking costs the client time too: not all the time.
            time.sleep(0.15)

    def nodes(self, root=None, within_buttons=True):
        """Everything shown, in reading order; on demand without the insides of buttons, which have names of their own."""
        root = root or self.app
        waiting = [root]
        while waiting:
            node = waiting.pop()
            try:
                if node is not root and node.get_role() != Atspi.Role.APPLICATION and not node.get_state_set().contains(Atspi.StateType.VISIBLE):
                    continue
                yield node
                if not within_buttons and node.get_role() == BUTTON:
                    continue
                waiting.extend(child for i in reversed(range(node.get_child_count())) if (child := node.get_child_at_index(i)))
            except gi.repository.GLib.Error:
                continue

    def find(self, name=None, role=None, starts=None, ends=None, enabled=None):
        """The first node that fits, or None."""
        for node in self.nodes():
            own = node.get_name() or ""
            if name is not None and own != name:
                continue
            if starts is not None and not own.startswith(starts):
                continue
            if ends is not None and not own.endswith(ends):
                continue
            if role is not None and node.get_role() != role:
                continue
            if enabled is not None and is_enabled(node) != enabled:
                continue
            return node
        return None

    def expect(self, **what):
        """Waits for a node."""
        seconds = what.pop("seconds", 20)
        try:
            return self.wait_for(lambda: self.find(**what), str(what), seconds)
        except AssertionError as missing:
            there = [node.get_name() for node in self.nodes() if node.get_role() == BUTTON]
            raise AssertionError(f"{missing}; buttons there: {there}") from None

    def press(self, node):
        """What a screen reader's user does. False if the widget has gone meanwhile."""
        action = node.get_action_iface()
        return action is not None and action.do_action(0)

    def key(self, *keys):
        """A real key press."""
        self._x(["xdotool", "windowfocus", self.window, "key", *keys])

    def look_away(self):
        """Another window is in front: a small one of our own. The root would not do, with the pointer above the client."""
        x = ctypes.CDLL("libX11.so.6")
        x.XOpenDisplay.restype = ctypes.c_void_p
        screen = ctypes.c_void_p(x.XOpenDisplay(self.display.encode()))
        other = x.XCreateSimpleWindow(screen, x.XDefaultRootWindow(screen), 0, 0, 1, 1, 0, 0, 0)
        x.XMapWindow(screen, other)
        x.XSync(screen, 0)
        x.XSetInputFocus(screen, other, 2, 0)
        x.XSync(screen, 0)

    def type(self, text):
        """Letters, as from a keyboard."""
        self._x(["xdotool", "windowfocus", self.window, "type", "--delay", "20", text])

    def hold(self, key):
        """Presses a key and keeps it down."""
        self._x(["xdotool", "windowfocus", self.window, "keydown", key])

    def let_go(self, key):
        """Lets a key up."""
        self._x(["xdotool", "keyup", key])

    def picture(self, path):
        """What the screen shows; the look is added to the picture's name."""
        path = pathlib.Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path = path.with_stem("-".join(filter(None, (path.stem, looks.LOOK))))
        self._x(["import", "-window", "root", str(path)])

    def complaints(self):
        """What the toolkit said about us."""
        self.errors.flush()
        text = pathlib.Path(self.errors.name).read_text(encoding="utf-8")
        # Nobody shows notifications on this screen.
        lines = [line for line in text.splitlines() if "org.freedesktop.Notifications" not in line]
        return [line for line in lines if "WARNING" in line or "CRITICAL" in line or "panicked" in line]

    def kill(self):
        """Ends this client as a crash would; its folder stays, to start it again."""
        self.process.kill()
        self.process.wait(60)
        self.screen.terminate()
        self.screen.wait(60)
        self.errors.close()
        return self.folder

    def close(self):
        """Ends this client."""
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            # On a busy machine saying goodbye to the network may take its time; no test is about that.
            self.process.kill()
            self.process.wait(10)
        self.screen.terminate()
        self.screen.wait(60)
        self.errors.close()
        self.folder.cleanup()


def is_enabled(node):
    """May it be pressed?"""
    return node.get_state_set().contains(Atspi.StateType.SENSITIVE)


# How the way on from what is chosen begins, and what begins like it.
CONFIRMS = ("Play ", "Pass ", "Take ", "Eliminate ", "Swap identities with ")
ANSWERS = ("Take an artefact", "Eliminate nobody")


def confirms(name):
    """Is a button of this name the way on from what is chosen?"""
    return name.startswith(CONFIRMS) and name not in ANSWERS
