"""The proofs of the sealed deal, as equations "this sum of multiples is zero" (protocol.md, "Linear proof" to "Claim").

Equations are gathered and multiplied with weights of our own; one large sum decides for a whole record. Only if that sum is
not zero is each message looked at alone, the earliest first.
"""

import secrets

from group import BASE, ORDER, ZERO, Malformed, one_way_map, sum_of_multiples
from hashing import DEAL, Transcript, kdf, le16, le32

_generators, _faces = [], {}


def generators(n):
    while len(_generators) < n:
        _generators.append(one_way_map(kdf(DEAL + "generator", le32(len(_generators))).digest(64)))
    return _generators[:n]


def face_point(game, deck, face):
    key = game, deck, face
    if key not in _faces:
        name = game.encode()
        _faces[key] = one_way_map(kdf(DEAL + "face", le32(len(name)), name, bytes([deck]), le16(face)).digest(64))
    return _faces[key]


class Equations:
    """What must be zero, and whose word it was."""

    def __init__(self):
        self.pending = []

    def add(self, label, *sums):
        """`sums`: lists of (scalar, point). `label`: whatever tells the culprit when one of them is not zero."""
        self.pending.append((label, sums))

    def first_false(self):
        """The label of the earliest message whose equations do not hold, or None. Empties the list."""
        pending, self.pending = self.pending, []
        if not pending or _zero(pending):
            return None
        # Halves rather than one by one: the earliest false message costs twice the whole at most.
        while len(pending) > 1:
            middle = len(pending) // 2
            pending = pending[middle:] if _zero(pending[:middle]) else pending[:middle]
        return pending[0][0]


def _zero(pending):
    collected = {}
    for _, sums in pending:
        for terms in sums:
            weight = secrets.randbits(128) | 1
            for k, point in terms:
                entry = collected.setdefault(id(point), [0, point])
                entry[0] += weight * k
    return sum_of_multiples([(k % ORDER, point) for k, point in collected.values()]).is_identity()


def read_linear(reader):
    return reader.list(reader.point), reader.list(reader.scalar)


def linear(transcript, proof, rows):
    """Equations of a linear proof. A row: the image as (scalar, point) list, and for each secret its base as such a list."""
    announced, answers = proof
    secret_count = 1 + max(i for _, bases in rows for i in bases)
    if len(announced) != len(rows) or len(answers) != secret_count:
        raise Malformed("a proof of another shape")
    for r in announced:
        transcript.item("announcement", r)
    c = transcript.challenge("c")
    equations = []
    for r, (image, bases) in zip(announced, rows):
        terms = [(answers[i] * k, point) for i, base in bases.items() for k, point in base]
        terms += [(-c * k, point) for k, point in image]
        terms.append((-1, r))
        equations.append(terms)
    return equations


class ShuffleProof:
    """A proof of shuffle as it was sent."""

    def __init__(self, reader):
        self.order, self.powers, self.blind, self.low, self.high, self.mask = (reader.point() for _ in range(6))
        self.sum = reader.point(), reader.point()
        self.factors, self.factors_blind = reader.list(reader.scalar), reader.scalar()
        self.products, self.products_blind = reader.list(reader.scalar), reader.scalar()
        self.exponents, self.exponents_blind = reader.list(reader.scalar), reader.scalar()
        self.remask = reader.scalar()

    def equations(self, step, seat, piles, key, before, after):
        """`piles`: (deck, first slot, size) of each; `before`, `after`: cards as pairs of points."""
        n = len(before)
        if n < 2 or not len(after) == len(self.factors) == len(self.exponents) == n or len(self.products) != n - 2:
            raise Malformed("a proof of another shape")
        tags = [number for number, (_, _, size) in enumerate(piles) for _ in range(size)]
        t = Transcript("shuffle", step, seat)
        for deck, first, size in piles:
            t.item("deck", bytes([deck]))
            t.item("first", first)
            t.item("size", size)
        t.item("key", key)
        t.item("cards", n)
        for tag in tags:
            t.item("tag", tag)
        for a, b in after:
            t.item("a", a)
            t.item("b", b)
        t.item("order", self.order)
        x = t.challenge("x")
        t.item("powers", self.powers)
        y, z, w = t.challenge("y"), t.challenge("z"), t.challenge("w")
        for point in (self.blind, self.low, self.high, self.mask, *self.sum):
            t.item("argument", point)
        e = t.challenge("e")

        powers = [pow(x, j, ORDER) for j in range(1, n + 1)]
        product = 1
        for j in range(1, n + 1):
            product = product * (y * j + powers[j - 1] + w * tags[j - 1] - z) % ORDER
        factors, h = self.factors, generators(n)
        products = [factors[0], *self.products, e * product % ORDER]
        committed = [(e * y, self.order), (e, self.powers), (1, self.blind), (-self.factors_blind, BASE)]
        committed += [(e * (w * tags[i] - z) - factors[i], h[i]) for i in range(n)]
        chained = [(e, self.high), (1, self.low), (-self.products_blind, BASE)]
        chained += [(products[i] * factors[i + 1] - e * products[i + 1], h[i]) for i in range(n - 1)]
        raised = [(e, self.powers), (1, self.mask), (-self.exponents_blind, BASE)]
        raised += [(-self.exponents[i], h[i]) for i in range(n)]
        masked = []
        for half, base in ((0, BASE), (1, key)):
            terms = [(1, self.sum[half]), (-self.remask, base)]
            terms += [(e * powers[i], before[i][half]) for i in range(n)]
            terms += [(-self.exponents[i], after[i][half]) for i in range(n)]
            masked.append(terms)
        return [committed, chained, raised, *masked]


