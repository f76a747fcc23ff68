"""The end of a game among people: standings, the record saved, once more with the same people; whoever watched is not asked. Bots play until the end
is near; then the window takes one's seat with its folder. Run in a network namespace of its own."""

import sys
import tempfile

from gi.repository import GLib

from beside import Bot, wire
from stage import BUTTON, Stage
from table import be_ready, buttons, close, hand, is_enabled, play, press_named


def points(bot):
    """The most that anybody has."""
    sums = {}
    for event in bot.of("game"):
        scored = event["game"].get("scored") if isinstance(event["game"], dict) else None
        if scored:
            sums[scored["seat"]] = sums.get(scored["seat"], 0) + scored["points"]
    return max(sums.values(), default=0)


def main(pictures):
    wire("10.99.0.1")
    quick = ("--bot", "random", "--pace", "50")
    jana = Bot("Jana", "--create", "Night", *quick, network=())
    jana.wait('"reachable"')
    code = jana.of("reachable")[0]["invite"]
    bots = [jana] + [Bot(name, "--join", code, *quick, network=()) for name in ("Petr", "Radka")]
    while points(jana) < 5:
        jana.wait('"scored"', 120, len(jana.said))
    folders = [bot.kill() for bot in bots]
    print(f"near the end: {points(jana)} points")
    others = [Bot(bot.name, "--games", "2", *quick, folder=folder, network=()) for bot, folder in zip(bots[1:], folders[1:])]
    stage = Stage("--data-dir", str(jana.data), network=())
    press_named(stage, "Continue the interrupted game")
    stage.wait_for(lambda: hand(stage), "cards in hand", 90)
    kept = tempfile.TemporaryDirectory(prefix="shamans-gui-")
    eva = Stage("--data-dir", kept.name, player="Eva", network=())
    press_named(eva, "Watch Night")
    # The press is answered at once; a look at everything may come too late to see that.
    eva.wait_for(lambda: eva.find(name="Knocking…") or eva.find(name="Watching"), "an answer to the press", 10)
    eva.expect(name="Watching", seconds=60)

    def over():
        # A look at everything takes its time: only when there is nothing to decide.
        try:
            if any(is_enabled(node) for place in ("Decision", "Your hand", "Artefacts") for node in buttons(stage, place)):
                return False
        except GLib.Error:
            return False  # the screen changed while it was read
        if stage.find(name="Next round", role=BUTTON):
            stage.key("Return")
        return stage.find(name="Rematch", role=BUTTON)

    play([stage], over, 300)
    stage.expect(starts="Fair")
    if pictures:
        stage.picture(f"{pictures}/rematch-end.png")
    # Each round's end stays until it is read.
    eva.wait_for(lambda: eva.find(name="Save the record…", role=BUTTON) or (eva.find(name="Next round", role=BUTTON) and eva.key("Return")), "the end, watched", 90)
    assert eva.find(name="Rematch", role=BUTTON) is None, "whoever watched has no seat to play from again"
    if pictures:
        eva.picture(f"{pictures}/rematch-watched.png")
    press_named(stage, "Rematch")
    # Another table, with parts of its own.
    stage.places.clear()
    be_ready([stage])
    stage.wait_for(lambda: len(hand(stage)) == 9, "nine cards in hand", 60)
    print("the game is over, and the next one with the same people is dealt")
    close([stage, eva])
    kept.cleanup()
    for bot in others:
        bot.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
