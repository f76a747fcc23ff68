"""What is heard: a player of sounds that only writes down what it is given. One switch turns all of it off."""

import os
import pathlib
import tempfile

from stage import Stage


def heard(log):
    return log.read_text(encoding="utf-8").split() if log.exists() else []


def play_a_card(stage):
    hand = stage.expect(name="Your hand")
    stage.wait_for(lambda: hand.get_child_count() == 9, "nine cards in hand", 60)
    stage.wait_for(lambda: stage.find(starts="Your turn") or stage.find(starts="You are the Guide"), "the player's turn", 60)
    stage.key("1")
    stage.expect(starts="Play ", seconds=60)
    stage.key("Return")
    stage.wait_for(lambda: hand.get_child_count() == 8, "the card played", 60)


def main():
    with tempfile.TemporaryDirectory(prefix="shamans-ears-") as folder:
        log = pathlib.Path(folder, "heard")
        player = pathlib.Path(folder, "pw-play")
        player.write_text(f'#!/bin/sh\necho "${{1##*/}}" >> {log}\n', encoding="utf-8")
        player.chmod(0o755)
        os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"

        stage = Stage("--practise", "3", "--seed", "7", sound="true")
        play_a_card(stage)
        stage.wait_for(lambda: {"turn.wav", "card.wav"} <= set(heard(log)), "a turn and a card to be heard")
        stage.close()
        print("heard:", ", ".join(sorted(set(heard(log)))))

        log.unlink()
        stage = Stage("--practise", "3", "--seed", "7", sound="false")
        play_a_card(stage)
        stage.close()
        assert not heard(log), f"switched off, and still: {heard(log)}"


if __name__ == "__main__":
    main()
