"""The sealed deal, followed from its public messages (protocol.md, part 1).

Requests and settled messages go in, outcomes come out. Nothing here knows the rules of a game.
"""

from dataclasses import dataclass

from codec import Reader, blob, seat_set, uint
from group import BASE, ORDER, ZERO, Malformed, Point, times
from hashing import DEAL, Stream, digest, kdf, le32
from proofs import (
    ShuffleProof,
    claim_equations,
    complaint_equations,
    escrow_equations,
    face_point,
    keys_equations,
    read_linear,
    release_equations,
    total,
)

KEYS, ESCROW, MIX, RELEASE, SEED = 0, 1, 2, 3, 5
ALL = None


class Wrong(Exception):
    """A message that no honest seat would have sent."""

    def __init__(self, seat, reason):
        super().__init__(f"seat {seat}: {reason}")
        self.seat, self.reason = seat, reason


# --- requests ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shuffle:
    decks: tuple  # (id, size, first slot)
    sealed: frozenset

    def encode(self):
        decks = b"".join(bytes([i]) + uint(size) + uint(first) for i, size, first in self.decks)
        return b"\0" + uint(len(self.decks)) + decks + seat_set(self.sealed)


@dataclass(frozen=True)
class Open:
    slots: tuple  # (slot, seat or ALL)

    def encode(self):
        slots = b"".join(uint(s) + (b"\0" if to is ALL else bytes([1, to])) for s, to in self.slots)
        return b"\1" + uint(len(self.slots)) + slots


@dataclass(frozen=True)
class Pass:
    slots: tuple  # (slot, seat)

    def encode(self):
        return b"\2" + uint(len(self.slots)) + b"".join(uint(s) + bytes([to]) for s, to in self.slots)


@dataclass(frozen=True)
class Remix:
    hands: tuple  # (seat, old slots, first new slot)

    def encode(self):
        hands = b"".join(
            bytes([seat]) + uint(len(old)) + b"".join(map(uint, old)) + uint(new) for seat, old, new in self.hands
        )
        return b"\3" + uint(len(self.hands)) + hands


@dataclass(frozen=True)
class Reveal:
    def encode(self):
        return b"\4"


# --- state ------------------------------------------------------------------------------------------------------------


@dataclass
class Keys:
    commitment: bytes
    deck: Point
    hand: Point


@dataclass
class Escrow:
    """What one seat gave to the others, for its absence."""

    serial: int
    step: bytes
    ephemeral: Point
    lines: dict  # receiver: (S^x, S^y, c^x, c^y)


@dataclass
class Place:
    """What lies in a slot."""

    deck: int
    card: tuple
    key: object  # "joint", or the seat whose hand key it is under
    face: int = None  # once open to all


@dataclass
class Step:
    kind: int
    awaited: frozenset
    serial: int
    digest: bytes
    work: object = None


def context_bytes(table, number, seats, people, game):
    return table + uint(number) + bytes([seats]) + seat_set(people) + blob(game.encode())


