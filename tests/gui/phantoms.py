"""Phantoms at practise tables: chosen by keys, marked at their seats, kept with the game, and advised and told about like everyone else.

PHA-1: one bot and one phantom, through a whole round; and alone with two phantoms.
"""

import re
import time

from gi.repository import GLib

from advice import ask, cards, look_back
from practise import choose
from stage import BUTTON, Stage, is_enabled
from table import press_named, set_option

MARK = "phantom, nobody knows its cards"
NUMBERS = ["0", "1", "2", "3", "4"]


def seats(stage):
    """What is said of each seat, the player's own aside."""
    said = [node.get_name() or "" for node in stage.nodes()]
    return [text for text in said if re.match(r".+, \d+ cards?, \d+ points?", text) and not text.startswith("Jana")]


def check_seats(stage, bots, phantoms):
    """So many of each, and no seat is both."""
    stage.wait_for(lambda: len(seats(stage)) == bots + phantoms, "the others' seats")
    marked = [text for text in seats(stage) if MARK in text]
    run = [text for text in seats(stage) if text.endswith(", bot") or ", bot," in text]
    assert len(marked) == phantoms and len(run) == bots and not set(marked) & set(run), seats(stage)
    assert all(text.startswith("Phantom ") for text in marked), marked
    assert len({text.split(",")[0] for text in marked}) == phantoms, f"phantoms with one name: {marked}"


def first_card(stage):
    """The player is asked for a card."""
    stage.wait_for(lambda: any(is_enabled(node) for _, node in cards(stage).values()), "the first card", 60)


def play_round(stage):
    """Makes decisions until the round is over; gives how many."""
    pressed = idle = 0
    while True:
        assert stage.process.poll() is None, f"the client has ended: {stage.complaints()}"
        try:
            name = choose(stage, pressed)
        except GLib.Error:
            name = None  # the screen changed while it was read
        if name is None and stage.find(name="How the round turned", role=BUTTON):
            return pressed
        idle = 0 if name else idle + 1
        assert idle < 200, "nothing to do for too long"
        pressed += bool(name)
        time.sleep(0.1)


def table_of(stage, seats):
    return stage.expect(name=f"Practise at a table of {seats}", role=BUTTON)


def end(stage):
    complaints = stage.complaints()
    stage.close()
    assert not complaints, "\n".join(complaints)


def one_of_each():
    stage = Stage("--seed", "5", strength=0)
    assert table_of(stage, 3).get_description().startswith("You, 2 bots · "), table_of(stage, 3).get_description()
    set_option(stage, "Phantoms", "1", NUMBERS)
    stage.wait_for(lambda: table_of(stage, 3).get_description().startswith("You, 1 bot, 1 phantom · "), "the choice at the button")
    stage.press(table_of(stage, 3))
    first_card(stage)
    check_seats(stage, 1, 1)
    advised = ask(stage)
    stage.press(cards(stage)[advised][1])
    press_named(stage, f"Play {advised}")
    stage.wait_for(lambda: advised not in cards(stage), "the card to go")
    # The program dies, and the game goes on with the same phantom.
    left = set(cards(stage))
    stage = Stage(folder=stage.kill(), strength=0, phantoms=0)
    stage.expect(name="With Petr, Phantom 3")
    stage.press(stage.expect(name="Go on with your last practise game", role=BUTTON))
    stage.wait_for(lambda: set(cards(stage)) == left, "the same cards")
    check_seats(stage, 1, 1)
    pressed = play_round(stage)
    stage.expect(starts="Fair, checked by your computer")
    look_back(stage)
    print(f"one bot and one phantom: {pressed} presses after the game was taken up again")
    end(stage)


def alone():
    stage = Stage("--practise", "3", "--seed", "9", phantoms=4)
    first_card(stage)
    check_seats(stage, 0, 2)
    pressed = play_round(stage)
    stage.expect(starts="Fair, checked by your computer")
    print(f"alone with two phantoms: {pressed} presses")
    end(stage)


def main():
    one_of_each()
    alone()


if __name__ == "__main__":
    main()
