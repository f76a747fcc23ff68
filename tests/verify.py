#!/usr/bin/env python3
"""A second, independent check of a game's record, written from core/docs/protocol.md with nothing but Python.

Usage: tests/verify.py [--log-only] FILE…
Exit code of the worst file: 0 fair, 1 not fair, 2 unreadable, 3 unfinished but in order so far.

It checks the form of the file, the genesis, every signature, the chain of steps, who had to sign each step, votes, comings and
goings; every move against the rules (tests/verify_game.py), every proof of the decks and every revealed seed
(tests/vectors/second.py). From the first step on in which someone is given up, comes back or leaves, moves and decks
are not followed any more, only the log; the line printed says so. `--log-only` leaves them out altogether: fast.
"""
import hashlib
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "vectors")]
import second  # noqa: E402  (blake3, the curve's arithmetic, the decks)
import verify_game  # noqa: E402  (the rules)

P, L, D = second.P, second.L, second.D
MAX_BODY = 512 * 1024


class Unreadable(Exception):
    pass


class Wrong(Exception):
    def __init__(self, step, seat, reason):
        super().__init__(f"step {step}, seat {seat}: {reason}")


def T(context, *parts):
    return second.kdf(context, b"".join(second.le(8, len(p)) + p for p in parts)).take(32)


def blake3(data):
    return second.Stream(second.node(data, second.IV, 0, 0)).take(32)


# ---- ed25519 ----
def recover_x(y, sign):
    if y >= P:
        return None
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * second.SQRT_M1 % P
    if (x * x - x2) % P or (x == 0 and sign):
        return None
    return P - x if x & 1 != sign else x


