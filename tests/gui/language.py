"""The language: the system's at first, the player's choice at once, in the middle of a game, and again after a restart."""

import configparser
import pathlib
import time

from stage import Atspi, Stage


def choose(stage, row, downs):
    """Opens the preferences and goes down so many languages."""
    stage.key("ctrl+comma")
    node = stage.expect(name=row)
    time.sleep(0.5)
    command = ["xdotool", "search", "--onlyvisible", "--pid", str(stage.process.pid)]
    window = next(one for one in stage._x(command).stdout.split() if one != stage.window)
    # Rows have no action of their own: a click in the middle of it opens the list.
    box = Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW)
    place = [str(box.x + box.width // 2 + 5), str(box.y + box.height // 2 + 5)]
    stage._x(["xdotool", "windowfocus", window, "mousemove", "--window", window, *place, "click", "1"])
    for key in [*["Down"] * downs, "Return"]:
        time.sleep(0.4)
        stage._x(["xdotool", "key", key])


def main():
    # The system asks for German.
    stage = Stage("--practise", "3", "--seed", "7", system_language="de")
    stage.expect(name="Deine Hand")
    stage.expect(name="Hauptmenü")
    stage.close()

    # The player chooses Czech while a game goes on.
    stage = Stage("--practise", "3", "--seed", "7")
    hand = stage.expect(name="Your hand")
    stage.wait_for(lambda: hand.get_child_count() == 9, "nine cards in hand", 40)
    choose(stage, "Language", 2)
    hand = stage.expect(name="Tvoje karty")
    stage.wait_for(lambda: hand.get_child_count() == 9, "the same nine cards, in Czech")
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
