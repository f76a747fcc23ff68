"""Plays a record's log again: signatures, settlement, absence, the deal's lane and the game's (protocol.md, "The table")."""

from dataclasses import dataclass

from codec import Reader
from deal import Deal, Shuffle, Wrong
from group import Malformed
from proofs import Equations
from record import DEAL, GAME, PLAY, TABLE, VOTE, Ballot, Entry, digest, settlement
from shamans import NAME, Illegal, Shamans, read_action
from signing import holds

BACK, READMIT, LEAVE = range(3)
MAX_BODY = 512 * 1024
MAX_VOTES = 200


class Unfair(Exception):
    """What is wrong, at which step, and whose wrong it is (None: nobody's in particular)."""

    def __init__(self, step, seat, reason):
        super().__init__(reason)
        self.step, self.seat, self.reason = step, seat, reason


@dataclass
class Decided:
    """What votes have decided."""

    gone: frozenset
    void: bool
    votes: list


class Table:
    def __init__(self, genesis):
        self.id, self.holders = genesis.table, genesis.seated()
        self.seats = len(self.holders)
        self.keys = {seat: holder.key for seat, holder in enumerate(self.holders) if holder.key}
        self.number, self.digests = 0, [genesis.table]  # of settled steps
        self.signers, self.gone_since = frozenset(self.keys), {}
        self.before, self.returning, self.decided = self.signers, frozenset(), None
        self.signed = 0
        self._check_genesis(genesis)
        self.equations, self.deal, self.deals, self.audits = Equations(), None, 0, []
        try:
            self.game = Shamans(genesis.setup)
        except Malformed as why:
            raise Unfair(0, None, str(why)) from None
        if self.game.seats != self.seats:
            raise Unfair(0, None, "the set-up is one for another table")
        if self.game.rules.phantoms != frozenset(range(self.seats)) - self.keys.keys():
            raise Unfair(0, None, "the phantoms are not the seats that nobody holds")
        self._go_on()

    def fail(self, seat, reason):
        raise Unfair(self.number + 1, seat, reason)

    def _check_genesis(self, genesis):
        people = [holder for holder in genesis.holders if holder.key]
        sound = len(genesis.setup) <= 65536 and len(genesis.game.encode()) <= 64
        sound = sound and len(genesis.holders) <= 5 and people and len({p.key for p in people}) == len(people)
        names = [name for p in people for name in (p.name, p.operator) if name is not None]
        sound = sound and all(len(name.encode()) <= 64 and not any(map(is_control, name)) for name in names)
        sound = sound and all(p.operator != "" for p in people)
        if not sound or len(genesis.lots) != len(people) or len(genesis.signatures) != len(people):
            raise Unfair(0, None, "nobody can sit down like this")
        signed = digest("genesis", self.id)
        for seat, signature in zip(sorted(self.keys), genesis.signatures):
            if not holds(self.keys[seat], signed, signature):
                raise Unfair(0, seat, "signature")
            self.signed += 1

    # --- signatures ---

    def check_signatures(self, steps):
        """Every signature of the record, and that each step names the one before: cheap, and what most damage breaks. That the right
        seats have signed comes later."""
        number, prev = 0, self.id
        for step in steps:
            number += 1
            if step.number != number or step.prev != prev:
                raise Unfair(number, None, "the step does not follow the one before")
            for entry in step.entries + step.excuses:
                if entry.seat not in self.keys or len(entry.body) > MAX_BODY:
                    raise Unfair(number, entry.seat, "an entry of nobody at this table, or too large a one")
            step.seal(self.id)
            prev = step.mark.digest
            signed = [(entry.seat, entry.digest(self.id), entry.signature) for entry in step.entries + step.excuses]
            settled = settlement(self.id, number, step.mark)
            signed += [(seat, settled, signature) for seat, signature in step.signatures]
            for seat, message, signature in signed:
                if seat not in self.keys or not holds(self.keys[seat], message, signature):
                    raise Unfair(number, seat, "signature")
            self.signed += len(signed)

    # --- one step ---

    def take(self, step):
        """The next step, its signatures checked."""
        signers = quorum = self.signers
        if step.kind == PLAY:
            self._check_play(step)
        else:
            decided = self._decision_of(step)
            quorum -= decided.gone
        excused = self._decide(step.excuses, step.number) if step.excuses else None
        if excused:
            if not quorum & excused.gone:
                self.fail(None, "votes that excuse nobody")
            quorum -= excused.gone
        self._check_settled(step, quorum)
        if step.kind == PLAY:
            self._play(step)
        else:
            self.decided = None
            self._lose(decided.gone, decided.void or not self._can_stand_in(decided.gone))
        if excused and excused.gone & self.signers:
            # The next step carries these votes out. Who is gone by now need not be given up again.
            self.decided = Decided(excused.gone & self.signers, excused.void, excused.votes)
        self.number += 1
        self.digests.append(step.mark.digest)
        self.before = signers

    def _check_settled(self, step, signers):
        """Exactly these have signed, ascending."""
        signed = [seat for seat, _ in step.signatures]
        if signed != sorted(signers):
            # Whoever is missing first, or nobody where one is too many.
            self.fail(next((seat for i, seat in enumerate(sorted(signers)) if signed[i : i + 1] != [seat]), None), "not signed by exactly those who had to")

    # --- play ---

    def _waits(self):
        """The lane and the seats that the open step waits for."""
        kind, seats = self.game.awaits
        if kind == "seats":
            return GAME, seats
        if kind == "decks":
            return DEAL, self.deal.step.awaited
        self.fail(None, "a step after the end of the game")

    def _check_play(self, step):
        """Lanes, seats, order, completeness."""
        if self.decided:
            self.fail(None, "the votes were to be carried out first")
        lane, awaited = self._waits()
        seen = set()
        ranks = []
        for entry in step.entries:
            if (entry.step, entry.prev) != (step.number, step.prev) or (entry.seat, entry.lane) in seen:
                self.fail(entry.seat, "an entry that does not belong here")
            seen.add((entry.seat, entry.lane))
            if entry.seat not in self.signers:
                self.fail(entry.seat, "an entry of somebody who is not at the table")
            if entry.lane == TABLE:
                rank = 3
            elif entry.lane == lane == DEAL and entry.seat in awaited:
                rank = 2
            elif entry.lane == lane == GAME and entry.seat in awaited:
                rank = 1
            elif entry.lane == lane == GAME and entry.seat in self.game.may_interrupt():
                rank = 0
            else:
                self.fail(entry.seat, "an entry of somebody who was not asked")
            ranks.append((rank, (entry.seat - min(awaited)) % self.seats))
        if ranks != sorted(ranks):
            self.fail(None, "entries in another order")
        complete = all((seat, lane) in seen for seat in awaited)
        if not complete and not (lane == GAME and any(rank in (0, 3) for rank, _ in ranks)):
            self.fail(None, "an entry is missing")

    def _play(self, step):
        moves = []
        for entry in step.entries:  # Each in order by itself, before any takes effect.
            if entry.lane == GAME:
                moves.append((entry.seat, self._read_move(entry)))
            elif entry.lane == TABLE:
                self._check_table_entry(entry)
        for seat, (action, claim) in moves:
            try:
                self.game.apply(seat, action)
            except Illegal:
                continue  # An earlier entry of this step has made it impossible: it counts for nothing.
            if claim:
                self.deal.show(*claim)
            self._go_on()
        given = {entry.seat: entry.body for entry in step.entries if entry.lane == DEAL}
        if given:
            try:
                self.deal.settle(given)
            except Wrong as wrong:
                self.fail(wrong.seat, wrong.reason)
            self._go_on()
        for entry in step.entries:
            if entry.lane == TABLE:
                self._table_entry(entry)

    def _read_move(self, entry):
        try:
            action, after = read_action(entry.body)
            r = Reader(entry.body[after:])
            proofs = r.list(r.bytes)
            r.end()
        except Malformed as why:
            self.fail(entry.seat, f"action: {why}")
        try:
            self.game.check(entry.seat, action)
        except Illegal as why:
            self.fail(entry.seat, f"illegal move: {why}")
        claim = self.game.claim(action)
        if len(proofs) != (claim is not None):
            self.fail(entry.seat, "not one proof for each claim")
        if claim:
            try:
                self.deal.claim(entry.seat, *claim, proofs[0])
            except Wrong as wrong:
                self.fail(wrong.seat, wrong.reason)
        return action, claim

    def _go_on(self):
        """Asks the decks what the game asks, and gives the game their answers, until a seat is awaited."""
        while self.game.awaits[0] == "decks":
            request = self.game.awaits[1]
            try:
                if self.deal is None or (self.deal.request is None and self.deal.outcome is None):
                    if isinstance(request, Shuffle):
                        self._new_deal(request)
                    self.deal.ask(request)
            except Wrong as wrong:
                self.fail(wrong.seat, wrong.reason)
            outcome = self.deal.outcome
            if outcome is None:
                return
            self.deal.outcome = None
            if outcome[0] == "revealed":
                deal = self.deal
                self.audits.append((self.deals, sorted(deal.seeds), sorted(deal.keys.keys() - deal.seeds.keys())))
                self.deal = None
                self._take_back()
            self.game.supply(outcome)

    def _new_deal(self, request):
        self.deals += 1
        people = frozenset(range(self.seats)) - request.sealed
        self.deal = Deal(
            self.id, self.deals, self.seats, people, NAME, self.equations, lambda: self.number + 1
        )

    # --- coming, going ---

    def _over(self):
        return self.game.awaits[0] == "nothing"

    def _take_back(self):
        for seat in sorted(self.returning):
            self.game.take_back(seat)
        self.returning = frozenset()

    def _can_stand_in(self, seats):
        """Can phantoms stand in for these seats without a new deal?"""
        return self._can_void(seats) and self.deal.can_leave(seats)

    def _can_void(self, seats):
        # Who is back and waits for the next deal is a phantom to the game already.
        held = seats - self.returning
        return not self._over() and not held & (self.game.rules.phantoms | self.game.absent)

    def _lose(self, seats, void):
        """The seats are no signers any more; phantoms stand in for them."""
        self.signers -= seats
        for seat in sorted(seats):
            self.gone_since[seat] = self.number + 1
            # Who had come back and was waiting for the next deal is a phantom to the game already.
            if not self._over() and seat not in self.returning:
                try:
                    self.game.stand_in(seat)
                except Illegal as why:
                    self.fail(seat, str(why))
        self.returning -= seats
        if self._over():
            return
        if void:
            self._take_back()
            self.deal = None
            self.game.void_round()
        else:
            for seat in sorted(seats):
                self.deal.leave(seat)
        self._go_on()

    def _check_table_entry(self, entry):
        try:
            kind, back = read_word(entry)
        except Malformed as why:
            self.fail(entry.seat, f"table entry: {why}")
        one = frozenset({entry.seat})
        fine = {BACK: False, READMIT: back and self._is_back(back), LEAVE: self._can_leave(one)}
        if not fine[kind]:
            self.fail(entry.seat, "this is not to be said now")

    def _can_leave(self, one):
        return bool(self.signers - one) and (self._can_stand_in(one) or self._can_void(one))

    def _is_back(self, back):
        """A word of a seat that was given up, said since, in this history."""
        since = self.gone_since.get(back.seat)
        fits = since is not None and back.lane == TABLE and back.body == bytes([BACK])
        fits = fits and since < back.step <= self.number + 1 and back.prev == self.digests[back.step - 1]
        return fits and holds(self.keys[back.seat], back.digest(self.id), back.signature)

    def _table_entry(self, entry):
        kind, back = read_word(entry)
        one = frozenset({entry.seat})
        if kind == READMIT and self._is_back(back):  # Two may have passed on the same word.
            self._readmit(back.seat)
        elif kind == LEAVE and not self._over() and self._can_leave(one):  # Of two who leave the second may be the last.
            self._lose(one, not self._can_stand_in(one))
            del self.gone_since[entry.seat]

    def _readmit(self, seat):
        del self.gone_since[seat]
        self.signers |= {seat}
        if self._over():
            return
        if seat in self.deal.people and self.deal.come_back(seat):
            self.game.take_back(seat)
        else:
            self.returning |= {seat}
        self._go_on()

    # --- votes ---

    def _decide(self, votes, about):
        """What these votes about a step decide: all who stay say the same, and they are more than half."""
        signers = self.signers if about == self.number + 1 else self.before
        ballots = []
        for entry in votes:
            try:
                ballots.append(Ballot(entry.body))
            except Malformed as why:
                self.fail(entry.seat, f"vote: {why}")
            same = (entry.lane, entry.vote) == (VOTE, votes[0].vote) and entry.vote < MAX_VOTES and (entry.step, entry.prev) == (about, self.digests[about - 1])
            if not same or (ballots[-1].gone, ballots[-1].void) != (ballots[0].gone, ballots[0].void):
                self.fail(entry.seat, "another vote")
        gone = ballots[0].gone if ballots else frozenset()
        stay = signers - gone
        enough = gone and gone <= signers and 2 * len(stay) > len(signers)
        if not enough or [entry.seat for entry in votes] != sorted(stay):
            self.fail(None, "votes that decide nothing")
        return Decided(gone, ballots[0].void, votes)

    def _decision_of(self, step):
        """What an absence step carries out."""
        if self.decided:
            if [entry.bytes for entry in step.entries] != [entry.bytes for entry in self.decided.votes]:
                self.fail(None, "other votes than those under the step before")
            return self.decided
        if self._over():
            self.fail(None, "a step after the end of the game")
        about = step.entries[0].step if step.entries else None
        if about is None or about + 1 != step.number or about == 0:
            about = step.number
        decided = self._decide(step.entries, about)
        gone = decided.gone & self.signers
        if not gone:
            self.fail(None, "nobody is given up")
        return Decided(gone, decided.void, decided.votes)


def is_control(c):
    return ord(c) < 32 or 127 <= ord(c) < 160


def read_word(entry):
    """An entry of the table's lane: what it is, and the signed word inside a *readmit*."""
    r = Reader(entry.body)
    kind = r.variant(3)
    back = Entry(r) if kind == READMIT else None
    r.end()
    return kind, back
