"""The language: the system's at first, the player's choice at once, in the middle of a game, and again after a restart."""

import configparser
import pathlib
import time

from names import scenario
from stage import Atspi, Stage
from table import open_table, say


def choose(stage, row, downs):
    """Opens the preferences and goes down so many languages."""
    stage.key("ctrl+comma")
    node = stage.expect(name=row)
    time.sleep(0.5)
    window = stage.newest()
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
    # The rules lie open beside it.
    stage.key("F1")
    stage.expect(name="Search the rules")
    choose(stage, "Language", 2)
    stage.expect(name="Hledat v pravidlech")
    assert not stage.find(name="Search the rules"), "the rules in the old language are still there"
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

    # The page after a round stays that page.
    args, keys = scenario("end-7-new-round", 1)
    stage = Stage(*args)
    stage.expect(name="Your hand")
    time.sleep(1)
    stage.key(*keys)
    stage.expect(name="Next round")
    choose(stage, "Language", 2)
    stage.press(stage.expect(name="Další kolo"))
    stage.expect(name="Tvoje karty")
    stage.close()

    # In the room before play nothing that was said is lost.
    stage, _ = open_table(3)
    say(stage, "Hello")
    stage.expect(name="You: Hello")
    choose(stage, "Language", 2)
    stage.expect(starts="Místo 1: ")
    stage.expect(name="You: Hello")
    stage.close()

    # The choice wins over the system.
    stage = Stage(language="ru", system_language="de")
    stage.expect(name="Главное меню")
    stage.close()
    print("language: system, choice in a running game and in a room, choice kept")


if __name__ == "__main__":
    main()