def point(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    x = recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


def small_order(p):
    q = second.add(p, p)
    q = second.add(q, q)
    q = second.add(q, q)
    return q[0] % P == 0 and (q[1] - q[2]) % P == 0


BASE = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
DOUBLES = [BASE]
for _ in range(252):
    DOUBLES.append(second.add(DOUBLES[-1], DOUBLES[-1]))


def times_base(s):
    out = second.ZERO
    for i in range(253):
        if s >> i & 1:
            out = second.add(out, DOUBLES[i])
    return out


def compress(p):
    inverse = pow(p[2], P - 2, P)
    x, y = p[0] * inverse % P, p[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


KEYS = {}


def verifies(key, message, signature):
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    if key not in KEYS:
        KEYS[key] = point(key)
    a, rp = KEYS[key], point(r)
    if a is None or rp is None or s >= L or small_order(a) or small_order(rp):
        return False
    h = int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % L
    return compress(second.add(times_base(s), second.neg(second.mul(h, a)))) == r


# ---- Codec ----
class Reader(second.Reader):
    """Refuses second forms of numbers while reading."""

    def raw(self, n):
        if self.at + n > len(self.data):
            raise Unreadable("cut off")
        self.at += n
        return self.data[self.at - n:self.at]

    def number(self, limit=2**64):
        first = self.raw(1)[0]
        n = first
        if first >= 251:
            if first > 253:
                raise Unreadable("no number")
            width = {251: 2, 252: 4, 253: 8}[first]
            n = int.from_bytes(self.raw(width), "little")
            if n < {2: 251, 4: 1 << 16, 8: 1 << 32}[width]:
                raise Unreadable("not canonical")
        if n >= limit:
            raise Unreadable("number too large")
        return n

    def byte(self):
        return self.raw(1)[0]

    def blob(self):
        return self.raw(self.number())

    def flag(self):
        value = self.byte()
        if value > 1:
            raise Unreadable("no truth value")
        return bool(value)

    def option(self, read):
        return read() if self.flag() else None

    def choice(self, n):
        value = self.number()
        if value >= n:
            raise Unreadable("no such variant")
        return value

    def end(self):
        if self.at != len(self.data):
            raise Unreadable("bytes left over")


def seats_of(bits):
    return {seat for seat in range(8) if bits >> seat & 1}


def read_genesis(r):
    start = r.at
    g = {"protocol": r.number(1 << 16), "game": r.blob().decode(), "setup": r.blob(), "grace": r.number(1 << 32), "draw": r.flag()}
    g["holders"] = r.many(lambda: (r.raw(32), r.blob().decode()) if r.choice(2) == 0 else None)
    g["previous"] = r.option(lambda: r.raw(32))
    g["lots"] = r.many(lambda: r.raw(32))
    g["bytes"] = r.data[start:r.at]
    g["signatures"] = r.many(lambda: r.raw(64))
    return g


def read_entry(r):
    start = r.at
    e = {"step": r.number(), "prev": r.raw(32), "seat": r.byte(), "lane": r.choice(4)}
    e["vote"] = r.byte() if e["lane"] == 3 else 0
    e["body"] = r.blob()
    e["signature"] = r.raw(64)
    e["bytes"] = r.data[start:r.at]
    return e


def read_settled(r):
    s = {"number": r.number(), "prev": r.raw(32), "kind": r.choice(2), "entries": r.many(lambda: read_entry(r))}
    s["signatures"] = r.many(lambda: (r.byte(), r.raw(64)))
    s["excuses"] = r.many(lambda: read_entry(r))
    return s


def read_record(data):
    if data[:8] != b"SHAMANS\n" or len(data) < 42:
        raise Unreadable("not a record")
    if data[8:10] != b"\x01\x00":
        raise Unreadable("unknown version")
    if blake3(data[:-32]) != data[-32:]:
        raise Unreadable("checksum")
    r = Reader(data[10:-32])
    genesis = read_genesis(r)
    steps = r.many(lambda: read_settled(r))
    r.end()
    for step, following in zip(steps, steps[1:] + [None]):
        about = following and following["kind"] == 1 and all(v["step"] == step["number"] for v in following["entries"])
        expected = [v["bytes"] for v in following["entries"]] if about else None
        if about and [v["bytes"] for v in step["excuses"]] != expected:
            raise Unreadable("not canonical")
    return genesis, steps


# ---- The log ----
class Log:
    def __init__(self, g):
        self.g = g
        people = [h for h in g["holders"] if h]
        if g["protocol"] != 1 or not 1 <= len(g["holders"]) <= 5 or not people or len({k for k, _ in people}) != len(people):
            raise Wrong(0, None, "the seats")
        if len(g["lots"]) != len(people) or len(g["signatures"]) != len(people):
            raise Wrong(0, None, "lots or signatures missing")
        self.table = T("shamans 1 table", g["bytes"])
        holders = list(g["holders"])
        if g["draw"]:
            drawn = iter(sorted(people, key=lambda h: T("shamans 1 seat", self.table, h[0])))
            holders = [next(drawn) if h else None for h in holders]
        self.keys = {seat: h[0] for seat, h in enumerate(holders) if h}
        self.names = [h[1] if h else None for h in holders]
        signed = T("shamans 1 genesis", self.table)
        for seat, signature in zip(sorted(self.keys), g["signatures"]):
            if not verifies(self.keys[seat], signed, signature):
                raise Wrong(0, seat, "has not signed the genesis")
        self.signers = self.before = set(self.keys)
        self.gone, self.left, self.decided = {}, set(), None
        self.digests = [self.table]
        self.count = len(g["signatures"])

    def entry_digest(self, e):
        place = bytes([e["seat"], e["lane"], e["vote"]])
        return T("shamans 1 entry", self.table, second.le(8, e["step"]), e["prev"], place, e["body"])

    def check_signature(self, e, step):
        key = self.keys.get(e["seat"])
        if key is None or len(e["body"]) > MAX_BODY or not verifies(key, self.entry_digest(e), e["signature"]):
            raise Wrong(step, e["seat"], "the entry is not signed")
        self.count += 1

    def read_vote(self, e):
        r = Reader(e["body"])
        vote = (r.byte(), r.choice(2))
        r.option(lambda: (r.choice(2), r.raw(3), r.raw(32)))
        r.end()
        return vote

    def decide(self, votes, at, signers, number):
        """What votes about step `at` decide: whom to go on without."""
        if not votes:
            raise Wrong(number, None, "no votes")
        first = self.read_vote(votes[0])
        for e in votes:
            same = e["step"] == at and e["prev"] == self.digests[at - 1] and e["lane"] == 3 and e["vote"] == votes[0]["vote"]
            if not same or self.read_vote(e) != first:
                raise Wrong(number, e["seat"], "votes differ")
        gone = seats_of(first[0])
        stay = signers - gone
        if not gone or gone - signers or 2 * len(stay) <= len(signers) or [e["seat"] for e in votes] != sorted(stay):
            raise Wrong(number, None, "not the votes of all who stay, or too few of them")
        return gone

    def accept(self, s):
        number = len(self.digests)
        if s["number"] != number or s["prev"] != self.digests[-1]:
            raise Wrong(number, None, "does not follow")
        for e in s["entries"] + s["excuses"]:
            self.check_signature(e, number)
        quorum, gone, excused = set(self.signers), set(), set()
        if s["kind"] == 1:
            if self.decided is not None:
                votes, gone = self.decided
                if [v["bytes"] for v in votes] != [e["bytes"] for e in s["entries"]]:
                    raise Wrong(number, None, "another absence was decided")
            else:
                at = s["entries"][0]["step"] if s["entries"] else number
                before = at + 1 == number
                gone = self.decide(s["entries"], at if before else number, self.before if before else self.signers, number)
                gone &= self.signers
            if not gone:
                raise Wrong(number, None, "nobody is given up")
            quorum -= gone
        elif self.decided is not None:
            raise Wrong(number, None, "the absence step is missing")
        else:
            self.check_play(s, number)
        if s["excuses"]:
            excused = self.decide(s["excuses"], number, self.signers, number)
            quorum -= excused
        digest = T("shamans 1 step", self.table, second.le(8, number), s["prev"], bytes([s["kind"]]),
                   b"".join(self.entry_digest(e) for e in s["entries"]))
        shape = [0, 0, 0]
        for e in s["entries"]:
            shape[min(e["lane"], 2)] |= 1 << e["seat"]
        signed = T("shamans 1 settle", self.table, second.le(8, number), bytes([s["kind"]]), bytes(shape), digest)
        if [seat for seat, _ in s["signatures"]] != sorted(quorum):
            raise Wrong(number, None, "not exactly the signatures it needs")
        for seat, signature in s["signatures"]:
            if not verifies(self.keys[seat], signed, signature):
                raise Wrong(number, seat, "the settlement is not signed")
            self.count += 1
        before = set(self.signers)
        if s["kind"] == 1:
            self.decided = None
            self.lose(gone, number)
        else:
            self.apply_table(s, number)
        if s["excuses"] and excused & self.signers:
            self.decided = (s["excuses"], excused & self.signers)
        self.before = before
        self.digests.append(digest)

    def lose(self, gone, number):
        self.signers = self.signers - gone
        for seat in gone:
            self.gone[seat] = number

    def check_play(self, s, number):
        places = [(e["lane"], e["seat"]) for e in s["entries"]]
        if len(set(places)) != len(places) or not places:
            raise Wrong(number, None, "entries missing or twice")
        for e in s["entries"]:
            if e["step"] != number or e["prev"] != s["prev"] or e["lane"] == 3 or e["seat"] not in self.signers:
                raise Wrong(number, e["seat"], "the entry does not belong here")
        lanes = [e["lane"] for e in s["entries"]]
        if lanes != sorted(lanes) or (0 in lanes and 1 in lanes):
            raise Wrong(number, None, "entries out of order")

    def apply_table(self, s, number):
        for e in s["entries"]:
            if e["lane"] != 2:
                continue
            r = Reader(e["body"])
            word = r.choice(3)
            if word == 0:
                raise Wrong(number, e["seat"], "a word of someone who is gone")
            if word == 1:
                back = read_entry(r)
                r.end()
                seat = back["seat"]
                since = self.gone.get(seat)
                if since is None:
                    continue
                self.check_signature(back, number)
                fits = back["lane"] == 2 and back["body"] == b"\0" and since < back["step"] <= number
                if not fits or self.digests[back["step"] - 1] != back["prev"]:
                    raise Wrong(number, e["seat"], "nobody is back")
                del self.gone[seat]
                self.signers = self.signers | {seat}
            else:
                r.end()
                if len(self.signers) > 1:
                    self.lose({e["seat"]}, number)
                    del self.gone[e["seat"]]
                    self.left.add(e["seat"])


def encoded(request):
    """A deck request in codec form."""
    v = second.varint
    if request == "Reveal":
        return b"\x04"
    kind, fields = next(iter(request.items()))
    if kind == "Shuffle":
        decks = b"".join(bytes([d["id"]]) + v(d["size"]) + v(d["first"]) for d in fields["decks"])
        return b"\x00" + v(len(fields["decks"])) + decks + second.seat_set(fields["sealed"])
    if kind == "Open":
        slots = [v(slot) + (b"\x00" if to == "All" else bytes([1, to["One"]])) for slot, to in fields["slots"]]
        return b"\x01" + v(len(slots)) + b"".join(slots)
    if kind == "Pass":
        return b"\x02" + v(len(fields["slots"])) + b"".join(v(slot) + bytes([to]) for slot, to in fields["slots"])
    hands = [bytes([h["seat"]]) + v(len(h["from"])) + b"".join(map(v, h["from"])) + v(h["into"]) for h in fields["hands"]]
    return b"\x03" + v(len(hands)) + b"".join(hands)


class Play:
    """Moves and decks of a table at which everyone stays."""

    def __init__(self, log):
        self.log = log
        self.game = verify_game.Game(verify_game.read_setup(Reader(log.g["setup"])))
        if log.g["game"] != "shamans/1" or self.game.n != len(log.names):
            raise Unreadable("another game")
        self.deal, self.deals = None, 0
        self.advance()

    def advance(self):
        """Hands requests to the decks until somebody must speak."""
        while not self.game.over and self.game.waits[0] == "decks":
            if self.deal is None or self.deal.request is not self.game.waits[1]:
                request = self.game.waits[1]
                if "Shuffle" in request:
                    self.deals += 1
                    people = [s for s in range(self.game.n) if s not in self.game.phantoms]
                    self.deal = second.Deal({"table": self.log.table, "number": self.deals, "seats": self.game.n,
                                             "people": people, "game": self.log.g["game"]})
                self.deal.outcome = None
                self.deal.ask(request, encoded(request))
            if self.deal.awaited():
                return
            self.deal.settle([])
            self.finish()

    def finish(self):
        if self.deal.outcome is not None:
            outcome = self.deal.outcome
            self.game.send(outcome["Opened"] if isinstance(outcome, dict) and "Opened" in outcome else [])

    def step(self, s, number):
        if self.game.over:
            raise Wrong(number, None, "nothing follows the end")
        waits = self.game.waits[0]
        entries = [e for e in s["entries"] if e["lane"] < 2]
        if waits == "decks":
            messages = sorted((e["seat"], e["body"]) for e in entries)
            try:
                if any(e["lane"] != 1 for e in entries):
                    raise AssertionError("a move while the decks are asked")
                self.deal.settle(messages)
            except (AssertionError, KeyError, StopIteration, ValueError) as error:
                raise Wrong(number, None, f"the decks: {error}")
            self.finish()
            return self.advance()
        awaited = self.game.waits[1]
        moved = [e["seat"] for e in entries]
        interrupts = [seat for seat in moved if seat not in awaited]
        turn = lambda seat: (seat - min(awaited)) % self.game.n  # noqa: E731
        order = sorted(interrupts, key=turn) + sorted(set(moved) & awaited, key=turn)
        if moved != order or any(e["lane"] == 1 for e in entries) or (awaited - set(moved) and not interrupts):
            raise Wrong(number, None, "not what the game waits for, or out of order")
        for i, e in enumerate(entries):
            self.move(e, number, i > 0)
        self.advance()

    def move(self, e, number, may_be_overtaken):
        r = Reader(e["body"])
        action = verify_game.read_action(r)
        proofs = r.many(r.blob)
        r.end()
        claims = self.game.claims(e["seat"], action)
        if len(claims) != len(proofs):
            raise Wrong(number, e["seat"], "a proof for each card shown")
        overtaken = self.game.over or self.game.waits[0] != "seats"
        if not overtaken:
            self.game.refused = None
            self.game.send((e["seat"], action))
            overtaken = self.game.refused is not None
        if overtaken:
            if may_be_overtaken:
                return
            raise Wrong(number, e["seat"], f"illegal: {self.game.refused}")
        for (slot, face), proof in zip(claims, proofs):
            try:
                if self.deal.slots[slot]["face"] is not None:
                    assert proof == b"" and self.deal.slots[slot]["face"] == face
                else:
                    self.deal.claim(e["seat"], slot, face, proof)
            except (AssertionError, KeyError, IndexError) as error:
                raise Wrong(number, e["seat"], f"the card is not proved: {error}")


def verify(path, log_only):
    try:
        with open(path, "rb") as file:
            data = file.read(16 * 1024 * 1024 + 1)
        genesis, steps = read_record(data)
    except (OSError, Unreadable, UnicodeDecodeError, IndexError) as error:
        print(f"{path}: unreadable: {error}")
        return 2
    followed = None
    try:
        log = Log(genesis)
        play = None if log_only else Play(log)
        for step in steps:
            log.accept(step)
            stays = step["kind"] == 0 and not step["excuses"] and all(e["lane"] < 2 for e in step["entries"])
            if play and not stays:
                play, followed = None, step["number"] - 1
            if play:
                play.step(step, step["number"])
    except (Wrong, Unreadable, KeyError, IndexError) as error:
        print(f"{path}: NOT FAIR: {error}")
        return 1
    what = f"{len(steps)} steps, {log.count} signatures"
    if play is None:
        print(f"{path}: the log is in order: {what}; moves and decks checked up to step {followed or 0}")
        return 0
    if not play.game.over:
        print(f"{path}: unfinished, in order so far: {what}")
        return 3
    print(f"{path}: fair: {what}, {play.deals} deals, points {play.game.points}")
    return 0


if __name__ == "__main__":
    files = [arg for arg in sys.argv[1:] if arg != "--log-only"]
    if not files:
        print(__doc__)
        sys.exit(2)
    sys.exit(max(verify(path, "--log-only" in sys.argv) for path in files))