def keys_equations(step, seat, commitment, deck_key, hand_key, proof):
    t = Transcript("keys", step, seat)
    t.item("commitment", commitment)
    t.item("deck", deck_key)
    t.item("hand", hand_key)
    base = [(1, BASE)]
    return linear(t, proof, [([(1, deck_key)], {0: base}), ([(1, hand_key)], {1: base})])


def escrow_equations(step, seat, ephemeral, lines, proof, deck_key, hand_key):
    t = Transcript("escrow", step, seat)
    t.item("ephemeral", ephemeral)
    for deck, hand, masked_deck, masked_hand in lines:
        t.item("deck", deck)
        t.item("hand", hand)
        t.item("masked deck", masked_deck.to_bytes(32, "little"))
        t.item("masked hand", masked_hand.to_bytes(32, "little"))
    sums = linear(t, proof, [([(1, ephemeral)], {0: [(1, BASE)]})])
    sums.append([(1, line[0]) for line in lines] + [(-1, deck_key)])
    sums.append([(1, line[1]) for line in lines] + [(-1, hand_key)])
    return sums


def complaint_equations(step, seat, against, escrow_step, ephemeral, common, hand_key, proof):
    t = Transcript("complaint", step, seat)
    t.item("against", bytes([against]))
    t.item("escrow step", escrow_step)
    t.item("ephemeral", ephemeral)
    t.item("common", common)
    return linear(t, proof, [([(1, hand_key)], {0: [(1, BASE)]}), ([(1, common)], {0: [(1, ephemeral)]})])


def release_equations(step, seat, jobs, shares, switches, proof):
    """`jobs`, in order of the request: (slot, part's public side, target key or None for all, A of the card). Points that
    stand for the same part or target are the same objects."""
    parts, targets = [], []

    def number(known, point):
        for i, other in enumerate(known):
            if other is point:
                return i
        known.append(point)
        return len(known) - 1

    numbered = [
        (slot, number(parts, part), None if target is None else number(targets, target), a)
        for slot, part, target, a in jobs
    ]
    if len(shares) != sum(t is None for _, _, t, _ in numbered) or len(switches) != sum(t is not None for _, _, t, _ in numbered):
        raise Malformed("a release of another shape")
    t = Transcript("release", step, seat)
    for part in parts:
        t.item("part", part)
    for target in targets:
        t.item("target", target)
    for slot, part, target, _ in numbered:
        t.item("slot", slot)
        t.item("by part", part)
        t.item("to target", 2**32 - 1 if target is None else target)
    for v in shares:
        t.item("share", v)
    for u, d in switches:
        t.item("u", u)
        t.item("d", d)
    weights = t.weights("weights", len(numbered))
    rows = [([(1, part)], {i: [(1, BASE)]}) for i, part in enumerate(parts)]
    images, last_image = [[] for _ in targets], []
    last_bases = {i: [] for i in range(len(parts))}
    left_shares, left_switches = iter(shares), iter(switches)
    for omega, (_, part, target, a) in zip(weights, numbered):
        last_bases[part].append((-omega, a))
        if target is None:
            last_image.append((-omega, next(left_shares)))
        else:
            u, d = next(left_switches)
            images[target].append((omega, u))
            last_image.append((omega, d))
    for i, (target, image) in enumerate(zip(targets, images)):
        rows.append((image, {len(parts) + i: [(1, BASE)]}))
        last_bases[len(parts) + i] = [(1, target)]
    rows.append((last_image, last_bases))
    return linear(t, proof, rows)


def claim_equations(dealt, seat, slot, deck, face, hand_key, card, shown, proof):
    t = Transcript("claim", dealt, seat)
    t.item("slot", slot)
    t.item("deck", bytes([deck]))
    t.item("face", bytes([face]))
    t.item("key", hand_key)
    t.item("a", card[0])
    t.item("b", card[1])
    rows = [([(1, hand_key)], {0: [(1, BASE)]}), ([(1, card[1]), (-1, shown)], {0: [(1, card[0])]})]
    return linear(t, proof, rows)


def total(points):
    result = ZERO
    for point in points:
        result = result + point
    return result
