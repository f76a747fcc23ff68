"""The language: the system's at first, the player's choice at once, in the middle of a game, and again after a restart."""

import configparser
import pathlib
import time

from stage import Stage


def windows(stage):
    return stage._x(["xdotool", "search", "--onlyvisible", "--pid", str(stage.process.pid)]).stdout.split()


def press(stage, window, *keys):
    stage._x(["xdotool", "windowfocus", window, "key", *keys])
    time.sleep(0.4)


def choose(stage, row, downs):
    """Opens the preferences and goes down so many languages."""
    stage.key("ctrl+comma")
    node = stage.expect(name=row)
    before = set(windows(stage))
    node.get_component_iface().grab_focus()
    preferences = [window for window in before if window != stage.window][-1]
    press(stage, preferences, "Return")
    press(stage, preferences, *["Down"] * downs, "Return")


def main():
    # The system asks for German.
    stage = Stage("--practise", "3", "--seed", "7", system_language="de")
    stage.expect(name="Deine Hand")
    stage.expect(name="Hauptmenü")
    stage.close()

    # The player chooses Czech while a game goes on.
    stage = Stage("--practise", "3", "--seed", "7")
    hand = stage.expect(name="Your hand")
    stage.wait_for(lambda: hand.clear_cache() or hand.get_child_count() == 9, "nine cards in hand", 40)
    choose(stage, "Language", 2)
    hand = stage.expect(name="Tvoje karty")
    stage.wait_for(lambda: hand.clear_cache() or hand.get_child_count() == 9, "the same nine cards, in Czech")
    stage.expect(name="Hlavní nabídka")
    stage.expect(name="Jazyk")
    assert not stage.find(name="Your hand"), "the old window is still there"
    kept = configparser.ConfigParser()
    kept.read(pathlib.Path(stage.folder.name, "config", "shamans", "preferences.ini"))
    assert kept["preferences"]["language"] == "cs", "the choice is not kept"
    complaints = stage.complaints()
    stage.close()
    assert not complaints, "\n".join(complaints)

    # The choice wins over the system.
    stage = Stage(language="ru", system_language="de")
    stage.expect(name="Главное меню")
    stage.close()
    print("language: system, choice in a running game, choice kept")


if __name__ == "__main__":
    main()
