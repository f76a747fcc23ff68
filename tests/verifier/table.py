"""Plays a record's log again: signatures, settlement, absence, the deal's lane and the game's (protocol.md, "The table")."""

from codec import Reader
from deal import Deal, Shuffle, Wrong
from group import Malformed
from proofs import Equations
from record import DEAL, GAME, PLAY, TABLE, VOTE, Ballot, Entry, digest, settlement
from shamans import NAME, Illegal, Shamans, read_action
from signing import holds


class Unfair(Exception):
    """What is wrong, at which step, and whose wrong it is (None: nobody's in particular)."""

    def __init__(self, step, seat, reason):
        super().__init__(reason)
        self.step, self.seat, self.reason = step, seat, reason


class Table:
    def __init__(self, genesis):
        self.id, self.holders = genesis.table, genesis.seated()
        self.seats = len(self.holders)
        self.keys = {seat: holder.key for seat, holder in enumerate(self.holders) if holder.key}
        self.number, self.digests = 0, [genesis.table]  # of settled steps
        self.signers, self.gone_since = frozenset(self.keys), {}
        self.left, self.returning = frozenset(), frozenset()
        self.signed = 0
        self._check_genesis(genesis)
        self.equations, self.deal, self.deals, self.audits = Equations(), None, 0, []
        try:
            self.game = Shamans(genesis.setup)
        except Malformed as why:
            raise Unfair(0, None, str(why)) from None
        if self.game.seats != self.seats or self.game.rules.phantoms != frozenset(range(self.seats)) - self.signers:
            raise Unfair(0, None, "the set-up is one for another table")
        self._go_on()

    def fail(self, seat, reason):
        raise Unfair(self.number + 1, seat, reason)

    def _check_genesis(self, genesis):
        people = [holder for holder in genesis.holders if holder.key]
        sound = genesis.protocol == 1 and len(genesis.setup) <= 65536
        sound = sound and len(genesis.holders) <= 5 and people and len({p.key for p in people}) == len(people)
        sound = sound and all(len(p.name.encode()) <= 64 and not any(map(is_control, p.name)) for p in people)
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
                if entry.seat not in self.keys:
                    raise Unfair(number, entry.seat, "an entry of nobody at this table")
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
        mark = step.mark
        if step.kind == PLAY:
            voters = self._check_excuses(step, mark) if step.excuses else self.signers
            self._check_settled(step, voters)
            self._check_play(step)
            effect = self._play
        else:
            if step.excuses:
                self.fail(None, "excuses under an absence step")
            effect = self._check_absence(step)
        effect(step)
        self.number += 1
        self.digests.append(mark.digest)
        self._go_on()

    def _check_settled(self, step, signers):
        """Exactly these have signed, ascending."""
        if [seat for seat, _ in step.signatures] != sorted(signers):
            self.fail(None, "not signed by exactly those who had to")

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
        lane, awaited = self._waits()
        seen = set()
        ranks = []
        for entry in step.entries:
            if (entry.step, entry.prev) != (step.number, step.prev) or (entry.seat, entry.lane) in seen:
                self.fail(entry.seat, "an entry that does not belong here")
            seen.add((entry.seat, entry.lane))
            if entry.lane == TABLE and entry.seat in self.signers:
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
        for seat, action in moves:
            try:
                self.game.apply(seat, action)
            except Illegal:
                pass  # An earlier entry of this step has made it impossible.
        given = {entry.seat: entry.body for entry in step.entries if entry.lane == DEAL}
        if given:
            try:
                self.deal.settle(given)
            except Wrong as wrong:
                self.fail(wrong.seat, wrong.reason)
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
        return action

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

    def _take_back(self):
        for seat in sorted(self.returning):
            self.game.take_back(seat)
        self.returning = frozenset()

    def _void(self):
        self._take_back()
        self.deal = None
        self.game.void_round()

    def _stand_in(self, seats, void=False):
        """The seats are no signers any more; phantoms stand in for them."""
        for seat in sorted(seats):
            if seat not in self.signers:
                continue
            self.signers -= {seat}
            self.gone_since[seat] = self.number + 1
            if seat in self.returning:
                self.returning -= {seat}
            elif seat not in self.game.absent:
                try:
                    self.game.stand_in(seat)
                except Illegal:
                    void = True
            if self.deal is not None and not self.deal.leave(seat):
                void = True
        if void:
            self._void()

    def _check_table_entry(self, entry):
        try:
            r = Reader(entry.body)
            kind = r.variant(3)
            back = Entry(r) if kind == 1 else None
            r.end()
        except Malformed as why:
            self.fail(entry.seat, f"table entry: {why}")
        if kind == 0:
            self.fail(entry.seat, "it is not away")
        if kind == 1:
            seat = back.seat
            sound = seat in self.keys and seat not in self.signers and seat not in self.left
            sound = sound and back.lane == TABLE and back.body == b"\0"
            sound = sound and self.gone_since.get(seat, 0) < back.step <= self.number + 1
            sound = sound and back.prev == self.digests[back.step - 1]
            if not sound or not holds(self.keys[seat], back.digest(self.id), back.signature):
                self.fail(entry.seat, "readmits somebody who did not ask for it")
        if kind == 2 and self.signers == {entry.seat}:
            self.fail(entry.seat, "the last one cannot leave")
        return kind, back

    def _table_entry(self, entry):
        kind, back = self._check_kind(entry)
        if kind == 1 and back.seat not in self.signers:
            self.signers |= {back.seat}
            if self.deal is not None and self.deal.come_back(back.seat):
                self.game.take_back(back.seat)
            else:
                self.returning |= {back.seat}
        elif kind == 2:
            self.left |= {entry.seat}
            self._stand_in({entry.seat})

    def _check_kind(self, entry):
        r = Reader(entry.body)
        kind = r.variant(3)
        return kind, Entry(r) if kind == 1 else None

    # --- absence ---

    def _ballots(self, votes, step, prev):
        """Votes that decide: the same said by all who stay, more than half of the signers."""
        ballots = {}
        for entry in votes:
            if entry.lane != VOTE or (entry.step, entry.prev) != (step, prev) or entry.seat in ballots:
                self.fail(entry.seat, "no vote about this step")
            try:
                ballots[entry.seat] = Ballot(entry.body)
            except Malformed as why:
                self.fail(entry.seat, f"vote: {why}")
        first = next(iter(ballots.values()), None)
        stay = self.signers - first.gone if first else frozenset()
        decided = (
            list(ballots) == sorted(stay)
            and len({entry.vote for entry in votes}) == 1
            and first.gone
            and all((b.gone, b.void) == (first.gone, first.void) for b in ballots.values())
            and 2 * len(stay) > len(self.signers)
        )
        if not decided:
            self.fail(None, "votes that decide nothing")
        return ballots

    def _check_excuses(self, step, mark):
        """A step that not all have signed, but those who stay. The next one is about it."""
        ballots = self._ballots(step.excuses, step.number, step.prev)
        best = self._largest(ballots)
        if best != mark:
            self.fail(None, "votes that excuse another step")
        self.excused = step.excuses
        return ballots.keys()

    @staticmethod
    def _largest(ballots):
        marks = [b.mark for b in ballots.values() if b.mark]
        if not marks:
            return None
        best = max(marks, key=lambda mark: mark.size())
        same = [mark for mark in marks if mark.shape == best.shape]
        return best if all(mark == best for mark in same) else None

    def _check_absence(self, step):
        if not step.entries:
            self.fail(None, "an absence step without votes")
        about = step.entries[0].step
        if about == step.number:
            ballots = self._ballots(step.entries, about, step.prev)
            if any(b.mark for b in ballots.values()):
                self.fail(None, "votes that leave a signed step out")
        elif about == step.number - 1 and self.number > 0:
            ballots = self._ballots(step.entries, about, self.digests[-2])
        else:
            self.fail(None, "votes about another step")
        self._check_settled(step, ballots.keys())
        first = next(iter(ballots.values()))
        return lambda _: self._stand_in(first.gone, first.void)


def is_control(c):
    return ord(c) < 32 or 127 <= ord(c) < 160