class Deal:
    def __init__(self, table, number, seats, people, game, equations, where=lambda: None):
        """`where` says where in the record we are, for the labels of `equations`."""
        self.game, self.people = game, frozenset(people)
        self.root = self.digest = digest(DEAL + "root", context_bytes(table, number, seats, people, game))
        self.serial, self.equations, self.where = 0, equations, where
        self.keys, self.escrow, self.away = {}, {}, frozenset()
        self.decks, self.places, self.joint, self.dealt = (), {}, ZERO, None
        self.request = self.step = self.outcome = self.stage = None
        self.history, self.seeds = [], {}
        self._sides = {}

    # --- asking and answering ---

    def ask(self, request):
        assert self.step is None, "one request at a time"
        self.request, self.outcome = request, None
        self.digest = digest(DEAL + "request", self.digest, request.encode())
        if isinstance(request, Shuffle):
            self.stage, self.decks = KEYS, request.decks
        elif isinstance(request, Remix):
            self._lay_hands()
        self._plan()

    def can_leave(self, seats):
        """Can the others act for all of these?"""
        away = self.away
        for seat in sorted(seats & self.people - away):
            if self.dealt and seat in self.keys and (seat not in self.escrow or away & self.keys.keys()):
                return False
            away |= {seat}
            if not self.people - away or (self.keys and not self.keys.keys() - away):
                return False
        return True

    def leave(self, seat):
        """`seat` is away from now on. An open step is planned anew."""
        if seat in self.people and seat not in self.away:
            self.away |= {seat}
            self._plan_anew()

    def come_back(self, seat):
        """`seat` acts for itself again, if it has keys or can still get some."""
        if seat not in self.away:
            return True
        early = not self.dealt and self.stage in (None, KEYS)
        if not early and seat not in self.keys:
            return False
        self.away -= {seat}
        self._plan_anew()
        return True

    def _plan_anew(self):
        if self.step is None:
            return
        if isinstance(self.request, Shuffle) and self.stage != KEYS:
            gone = self.away & self.keys.keys()
            if self.stage == MIX and len(gone) <= 1 and all(seat in self.escrow for seat in gone):
                self._begin_mixing()
            else:
                for seat in gone:
                    del self.keys[seat]
                self.escrow, self.stage = {}, ESCROW
        elif isinstance(self.request, Remix):
            self._lay_hands()
        self._plan()

    def here(self):
        return frozenset(self.keys) - self.away

    def _open(self, kind, awaited, work=None):
        awaited = frozenset(awaited)
        self.serial += 1
        step = digest(
            DEAL + "step", self.digest, le32(self.serial), bytes([kind]), seat_set(awaited), seat_set(self.away)
        )
        self.step = Step(kind, awaited, self.serial, step, work)
        if not awaited:
            self.settle({})

    def _done(self, outcome):
        self.step, self.outcome, self.request, self.stage = None, outcome, None, None

    def _plan(self):
        self.step = None
        self._sides = {}
        request = self.request
        if isinstance(request, Shuffle):
            self._plan_shuffle()
        elif isinstance(request, Open):
            self._plan_release([(slot, to) for slot, to in request.slots])
        elif isinstance(request, Pass):
            self._plan_release([(slot, to) for slot, to in request.slots])
        elif isinstance(request, Remix):
            self._plan_remix()
        else:
            self._open(SEED, self.here())

    def settle(self, messages):
        """All messages of the open step, by seat."""
        step = self.step
        assert frozenset(messages) == step.awaited
        take = {KEYS: self._keys, ESCROW: self._escrow, MIX: self._mixed, RELEASE: self._released, SEED: self._seeds}
        parsed = {}
        for seat in sorted(messages):
            try:
                parsed[seat] = self._parse(seat, messages[seat])
            except Malformed as why:
                raise Wrong(seat, f"deal message: {why}") from None
        parts = [part for seat in sorted(messages) for part in (bytes([seat]), messages[seat])]
        after = digest(DEAL + "settled", step.digest, *parts)
        take[step.kind](parsed)
        self.digest = after
        if self.step is step:
            self._advance()

    def _label(self, seat, what):
        return self.where(), seat, what

    # --- reading messages ---

    def _parse(self, seat, data):
        r = Reader(data)
        kind = r.variant(6)
        expected = {KEYS: 0, ESCROW: 1, MIX: 2, RELEASE: 4, SEED: 5}[self.step.kind]
        if kind == 3 and expected in (2, 4):
            message = ("complaint", r.u8(), r.point(), read_linear(r))
        elif kind != expected:
            raise Malformed("not what the step waits for")
        elif kind == 0:
            message = (r.b32(), r.point(), r.point(), read_linear(r))
        elif kind == 1:
            message = (r.point(), r.list(lambda: (r.point(), r.point(), r.scalar(), r.scalar())), read_linear(r))
        elif kind == 2:
            message = r.list(lambda: (r.list(lambda: (r.point(), r.point())), ShuffleProof(r)))
        elif kind == 4:
            message = (r.list(r.point), r.list(lambda: (r.point(), r.point())), read_linear(r))
        else:
            message = r.b32()
        r.end()
        if kind == 3:
            self._complaint(seat, *message[1:])
        return message

    def _complaint(self, seat, against, common, proof):
        given = self.escrow.get(against)
        if given is None or seat not in given.lines:
            raise Wrong(seat, "a false complaint")
        sums = complaint_equations(
            self.step.digest, seat, against, given.step, given.ephemeral, common, self.keys[seat].hand, proof
        )
        self.equations.add(self._label(seat, "complaint"), *sums)
        deck, hand = unmask(given, against, seat, common)
        line = given.lines[seat]
        if self.equations.first_false() is not None:
            raise Wrong(seat, "a false complaint")
        if times(deck, BASE) == line[0] and times(hand, BASE) == line[1]:
            raise Wrong(seat, "a false complaint")
        raise Wrong(against, "a false share")

    # --- shuffle ---

    def _plan_shuffle(self):
        if self.stage == KEYS:
            self._open(KEYS, self.people - self.away)
        elif self.stage == ESCROW:
            if len(self.keys) < 3:
                self._begin_mixing()
                self._plan_shuffle()
                return
            self._open(ESCROW, self.here())
        elif self.turns:
            piles = [(deck, first, size) for deck, size, first in self.request.decks]
            self._open(MIX, {self.turns[0]}, {self.turns[0]: piles})
        else:
            self.dealt = self.digest
            self._done("shuffled")

    def _begin_mixing(self):
        self.stage = MIX
        self.joint = total(k.deck for k in self.keys.values())
        self.places = {}
        for deck, size, first in self.request.decks:
            for face in range(size):
                self.places[first + face] = Place(deck, (ZERO, face_point(self.game, deck, face)), "joint")
        self.turns = sorted(self.here())

    def _advance(self):
        if isinstance(self.request, Shuffle):
            if self.stage == KEYS:
                self.stage = ESCROW
            elif self.stage == ESCROW:
                self._begin_mixing()
            else:
                self.turns.pop(0)
        elif isinstance(self.request, Remix):
            self._advance_remix()
        self._plan()

    def _keys(self, messages):
        for seat, (commitment, deck, hand, proof) in messages.items():
            if deck.is_identity() or hand.is_identity():
                raise Wrong(seat, "the identity as a key")
            try:
                sums = keys_equations(self.step.digest, seat, commitment, deck, hand, proof)
            except Malformed as why:
                raise Wrong(seat, f"keys: {why}") from None
            self.equations.add(self._label(seat, "keys"), *sums)
            self.keys[seat] = Keys(commitment, deck, hand)

    def _escrow(self, messages):
        for seat, (ephemeral, lines, proof) in messages.items():
            others = [other for other in sorted(self.keys) if other != seat]
            if len(lines) != len(others) or ephemeral.is_identity():
                raise Wrong(seat, "escrow: a message of another shape")
            mine = self.keys[seat]
            try:
                sums = escrow_equations(self.step.digest, seat, ephemeral, lines, proof, mine.deck, mine.hand)
            except Malformed as why:
                raise Wrong(seat, f"escrow: {why}") from None
            self.equations.add(self._label(seat, "escrow"), *sums)
            self.escrow[seat] = given = Escrow(self.step.serial, self.step.digest, ephemeral, dict(zip(others, lines)))
            hands = {other: self.keys[other].hand for other in others}
            self.history.append(("escrow", seat, given, hands))

    # --- mixing ---

    def _key_point(self, key):
        return self.joint if key == "joint" else self.keys[key].hand

    def _mixed(self, messages):
        # All take what lay there before the step; hands of one step do not overlap.
        for seat, lists in messages.items():
            groups = {}
            for pile in self.step.work[seat]:
                groups.setdefault(self.places[pile[1]].key, []).append(pile)
            if len(lists) != len(groups):
                raise Wrong(seat, "mix: a message of another shape")
            for (key, piles), (after, proof) in zip(groups.items(), lists):
                slots = [first + i for _, first, size in piles for i in range(size)]
                before = [self.places[slot].card for slot in slots]
                try:
                    sums = proof.equations(self.step.digest, seat, piles, self._key_point(key), before, after)
                except Malformed as why:
                    raise Wrong(seat, f"mix: {why}") from None
                self.equations.add(self._label(seat, "mix"), *sums)
                for slot, card in zip(slots, after):
                    self.places[slot].card = card
                self.history.append(("mix", seat, self.step.serial, piles, self._key_point(key), before, after))

    def _lay_hands(self):
        """Copies hands to their new slots: those that their holders mix, and those that everyone mixes in turn."""
        self.own, self.rest, self.turns = {}, [], []
        for _, old, new in self.request.hands:
            for i, slot in enumerate(old):
                was = self.places[slot]
                self.places[new + i] = Place(was.deck, was.card, was.key)
            if len(old) > 1:
                holder, pile = self.places[new].key, (self.places[new].deck, new, len(old))
                if holder in self.here():
                    self.own.setdefault(holder, []).append(pile)
                else:
                    self.rest.append(pile)
        if self.rest:
            self.turns = sorted(self.here())
        self.idle = not self.own and not self.rest

    def _plan_remix(self):
        if self.own:
            self._open(MIX, self.own, self.own)
        elif self.turns:
            self._open(MIX, {self.turns[0]}, {self.turns[0]: self.rest})
        elif self.idle:
            self.idle = False
            self._open(MIX, (), {})
        else:
            self._done("remixed")

    def _advance_remix(self):
        if self.own:
            self.own = {}
        elif self.turns:
            self.turns.pop(0)

    # --- release ---

    def _part(self, seat, key):
        """The public side of what `seat` contributes to `key`, and how the audit finds its secret; None if nothing."""
        missing = self.away & self.keys.keys()
        side = self._sides.get((seat, key))
        if side is None:
            if key == "joint":
                side = total([self.keys[seat].deck] + [self.escrow[gone].lines[seat][0] for gone in missing])
            elif key == seat:
                side = self.keys[seat].hand
            else:
                side = self.escrow[key].lines[seat][1]
            self._sides[seat, key] = side
        return side

    def _contributors(self, key):
        if key == "joint" or key in self.away:
            return self.here()
        return {key}

    def _plan_release(self, wanted):
        jobs = []
        for slot, to in wanted:
            place = self.places[slot]
            goal = ALL if to is ALL else (to if to in self.keys else "joint")
            if place.face is None and (goal is ALL or place.key != goal):
                jobs.append((slot, goal))
        awaited = frozenset().union(*(self._contributors(self.places[slot].key) for slot, _ in jobs))
        self._open(RELEASE, awaited, jobs)

    def _release_done(self):
        request = self.request
        if isinstance(request, Open):
            faces = [self.places[slot].face for slot, to in request.slots if to is ALL]
            self._done(("opened", faces))
        else:
            self._done("passed")

    def _released(self, messages):
        jobs, contributions = self.step.work, {slot: [] for slot, _ in self.step.work}
        for seat, (shares, switches, proof) in messages.items():
            mine = []
            for slot, goal in jobs:
                place = self.places[slot]
                if seat in self._contributors(place.key):
                    target = None if goal is ALL else self._key_point(goal)
                    mine.append((slot, self._part(seat, place.key), target, place.card[0]))
            try:
                sums = release_equations(self.step.digest, seat, mine, shares, switches, proof)
            except Malformed as why:
                raise Wrong(seat, f"release: {why}") from None
            self.equations.add(self._label(seat, "release"), *sums)
            left_shares, left_switches = iter(shares), iter(switches)
            for slot, _, target, a in mine:
                given = next(left_shares) if target is None else next(left_switches)
                contributions[slot].append(given)
                parts = (self.places[slot].key, frozenset(self.away & self.keys.keys()))
                self.history.append(("release", seat, self.step.serial, slot, parts, target, a, given))
        for slot, goal in jobs:
            place, given = self.places[slot], contributions[slot]
            if goal is ALL:
                shown = place.card[1] - total(given)
                place.face = self._face_of(place.deck, shown)
                if place.face is None:
                    raise Wrong(None, f"slot {slot} shows no face of its deck")
            else:
                place.card = total(u for u, _ in given), place.card[1] + total(d for _, d in given)
                place.key = goal
        self._release_done()

    def _size(self, deck):
        return next(size for i, size, _ in self.decks if i == deck)

    def _face_of(self, deck, point):
        for face in range(self._size(deck)):
            if face_point(self.game, deck, face) == point:
                return face
        return None

    # --- claims ---

    def claim(self, seat, slot, face, data):
        """A slot under its holder's hand key, shown beside an action."""
        place = self.places.get(slot)
        if place is not None and place.face is not None:
            if place.face != face or data != b"":
                raise Wrong(seat, f"claims slot {slot}, which lies open, for another card")
            return
        if place is None or place.key != seat or face >= self._size(place.deck):
            raise Wrong(seat, f"claims slot {slot}, which it cannot open")
        try:
            r = Reader(data)
            proof = read_linear(r)
            r.end()
            shown = face_point(self.game, place.deck, face)
            sums = claim_equations(
                self.dealt, seat, slot, place.deck, face, self.keys[seat].hand, place.card, shown, proof
            )
        except Malformed as why:
            raise Wrong(seat, f"claim: {why}") from None
        self.equations.add(self._label(seat, "claim"), *sums)

    def show(self, slot, face):
        """A claim has taken effect: the slot lies open."""
        self.places[slot].face = face

    # --- reveal ---

    def _seeds(self, messages):
        for seat, seed in messages.items():
            if digest(DEAL + "commit", self.root, bytes([seat]), seed) != self.keys[seat].commitment:
                raise Wrong(seat, "a seed that was not committed to")
            self.seeds[seat] = seed
        from audit import audit

        self._done(("revealed", audit(self)))


def unmask(given, dealer, receiver, common):
    """The two parts that `dealer` gave to `receiver`, from the common point."""
    masks = Stream(
        kdf(DEAL + "escrow", given.step, bytes([dealer]), bytes([receiver]), given.ephemeral.encode(), common.encode())
    )
    _, _, deck, hand = given.lines[receiver]
    return (deck - masks.scalar()) % ORDER, (hand - masks.scalar()) % ORDER
