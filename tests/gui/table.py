"""Several clients at one table on loopback, each driven by real keys; what is on the screens is only looked at."""

import time

from gi.repository import GLib

from stage import BUTTON, Atspi, Stage, confirms, is_enabled

RELAXED = "Relaxed"


def open_table(seats, grace=None, think=None, args=(), **preferences):
    """One client opens a table of `seats`; gives back the client and the code."""
    host = Stage(*args, player="Jana", **preferences)
    host.key("ctrl+n")
    host.expect(starts="Seat 1: ")
    if seats != 3:
        set_option(host, "Seats", str(seats), ["3", "4", "5"])
    host.expect(name=f"Waiting for {seats - 1} more players.")
    if think:
        set_option(host, "Time to think", think, ["Off", "Relaxed", "Fast"])
    if grace:
        set_option(host, "Grace time", grace, ["15 s", "1 min", "3 min", "10 min"])
    return host, host.wait_for(lambda: invite(host), "an invite code")


def tab_to(stage, title):
    """Tab until the focus is on what is called so."""
    for _ in range(30):
        if focused_name(stage).startswith(title):
            return
        stage.key("Tab")
        time.sleep(0.15)
    raise AssertionError(f"Tab does not come to {title!r}")


def set_option(stage, title, value, values):
    """Chooses from a list by keys: Tab to it, open it, go up or down, take it."""
    tab_to(stage, title)
    stage.key("Return")
    time.sleep(0.5)
    stage.key(*["Up"] * len(values), *["Down"] * values.index(value), "Return")
    time.sleep(0.5)


def focused_name(stage):
    """What has the focus."""
    for node in stage.nodes():
        if node.get_state_set().contains(Atspi.StateType.FOCUSED):
            return node.get_name() or ""
    return ""


def invite(stage):
    """The code under its title."""
    row = stage.find(name="Invite code")
    for node in stage.nodes(row) if row else ():
        text = node.get_name() or ""
        if text.count("-") >= 2 and not text.startswith("••"):
            return text
    return None


def join(name, code, **preferences):
    """Another client sits down by the code."""
    stage = Stage(player=name, **preferences)
    stage.key("ctrl+j")
    time.sleep(0.2)
    stage.type(code)
    stage.key("Return")
    stage.expect(starts="Seat 1: ", seconds=40)
    return stage


def say(stage, text):
    """Types a line of talk and sends it."""
    stage.key("ctrl+t")
    time.sleep(0.2)
    stage.type(text)
    # Keys go to the table again.
    stage.key("Return", "Escape")


def be_ready(stages):
    """All agree; the game begins."""
    for stage in stages:
        stage.expect(name="I am ready", enabled=True, seconds=40)
        stage.wait_for(lambda stage=stage: focused_name(stage) == "I am ready", "the focus on the button")
        stage.key("Return")
    for stage in stages:
        stage.expect(name="Your hand", seconds=60)


def buttons(stage, place):
    """All buttons of a named part of the table. Parts are looked up once: they stay as long as the table does."""
    if not hasattr(stage, "places"):
        stage.places = {}
    if place not in stage.places:
        stage.places[place] = stage.expect(name=place, seconds=60)
    return [node for node in stage.nodes(stage.places[place], within_buttons=False) if node.get_role() == BUTTON]


def hand(stage):
    """Names of the cards in hand. A card that goes while it is read is read once more."""
    for _ in range(20):
        try:
            return [node.get_name() for node in buttons(stage, "Your hand")]
        except GLib.Error:
            time.sleep(0.1)
    return [node.get_name() for node in buttons(stage, "Your hand")]


def step(stage, turn):
    """Makes one decision by keys, if this client has one. Says what it did."""
    try:
        choices = [node for node in buttons(stage, "Decision") if is_enabled(node)]
        confirm = [node for node in choices if confirms(node.get_name())]
        if confirm:
            stage.key("Return")
            return confirm[0].get_name()
        own = [node for node in choices if not node.get_name().startswith("Portal:")]
        own = [node for node in buttons(stage, "Artefacts") if is_enabled(node)] + own
        if own:
            at = turn % len(own)
            stage.key(str(1 + at), "Return")
            return own[at].get_name()
        cards = [at for at, node in enumerate(buttons(stage, "Your hand")) if is_enabled(node)]
        if cards:
            at = cards[turn % len(cards)]
            stage.key(str((at + 1) % 10), "Return")
            return "a card"
    except GLib.Error:
        pass  # the screen changed while it was read
    return None


def play(stages, until, seconds=500):
    """All decide in turn until `until` is true."""
    end = time.monotonic() + seconds
    turn, made = 0, []
    while not until():
        assert time.monotonic() < end, f"not there after {seconds} s and {turn} decisions, the last ones {made[-5:]}"
        before = turn
        for stage in stages:
            if what := step(stage, turn):
                made.append(what)
                turn += 1
        if turn == before:
            time.sleep(0.15)
    return turn


def round_over(stage):
    """The result of the round is shown. Looked for only when no card is left to play: it takes a look at everything."""
    try:
        return not any(is_enabled(node) for place in ("Decision", "Your hand") for node in buttons(stage, place)) and stage.find(name="Next round")
    except GLib.Error:
        return False


def press_named(stage, name):
    """Presses the button of that name. The toolkit's dialogs say the names of their answers twice."""

    def there():
        return stage.find(name=name, enabled=True, role=BUTTON) or stage.find(name=f"{name} {name}", enabled=True, role=BUTTON)

    stage.wait_for(lambda: (node := there()) and stage.press(node), f"a press on {name!r}")


def close(stages):
    """Ends all; the toolkit must not have complained."""
    complaints = [line for stage in stages for line in stage.complaints()]
    for stage in stages:
        stage.close()
    assert not complaints, "\n".join(complaints)
