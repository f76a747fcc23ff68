"""Hears what programs on this session bus tell the desktop to show."""

import pathlib
import subprocess
import sys
import tempfile
import time

import looks
from catalogue import english

SERVER = "org.freedesktop.Notifications"
TAKEN_BACK = "taken back"


class Bell:
    """Takes the place of the desktop's notifications."""

    def __init__(self):
        self.file = tempfile.NamedTemporaryFile("w+", prefix="shamans-bell-", suffix=".txt")
        self.process = subprocess.Popen([sys.executable, __file__, self.file.name])
        end = time.monotonic() + 20
        while not pathlib.Path(self.file.name).read_text(encoding="utf-8"):
            assert time.monotonic() < end, "the bell does not hang"
            time.sleep(0.05)

    def _heard(self):
        return pathlib.Path(self.file.name).read_text(encoding="utf-8").splitlines()[1:]

    def rung(self):
        """Title and text of the last notification, or None."""
        rung = [line for line in self._heard() if line != TAKEN_BACK]
        return tuple(english(looks.LANGUAGE, text) for text in rung[-1].split("\t")) if rung else None

    def taken_back(self):
        """Is the last one withdrawn?"""
        return self._heard()[-1:] == [TAKEN_BACK]


def serve(path):
    """Writes down every notification."""
    import os
    import signal

    from gi.repository import Gio, GLib

    # Goes with the test that hung it up.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    parent = os.getppid()
    note = Gio.DBusNodeInfo.new_for_xml(
        f"""<node><interface name="{SERVER}">
        <method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
        <arg type="s" direction="in"/><arg type="as" direction="in"/><arg type="a{{sv}}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/></method>
        <method name="CloseNotification"><arg type="u" direction="in"/></method>
        <method name="GetCapabilities"><arg type="as" direction="out"/></method>
        <method name="GetServerInformation"><arg type="s" direction="out"/><arg type="s" direction="out"/><arg type="s" direction="out"/><arg type="s" direction="out"/></method>
        </interface></node>"""
    )
    said = open(path, "a", encoding="utf-8")

    def write(line):
        said.write(line + "\n")
        said.flush()

    def called(_bus, _sender, _path, _interface, method, given, invocation):
        if method == "Notify":
            _, _, _, title, text, *_ = given.unpack()
            write(f"{title}\t{text}")
            invocation.return_value(GLib.Variant("(u)", (1,)))
        elif method == "CloseNotification":
            write(TAKEN_BACK)
            invocation.return_value(None)
        elif method == "GetCapabilities":
            invocation.return_value(GLib.Variant("(as)", (["body"],)))
        elif method == "GetServerInformation":
            invocation.return_value(GLib.Variant("(ssss)", ("bell", "shamans", "1", "1.2")))
        else:
            invocation.return_value(None)

    loop = GLib.MainLoop()
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    bus.register_object("/org/freedesktop/Notifications", note.interfaces[0], called, None, None)
    Gio.bus_own_name_on_connection(bus, SERVER, Gio.BusNameOwnerFlags.NONE, lambda *_: write("here"), None)
    GLib.timeout_add_seconds(1, lambda: os.getppid() == parent or loop.quit())
    loop.run()


if __name__ == "__main__":
    serve(sys.argv[1])
