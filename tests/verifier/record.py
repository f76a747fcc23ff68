"""The record's bytes: genesis, steps, entries, votes, and every digest that is signed (protocol.md, "The table", "The record")."""

from dataclasses import dataclass

from blake3 import blake3

from codec import Reader, seat_set
from group import Malformed
from hashing import kdf

MAGIC, VERSION, LIMIT = b"SHAMANS\n", 1, 16 * 1024 * 1024
GAME, DEAL, TABLE, VOTE = range(4)
PLAY, ABSENCE = range(2)


class Unreadable(Exception):
    """No record, or one of another version."""


def le64(n):
    return n.to_bytes(8, "little")


def digest(name, *parts):
    """T(context; p₁, …, pₖ)."""
    return kdf("shamans 1 " + name, *(le64(len(part)) + part for part in parts)).digest()


@dataclass
class Holder:
    key: bytes = None  # None: a phantom
    name: str = None
    operator: str = None  # of a bot


class Genesis:
    """Who sits where, which game is played, with which numbers."""

    def __init__(self, r):
        start = r.at
        self.protocol, self.game, self.setup = r.u16(), r.string(), r.bytes()
        self.grace, self.draw = r.u32(), r.bool()
        kinds = (lambda: Holder(r.b32(), r.string()), Holder, lambda: Holder(r.b32(), r.string(), r.string()))
        self.holders = r.list(lambda: kinds[r.variant(3)]())
        self.rematch = r.option(r.b32)
        self.lots = r.list(r.b32)
        self.table = digest("table", r.data[start : r.at])
        self.signatures = r.list(lambda: r.raw(64))
        self.bytes = r.data[start : r.at]

    def seated(self):
        """The holders by seat."""
        if not self.draw:
            return self.holders
        people = [holder for holder in self.holders if holder.key]
        people = iter(sorted(people, key=lambda holder: digest("seat", self.table, holder.key)))
        return [next(people) if holder.key else holder for holder in self.holders]


@dataclass
class Mark:
    """What a settlement signs of a step."""

    kind: int
    shape: tuple  # three sets of seats: lanes game, deal, table
    digest: bytes

    def size(self):
        return sum(map(len, self.shape))


def read_mark(r):
    return Mark(r.variant(2), (r.seats(), r.seats(), r.seats()), r.b32())


class Entry:
    """A signed entry."""

    def __init__(self, r):
        start = r.at
        self.step, self.prev, self.seat = r.u64(), r.b32(), r.u8()
        self.lane = r.variant(4)
        self.vote = r.u8() if self.lane == VOTE else 0
        self.body, self.signature = r.bytes(), r.raw(64)
        self.bytes = r.data[start : r.at]

    def digest(self, table):
        place = bytes([self.seat, self.lane, self.vote])
        return digest("entry", table, le64(self.step), self.prev, place, self.body)


@dataclass
class Ballot:
    gone: frozenset
    void: bool
    mark: Mark  # or None

    def __init__(self, body):
        r = Reader(body)
        self.gone, self.void, self.mark = r.seats(), r.variant(2) == 1, r.option(lambda: read_mark(r))
        r.end()


class Step:
    """A settled step."""

    def __init__(self, r):
        self.number, self.prev, self.kind = r.u64(), r.b32(), r.variant(2)
        self.entries = r.list(lambda: Entry(r))
        self.signatures = r.list(lambda: (r.u8(), r.raw(64)))
        self.excuses = r.list(lambda: Entry(r))

    def seal(self, table):
        """Works out the step's mark."""
        held = lambda *lanes: frozenset(entry.seat for entry in self.entries if entry.lane in lanes)
        digests = b"".join(entry.digest(table) for entry in self.entries)
        whole = digest("step", table, le64(self.number), self.prev, bytes([self.kind]), digests)
        self.mark = Mark(self.kind, (held(GAME), held(DEAL), held(TABLE, VOTE)), whole)


def settlement(table, number, mark):
    """What is signed to settle a step."""
    shape = b"".join(map(seat_set, mark.shape))
    return digest("settle", table, le64(number), bytes([mark.kind]), shape, mark.digest)


def read_record(data):
    if len(data) < 42 or data[:8] != MAGIC:
        raise Unreadable("this is no record of a game")
    version = int.from_bytes(data[8:10], "little")
    if version != VERSION:
        raise Unreadable(f"version {version} is not known here")
    if blake3(data[:-32]).digest() != data[-32:]:
        raise Unreadable("the file is damaged")
    if len(data) - 42 > LIMIT:
        raise Unreadable("the file is too large")
    try:
        r = Reader(data[10:-32])
        genesis = Genesis(r)
        steps = r.list(lambda: Step(r))
        r.end()
    except Malformed as why:
        raise Unreadable(f"the file is damaged: {why}") from None
    for step, following in zip(steps, steps[1:]):
        votes = following.entries
        if following.kind == ABSENCE and all(vote.step == step.number for vote in votes):
            voters = {vote.seat for vote in votes}
            excused = [vote.bytes for vote in step.excuses] == [vote.bytes for vote in votes]
            if not excused or any(seat not in voters for seat, _ in step.signatures):
                raise Unreadable("this record could be written in another way")
    return genesis, steps
