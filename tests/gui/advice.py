"""A hint is asked for and followed; after the round its turns are told, and one of them is looked at again."""

import time

from gi.repository import GLib

from practise import choose, parts
from stage import BUTTON, Stage, is_enabled


def cards(stage):
    """The cards of the hand, by name, with what is said of them."""
    hand = parts(stage)[2]
    return {node.get_name(): (node.get_description() or "", node) for node in stage.nodes(hand) if node.get_role() == BUTTON}


def ask(stage):
    """Asks for advice by key; gives the advised card."""
    stage.wait_for(lambda: any(is_enabled(node) for _, node in cards(stage).values()), "the first card")
    assert not [name for name, (said, _) in cards(stage).items() if "Advised." in said], "nothing is advised unasked"
    stage.key("a")
    advice = stage.expect(starts="Advice: ").get_name()
    why = stage.expect(starts="With it you win the game about ").get_name()
    assert "For it: " in why or "Against it: " in why, why
    advised = [name for name, (said, _) in cards(stage).items() if said.startswith("Advised.")]
    assert len(advised) == 1 and advice.endswith(f" {advised[0]}."), f"{advice} marks {advised}"
    assert stage.find(name="Hint", enabled=True) is None, "what was said need not be asked again"
    print(f"{advice} {why!r}")
    return advised[0]


def look_back(stage):
    """The story of the round that is over, and the moment of its first turn."""
    stage.press(stage.expect(name="How the round turned", role=BUTTON))
    curve = stage.expect(starts="The Shadows' chance to win the round: ", seconds=120)
    assert stage.find(name="Next round", enabled=True) or stage.find(name="Play again"), "the way on is open"
    turns = [node for node in stage.nodes() if "The Shadows' chance goes from " in (node.get_name() or "")]
    assert 1 <= len(turns) <= 5, f"{len(turns)} turns"
    print(f"{curve.get_name()!r}; {[node.get_name() for node in turns]}")
    stage.press(turns[0])
    place = stage.wait_for(lambda: next((node for node in stage.nodes() if ", step " in (node.get_name() or "")), None), "the record")
    stage.wait_for(lambda: stage.find(name="Open hands"), "all hands open")
    print(f"the first turn: {place.get_name()}")


def main():
    stage = Stage("--practise", "3", "--seed", "5", strength=0)
    advised = ask(stage)
    stage.press(cards(stage)[advised][1])
    stage.press(stage.expect(name=f"Play {advised}"))
    stage.wait_for(lambda: stage.find(starts="Advice: ") is None, "advice that is over to go")
    pressed, idle = 0, 0
    while True:
        assert stage.process.poll() is None, f"the client has ended: {stage.complaints()}"
        try:
            name = choose(stage, pressed)
        except GLib.Error:
            name = None  # the screen changed while it was read
        if name is None and stage.find(name="How the round turned", role=BUTTON):
            break
        idle = 0 if name else idle + 1
        assert idle < 200, "nothing to do for too long"
        pressed += bool(name)
        time.sleep(0.1)
    look_back(stage)
    complaints = stage.complaints()
    stage.close()
    assert not complaints, "\n".join(complaints)


if __name__ == "__main__":
    main()
