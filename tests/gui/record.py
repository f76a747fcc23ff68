"""A record is opened, checked and read step by step, back and forth, from one seat and from all; a tampered one is named as such."""

import pathlib

from gi.repository import GLib

from stage import Stage

RECORDS = pathlib.Path(__file__).parent.parent / "records"


def step(stage):
    """The step that the reader is at. Its button stays, so it is looked up once."""
    if not hasattr(stage, "place"):
        stage.place = next((node for node in stage.nodes() if ", step " in (node.get_name() or "")), None)
        if stage.place is None:
            del stage.place
            return None
    return int(stage.place.get_name().rsplit(" ", 1)[1])


def turn(stage, button):
    """Presses until the page has changed."""
    before = step(stage)
    known = stage.__dict__.setdefault("known", {})
    if button not in known:
        known[button] = stage.expect(name=button, enabled=True)
    stage.press(known[button])
    stage.wait_for(lambda: step(stage) not in (None, before), f"another page after {button!r}")
    return step(stage)


def read_through():
    stage = Stage(str(RECORDS / "voided.record"))
    stage.expect(starts="Fair", seconds=120)
    first = stage.wait_for(lambda: step(stage), "the first page")
    # The deal, the draws, the first card: some pages on.
    seen = [turn(stage, "Step forward") for _ in range(8)]
    assert seen == sorted(set(seen)), f"pages go forward: {seen}"
    stage.expect(starts="Shadow path: ")
    assert stage.find(name="Open hands") is None, "nobody's hand is shown before it is asked for"
    assert turn(stage, "Step back") == seen[-2]
    stage.key("End")
    last = stage.wait_for(lambda: (step(stage) or 0) > seen[-1] and step(stage), "the last page")
    # The last page, with all hands open: what was left of them. The voided deal was never revealed, the last one was.
    stage.key("a")
    hands = stage.expect(name="Open hands")
    rows = [node.get_name() for node in stage.nodes(hands) if ": " in (node.get_name() or "")]
    assert any(row[-1].isdigit() for row in rows), f"cards in {rows}"
    stage.key("Home")
    stage.wait_for(lambda: step(stage) == first, "the first page again")
    turn(stage, "To the next round")
    story(stage)
    stage.key("ctrl+question")
    stage.expect(starts="A step back or on: ")
    print(f"voided.record: fair, {last} steps, hands of {len(rows)} players opened")
    complaints = stage.complaints()
    stage.close()
    assert not complaints, "\n".join(complaints)


def story(stage):
    """How the round turned: the curve in words, and a page for each turn."""
    button = stage.expect(name="How the round turned")
    stage.wait_for(lambda: any(pressed(stage, node) for node in stage.nodes(button)), "the story's button")
    stage.expect(starts="The Shadows' chance to win the round: ", seconds=120)
    before = step(stage)
    turns = [node for node in stage.nodes() if "The Shadows' chance goes from " in (node.get_name() or "")]
    assert 1 <= len(turns) <= 5, f"{len(turns)} turns"
    stage.press(turns[-1])
    stage.wait_for(lambda: step(stage) not in (None, before), "the page of the turn")
    stage.expect(name="Open hands")
    print(f"turns: {[node.get_name() for node in turns]}, at step {step(stage)}")


def pressed(stage, node):
    """A menu button is two nodes, and the inner one is the button."""
    try:
        return stage.press(node)
    except GLib.Error:
        return False


def tampered():
    for name, begins in (("unfair-signature-missing", "Check failed: step 21, P1"), ("unfair-order", "Check failed: step 29")):
        stage = Stage(str(RECORDS / f"{name}.record"))
        badge = stage.expect(starts=begins, seconds=120)
        print(f"{name}: {badge.get_name()!r}")
        stage.wait_for(lambda: any(pressed(stage, node) for node in stage.nodes(badge)), "the badge's button")
        stage.expect(starts="What is wrong: ")
        stage.close()
    stage = Stage(str(RECORDS / "unreadable-cut.record"))
    stage.expect(name="This record cannot be read")
    stage.close()


def main():
    read_through()
    tampered()


if __name__ == "__main__":
    main()
