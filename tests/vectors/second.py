#!/usr/bin/env python3
"""A second implementation of the sealed deal's checks, written from core/docs/protocol.md, with nothing but Python.

Reads the vector files beside it, recomputes every building block and checks one whole round as a spectator would: digests,
proofs, openings, seeds, audit. Slow and not constant-time: it only ever sees public values and revealed seeds.
"""
import json
import os
import sys

V = "shamans deal 1 "

# ---- BLAKE3 (hash, key derivation, extendable output) ----
IV = [0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19]
PERM = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8]
START, END, PARENT, ROOT, CONTEXT, MATERIAL = 1, 2, 4, 8, 32, 64
M32 = 0xFFFFFFFF


def compress(cv, block, counter, length, flags):
    m = [int.from_bytes(block[i:i + 4], "little") for i in range(0, 64, 4)]
    v = cv + IV[:4] + [counter & M32, counter >> 32, length, flags]

    def g(a, b, c, d, x, y):
        v[a] = (v[a] + v[b] + x) & M32
        v[d] ^= v[a]; v[d] = (v[d] >> 16 | v[d] << 16) & M32
        v[c] = (v[c] + v[d]) & M32
        v[b] ^= v[c]; v[b] = (v[b] >> 12 | v[b] << 20) & M32
        v[a] = (v[a] + v[b] + y) & M32
        v[d] ^= v[a]; v[d] = (v[d] >> 8 | v[d] << 24) & M32
        v[c] = (v[c] + v[d]) & M32
        v[b] ^= v[c]; v[b] = (v[b] >> 7 | v[b] << 25) & M32

    for r in range(7):
        for i in range(4):
            g(i, 4 + i, 8 + i, 12 + i, m[2 * i], m[2 * i + 1])
        for i in range(4):
            g(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, m[8 + 2 * i], m[9 + 2 * i])
        m = [m[p] for p in PERM]
    return [v[i] ^ v[i + 8] for i in range(8)] + [v[i + 8] ^ cv[i] for i in range(8)]


def node(data, key, flags, counter):
    """The last compression of a subtree, not yet done: (cv, block, counter, length, flags)."""
    if len(data) <= 1024:
        cv, blocks = key, [data[i:i + 64] for i in range(0, len(data), 64)] or [b""]
        for i, block in enumerate(blocks):
            f = flags | (START if i == 0 else 0) | (END if i == len(blocks) - 1 else 0)
            last = (cv, block.ljust(64, b"\0"), counter, len(block), f)
            if i < len(blocks) - 1:
                cv = compress(*last)[:8]
        return last
    chunks = (len(data) - 1) // 1024
    left = 1 << (chunks.bit_length() - 1)
    cvs = b""
    for part, at in ((data[:left * 1024], counter), (data[left * 1024:], counter + left)):
        cvs += b"".join(w.to_bytes(4, "little") for w in compress(*node(part, key, flags, at))[:8])
    return (key, cvs, 0, 64, flags | PARENT)


def words_of(data):
    return [int.from_bytes(data[i:i + 4], "little") for i in range(0, 32, 4)]


class Stream:
    """The output of a hash, from the start."""

    def __init__(self, last):
        self.last, self.buffer, self.at = last, b"", 0

    def take(self, n):
        while len(self.buffer) < n:
            cv, block, _, length, flags = self.last
            self.buffer += b"".join(w.to_bytes(4, "little") for w in compress(cv, block, self.at, length, flags | ROOT))
            self.at += 1
        out, self.buffer = self.buffer[:n], self.buffer[n:]
        return out

    def wide(self):
        return int.from_bytes(self.take(64), "little") % L


def kdf(context, data):
    key = words_of(Stream(node(context.encode(), IV, CONTEXT, 0)).take(32))
    return Stream(node(data, key, MATERIAL, 0))


def le(n, number):
    return number.to_bytes(n, "little")


def H(context, *parts):
    return kdf(V + context, b"".join(le(4, len(p)) + p for p in parts)).take(32)


# ---- Ristretto255 (RFC 9496) ----
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)


def odd(x):
    return x & 1


def absolute(x):
    return P - x if odd(x) else x


def sqrt_ratio(u, v):
    r = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * r * r % P
    correct, flipped, flipped_i = check == u % P, check == -u % P, check == -u * SQRT_M1 % P
    if flipped or flipped_i:
        r = r * SQRT_M1 % P
    return correct or flipped, absolute(r)


INVSQRT_A_MINUS_D = sqrt_ratio(1, -1 - D)[1]
SQRT_AD_MINUS_ONE = sqrt_ratio(-D - 1, 1)[1]
# The RFC fixes which of the two roots this constant is.
if SQRT_AD_MINUS_ONE != 25063068953384623474111414158702152701244531502492656460079210482610430750235:
    SQRT_AD_MINUS_ONE = P - SQRT_AD_MINUS_ONE


def add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * D * p[3] * q[3] % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


ZERO = (0, 1, 1, 0)


def neg(p):
    return (-p[0] % P, p[1], p[2], -p[3] % P)


def mul(s, p):
    s %= L
    out = ZERO
    while s:
        if s & 1:
            out = add(out, p)
        p, s = add(p, p), s >> 1
    return out


def total(pairs):
    out = ZERO
    for s, p in pairs:
        out = add(out, mul(s, p))
    return out


def same(p, q):
    return (p[0] * q[1] - p[1] * q[0]) % P == 0 or (p[1] * q[1] - p[0] * q[0]) % P == 0


def decode(data):
    s = int.from_bytes(data, "little")
    assert len(data) == 32 and s < P and not odd(s), "not canonical"
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    square, i = sqrt_ratio(1, v * u2 * u2 % P)
    x = absolute(2 * s * i * u2 % P)
    y = u1 * i * i * u2 * v % P
    assert square and not odd(x * y % P) and y != 0, "no point"
    return (x, y, 1, x * y % P)


def encode(p):
    x, y, z, t = p
    u1, u2 = (z + y) * (z - y) % P, x * y % P
    _, i = sqrt_ratio(1, u1 * u2 * u2 % P)
    d1, d2 = i * u1 % P, i * u2 % P
    zi = d1 * d2 * t % P
    if odd(t * zi % P):
        x, y, d = y * SQRT_M1 % P, x * SQRT_M1 % P, d1 * INVSQRT_A_MINUS_D % P
    else:
        d = d2
    if odd(x * zi % P):
        y = -y % P
    return le(32, absolute(d * (z - y) % P))


def elligator(data):
    t = int.from_bytes(data, "little") % 2**255 % P
    r = SQRT_M1 * t * t % P
    u = (r + 1) * (1 - D * D) % P
    v = (-1 - r * D) * (r + D) % P
    square, s = sqrt_ratio(u, v)
    if not square:
        s = -absolute(s * t % P) % P
    c = -1 if square else r
    n = (c * (r - 1) * (D - 1) * (D - 1) - v) % P
    w0, w1, w2, w3 = 2 * s * v % P, n * SQRT_AD_MINUS_ONE % P, (1 - s * s) % P, (1 + s * s) % P
    return (w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P)


def to_group(stream):
    data = stream.take(64)
    return add(elligator(data[:32]), elligator(data[32:]))


G = decode(bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"))


def scalar(data):
    s = int.from_bytes(data, "little")
    assert len(data) == 32 and s < L, "scalar not canonical"
    return s


# ---- Codec: reading ----
class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def raw(self, n):
        assert self.at + n <= len(self.data), "cut off"
        self.at += n
        return self.data[self.at - n:self.at]

    def number(self):
        first = self.raw(1)[0]
        if first < 251:
            return first
        return int.from_bytes(self.raw({251: 2, 252: 4, 253: 8}[first]), "little")

    def many(self, read):
        return [read() for _ in range(self.number())]

    def point(self):
        return self.raw(32)

    def end(self):
        assert self.at == len(self.data), "bytes left over"


def varint(n):
    return le(1, n) if n < 251 else b"\xfb" + le(2, n) if n < 1 << 16 else b"\xfc" + le(4, n)


def seat_set(seats):
    return le(1, sum(1 << s for s in seats))


# ---- Secrets, faces, transcripts ----
def stream(seed, root, purpose, serial, at):
    return kdf(V + "secret", seed + root + le(1, len(purpose)) + purpose.encode() + le(4, serial) + le(4, at))


def order_of(seed, root, serial, at, n):
    source, order = stream(seed, root, "order", serial, at), list(range(n))
    for i in range(n - 1, 0, -1):
        whole = (1 << 32) // (i + 1) * (i + 1)
        while (j := int.from_bytes(source.take(4), "little")) >= whole:
            pass
        j %= i + 1
        order[i], order[j] = order[j], order[i]
    return order


def face_point(game, deck, face):
    return to_group(kdf(V + "face", le(4, len(game)) + game.encode() + le(1, deck) + le(2, face)))


GENERATORS = []


def generator(i):
    while len(GENERATORS) <= i:
        GENERATORS.append(to_group(kdf(V + "generator", le(4, len(GENERATORS)))))
    return GENERATORS[i]


def com(values, blind):
    return total([(blind, G)] + [(v, generator(i)) for i, v in enumerate(values)])


class Transcript:
    def __init__(self, statement, step, seat):
        self.data = b""
        self.item("statement", statement.encode())
        self.item("step", step)
        self.item("seat", le(1, seat))

    def item(self, label, data):
        self.data += le(1, len(label)) + label.encode() + le(4, len(data)) + data

    def number(self, label, n):
        self.item(label, le(4, n))

    def stream(self):
        return kdf(V + "transcript", self.data)

    def challenge(self, label):
        self.item(label, b"")
        return self.stream().wide()

    def weights(self, label, n):
        self.item(label, b"")
        source = self.stream()
        return [int.from_bytes(source.take(16), "little") for _ in range(n)]


def read_linear(r):
    return r.many(r.point), [scalar(s) for s in r.many(r.point)]


def check_linear(transcript, proof, rows, secrets):
    """rows: (image, [(secret's number, base)])"""
    announced, answers = proof
    assert len(announced) == len(rows) and len(answers) == secrets, "form of a proof"
    for a in announced:
        transcript.item("announcement", a)
    c = transcript.challenge("c")
    for a, (image, terms) in zip(announced, rows):
        left = total([(answers[i], base) for i, base in terms])
        assert same(left, add(mul(c, image), decode(a))), "a linear proof"


# ---- Proof of shuffle ----
def check_shuffle(transcript, key, cards, tags, r):
    after = r.many(lambda: (r.point(), r.point()))
    order, powers, blind, low, high, mask = (r.point() for _ in range(6))
    total_a, total_b = r.point(), r.point()
    factors, factors_blind = [scalar(s) for s in r.many(r.point)], scalar(r.point())
    products, products_blind = [scalar(s) for s in r.many(r.point)], scalar(r.point())
    exponents, exponents_blind = [scalar(s) for s in r.many(r.point)], scalar(r.point())
    remask = scalar(r.point())
    n = len(cards)
    assert len(after) == len(factors) == len(exponents) == n and len(products) == n - 2
    transcript.item("key", encode(key))
    transcript.number("cards", n)
    for tag in tags:
        transcript.number("tag", tag)
    for a, b in after:
        transcript.item("a", a)
        transcript.item("b", b)
    transcript.item("order", order)
    x = transcript.challenge("x")
    transcript.item("powers", powers)
    y, z, w = transcript.challenge("y"), transcript.challenge("z"), transcript.challenge("w")
    for point in (blind, low, high, mask, total_a, total_b):
        transcript.item("argument", point)
    e = transcript.challenge("e")
    product = 1
    for j in range(1, n + 1):
        product = product * (y * j + pow(x, j, L) + w * tags[j - 1] - z) % L
    products = [factors[0]] + products + [e * product % L]
    order, powers, blind, low, high, mask = map(decode, (order, powers, blind, low, high, mask))
    shift = com([w * tag - z for tag in tags], 0)
    left = add(mul(e, add(add(mul(y, order), powers), shift)), blind)
    assert same(left, com(factors, factors_blind)), "product argument: factors"
    chain = [e * products[i + 1] - products[i] * factors[i + 1] for i in range(n - 1)]
    assert same(add(mul(e, high), low), com(chain, products_blind)), "product argument: chain"
    assert same(add(mul(e, powers), mask), com(exponents, exponents_blind)), "powers"
    out = [(decode(a), decode(b)) for a, b in after]
    for half, announced, base in ((0, total_a, G), (1, total_b, key)):
        left = add(decode(announced), mul(e, total([(pow(x, j + 1, L), c[half]) for j, c in enumerate(cards)])))
        right = add(mul(remask, base), total([(s, c[half]) for s, c in zip(exponents, out)]))
        assert same(left, right), "multi-exponentiation"
    return out


# ---- A deal, as a spectator follows it ----
JOINT = "joint"


class Deal:
    def __init__(self, context):
        self.context = context
        encoded = context["table"] + varint(context["number"]) + le(1, context["seats"]) + seat_set(context["people"])
        encoded += varint(len(context["game"])) + context["game"].encode()
        self.encoded = encoded
        self.root = self.digest = H("root", encoded)
        self.serial, self.away = 0, set()
        self.keys, self.escrow, self.slots, self.faces, self.seeds = {}, {}, {}, {}, {}
        self.mixes, self.outcome, self.request, self.stage = [], None, None, None

    def face(self, deck, point):
        return next(f for f, p in enumerate(self.faces[deck]) if same(p, point))

    def here(self):
        return sorted(set(self.keys) - self.away)

    def lock_key(self, lock):
        if lock == JOINT:
            return total([(1, k["X"]) for k in self.keys.values()])
        return self.keys[lock]["Y"]

    # Requests and steps.
    def ask(self, request, encoded):
        self.digest = H("request", self.digest, encoded)
        self.request = request
        kind, fields = next(iter(request.items())) if isinstance(request, dict) else (request, None)
        self.kind = kind
        if kind == "Shuffle":
            self.decks = fields["decks"]
            for deck in self.decks:
                self.faces[deck["id"]] = [face_point(self.context["game"], deck["id"], f) for f in range(deck["size"])]
            self.begin(("keys",))
        elif kind in ("Open", "Pass"):
            tasks = []
            for slot, to in fields["slots"]:
                seat = None if to == "All" else to["One"] if isinstance(to, dict) else to
                goal = None if seat is None else seat if seat in self.keys else JOINT
                place = self.slots[slot]
                if place["face"] is None and (goal is None or place["lock"] != goal):
                    tasks.append((slot, place["lock"], goal))
            self.begin(("release", tasks))
        elif kind == "Remix":
            own, rest = [], []
            for hand in fields["hands"]:
                for i, slot in enumerate(hand["from"]):
                    self.slots[hand["into"] + i] = dict(self.slots[slot], face=None)
                place = self.slots[hand["into"]]
                pile = (place["deck"], hand["into"], len(hand["from"]), place["lock"])
                if pile[2] > 1:
                    if pile[3] != JOINT and pile[3] not in self.away:
                        own.append((pile[3], pile))
                    else:
                        rest.append(pile)
            self.begin(("own", own, rest) if own else ("chain", rest, self.here() if rest else []))
        else:
            self.begin(("seeds",))

    def holders(self, lock):
        return self.here() if lock == JOINT or lock in self.away else [lock]

    def awaited(self):
        name = self.stage[0]
        if name == "keys":
            return sorted(set(self.context["people"]) - self.away)
        if name in ("escrow", "seeds"):
            return self.here()
        if name == "chain":
            return self.stage[2][:1]
        if name == "own":
            return sorted({seat for seat, _ in self.stage[1]})
        return sorted({seat for _, lock, _ in self.stage[1] for seat in self.holders(lock)})

    def begin(self, stage):
        self.serial += 1
        self.stage = stage
        kind = {"keys": 0, "escrow": 1, "chain": 2, "own": 2, "release": 3, "seeds": 5}[stage[0]]
        self.step = H("step", self.digest, le(4, self.serial), le(1, kind), seat_set(self.awaited()), seat_set(self.away))

    def settle(self, messages):
        assert [seat for seat, _ in messages] == self.awaited(), "who is awaited"
        name = self.stage[0]
        results = {seat: getattr(self, "check_" + name)(seat, Reader(data)) for seat, data in messages}
        parts = [part for seat, data in messages for part in (le(1, seat), data)]
        self.digest = H("settled", self.step, *parts)
        getattr(self, "take_" + name)(results)

    # Keys.
    def check_keys(self, seat, r):
        assert r.number() == 0
        commitment, x, y = r.raw(32), r.point(), r.point()
        t = Transcript("keys", self.step, seat)
        t.item("commitment", commitment)
        t.item("deck", x)
        t.item("hand", y)
        keys = {"commitment": commitment, "X": decode(x), "Y": decode(y)}
        assert not same(keys["X"], ZERO) and not same(keys["Y"], ZERO)
        check_linear(t, read_linear(r), [(keys["X"], [(0, G)]), (keys["Y"], [(1, G)])], 2)
        r.end()
        return keys

    def take_keys(self, results):
        self.keys = results
        if len(self.keys) >= 3:
            self.begin(("escrow",))
        else:
            self.lay_decks()

    # Escrow.
    def check_escrow(self, seat, r):
        assert r.number() == 1
        e = r.point()
        lines = r.many(lambda: [r.point() for _ in range(4)])
        others = [other for other in sorted(self.keys) if other != seat]
        assert len(lines) == len(others)
        t = Transcript("escrow", self.step, seat)
        t.item("ephemeral", e)
        for line in lines:
            for label, data in zip(("deck", "hand", "masked deck", "masked hand"), line):
                t.item(label, data)
        check_linear(t, read_linear(r), [(decode(e), [(0, G)])], 1)
        r.end()
        shares = {o: (decode(x), decode(y), scalar(cx), scalar(cy)) for o, (x, y, cx, cy) in zip(others, lines)}
        assert same(total([(1, s[0]) for s in shares.values()]), self.keys[seat]["X"]), "parts sum to X"
        assert same(total([(1, s[1]) for s in shares.values()]), self.keys[seat]["Y"]), "parts sum to Y"
        return {"E": decode(e), "shares": shares, "step": self.step, "serial": self.serial}

    def take_escrow(self, results):
        self.escrow = results
        self.lay_decks()

    # Mixing.
    def lay_decks(self):
        piles = []
        for deck in self.decks:
            for i, point in enumerate(self.faces[deck["id"]]):
                self.slots[deck["first"] + i] = {"deck": deck["id"], "card": (ZERO, point), "lock": JOINT, "face": None}
            piles.append((deck["id"], deck["first"], deck["size"], JOINT))
        self.begin(("chain", piles, self.here()))

    def mix_piles(self, seat):
        return self.stage[1] if self.stage[0] == "chain" else [pile for s, pile in self.stage[1] if s == seat]

    def check_mixed(self, seat, r):
        assert r.number() == 2
        piles, groups = self.mix_piles(seat), []
        locks = list(dict.fromkeys(pile[3] for pile in piles))
        assert r.number() == len(locks)
        for lock in locks:
            mine = [pile for pile in piles if pile[3] == lock]
            t = Transcript("shuffle", self.step, seat)
            for deck, first, size, _ in mine:
                t.item("deck", le(1, deck))
                t.number("first", first)
                t.number("size", size)
            slots = [first + i for _, first, size, _ in mine for i in range(size)]
            tags = [tag for tag, pile in enumerate(mine) for _ in range(pile[2])]
            cards = [self.slots[slot]["card"] for slot in slots]
            key = self.lock_key(lock)
            groups.append((seat, self.serial, mine, key, slots, cards, check_shuffle(t, key, cards, tags, r)))
        r.end()
        return groups

    check_chain = check_own = check_mixed

    def put_mixed(self, results):
        for groups in results.values():
            for group in groups:
                self.mixes.append(group)
                for slot, card in zip(group[4], group[6]):
                    self.slots[slot]["card"] = card

    def take_chain(self, results):
        self.put_mixed(results)
        turns = self.stage[2][1:]
        if turns:
            self.begin(("chain", self.stage[1], turns))
        elif self.kind == "Shuffle":
            self.dealt = self.digest
            self.outcome = "Shuffled"
        else:
            self.outcome = "Remixed"

    def take_own(self, results):
        self.put_mixed(results)
        if self.stage[2]:
            self.begin(("chain", self.stage[2], self.here()))
        else:
            self.outcome = "Remixed"

    # Release.
    def part(self, seat, lock):
        if lock == JOINT:
            gone = [g for g in self.keys if g in self.away]
            return total([(1, self.keys[seat]["X"])] + [(1, self.escrow[g]["shares"][seat][0]) for g in gone])
        return self.keys[seat]["Y"] if lock == seat else self.escrow[lock]["shares"][seat][1]

    def check_release(self, seat, r):
        assert r.number() == 4
        shares, switches = r.many(r.point), r.many(lambda: (r.point(), r.point()))
        tasks = [task for task in self.stage[1] if seat in self.holders(task[1])]
        locks = list(dict.fromkeys(lock for _, lock, _ in tasks))
        goals = list(dict.fromkeys(goal for _, _, goal in tasks if goal is not None))
        parts, targets = [self.part(seat, lock) for lock in locks], [self.lock_key(goal) for goal in goals]
        t = Transcript("release", self.step, seat)
        for part in parts:
            t.item("part", encode(part))
        for target in targets:
            t.item("target", encode(target))
        for slot, lock, goal in tasks:
            t.number("slot", slot)
            t.number("by part", locks.index(lock))
            t.number("to target", 2**32 - 1 if goal is None else goals.index(goal))
        for share in shares:
            t.item("share", share)
        for u, d in switches:
            t.item("u", u)
            t.item("d", d)
        weights = t.weights("weights", len(tasks))
        given, next_share, next_switch = {}, iter(shares), iter(switches)
        image, masks, cards = [], [[] for _ in goals], [[] for _ in locks]
        for (slot, lock, goal), weight in zip(tasks, weights):
            cards[locks.index(lock)].append((weight, self.slots[slot]["card"][0]))
            if goal is None:
                given[slot] = (decode(next(next_share)),)
                image.append((-weight, given[slot][0]))
            else:
                u, d = map(decode, next(next_switch))
                given[slot] = (u, d)
                image.append((weight, d))
                masks[goals.index(goal)].append((weight, u))
        assert next(next_share, None) is None and next(next_switch, None) is None
        n = len(parts)
        rows = [(part, [(i, G)]) for i, part in enumerate(parts)]
        rows += [(total(m), [(n + i, G)]) for i, m in enumerate(masks)]
        terms = [(n + i, target) for i, target in enumerate(targets)]
        terms += [(i, neg(total(c))) for i, c in enumerate(cards)]
        rows.append((total(image), terms))
        check_linear(t, read_linear(r), rows, n + len(targets))
        r.end()
        return given

    def take_release(self, results):
        for slot, _, goal in self.stage[1]:
            place = self.slots[slot]
            given = [g[slot] for g in results.values() if slot in g]
            b = place["card"][1]
            if goal is None:
                for (share,) in given:
                    b = add(b, neg(share))
                place["face"] = self.face(place["deck"], b)
            else:
                place["card"] = (total([(1, u) for u, _ in given]), total([(1, b)] + [(1, d) for _, d in given]))
                place["lock"] = goal
        if self.kind == "Open":
            slots = self.request["Open"]["slots"]
            self.outcome = {"Opened": [self.slots[slot]["face"] for slot, to in slots if to == "All"]}
        else:
            self.outcome = "Passed"

    # Claims.
    def claim(self, by, slot, face, proof):
        place, y = self.slots[slot], self.keys[by]["Y"]
        assert place["lock"] == by
        a, b = place["card"]
        t = Transcript("claim", self.dealt, by)
        t.number("slot", slot)
        t.item("deck", le(1, place["deck"]))
        t.item("face", le(1, face))
        for label, point in (("key", y), ("a", a), ("b", b)):
            t.item(label, encode(point))
        r = Reader(proof)
        shown = add(b, neg(self.faces[place["deck"]][face]))
        check_linear(t, read_linear(r), [(y, [(0, G)]), (shown, [(0, a)])], 1)
        r.end()
        place["face"] = face

    # Reveal and audit.
    def check_seeds(self, seat, r):
        assert r.number() == 5
        seed = r.raw(32)
        r.end()
        assert H("commit", self.root, le(1, seat), seed) == self.keys[seat]["commitment"], "commitment"
        return seed

    def take_seeds(self, results):
        self.seeds = results
        secret = {}
        for seat, seed in self.seeds.items():
            x, y = (stream(seed, self.root, p, 0, 0).wide() for p in ("deck key", "hand key"))
            assert same(mul(x, G), self.keys[seat]["X"]) and same(mul(y, G), self.keys[seat]["Y"]), "audit: keys"
            secret[seat] = (x, y)
        for seat, escrow in self.escrow.items():
            seed, serial = self.seeds[seat], escrow["serial"]
            e = stream(seed, self.root, "ephemeral", serial, 0).wide()
            assert same(mul(e, G), escrow["E"]), "audit: ephemeral"
            left = list(secret[seat])
            for to, (sx, sy, cx, cy) in escrow["shares"].items():
                if to == max(escrow["shares"]):
                    px, py = left
                else:
                    px, py = (stream(seed, self.root, p, serial, to).wide() for p in ("deck part", "hand part"))
                left = [left[0] - px, left[1] - py]
                common = mul(e, self.keys[to]["Y"])
                masks = kdf(V + "escrow", escrow["step"] + bytes([seat, to]) + encode(escrow["E"]) + encode(common))
                assert (cx, cy) == ((px + masks.wide()) % L, (py + masks.wide()) % L), "audit: parts"
                assert same(mul(px, G), sx) and same(mul(py, G), sy), "audit: commitments to parts"
        for seat, serial, piles, key, _, before, after in self.mixes:
            start = 0
            for _, first, size, _ in piles:
                order = order_of(self.seeds[seat], self.root, serial, first, size)
                masks = stream(self.seeds[seat], self.root, "mask", serial, first)
                for i in range(size):
                    (a, b), rho = before[start + order[i]], masks.wide()
                    assert same(after[start + i][0], add(a, mul(rho, G))), "audit: mix"
                    assert same(after[start + i][1], add(b, mul(rho, key))), "audit: mix"
                start += size
        joint = sum(x for x, _ in secret.values())
        faces = [None] * (max(self.slots) + 1)
        for slot, place in self.slots.items():
            k = joint if place["lock"] == JOINT else secret[place["lock"]][1]
            a, b = place["card"]
            faces[slot] = self.face(place["deck"], add(b, neg(mul(k, a))))
            assert place["face"] in (None, faces[slot])
        self.outcome = {"Revealed": faces}


def hexed(value):
    return bytes.fromhex(value)


def context_of(value):
    return dict(value, table=hexed(value["table"]))


def primitives(file):
    deal = Deal(context_of(file["context"]))
    root = deal.root
    assert deal.encoded == hexed(file["context"]["encoded"]) and root == hexed(file["context"]["root"]), "root"
    s = file["seed"]
    seed = kdf(V + "seed", hexed(s["identity"]) + deal.context["table"] + le(4, deal.context["number"])).take(32)
    assert seed == hexed(s["seed"]) and H("commit", root, le(1, s["seat"]), seed) == hexed(s["commitment"]), "seed"
    for purpose, name in (("deck key", "deck_key"), ("hand key", "hand_key")):
        assert stream(seed, root, purpose, 0, 0).wide() == scalar(hexed(s[name])), name
    m = file["secrets"]
    source = stream(seed, root, m["purpose"], m["serial"], m["at"])
    assert all(source.wide() == scalar(hexed(x)) for x in m["scalars"]), "secrets"
    o = file["order"]
    assert order_of(seed, root, o["serial"], o["at"], len(o["order"])) == o["order"], "order"
    f = file["faces"]
    for deck, name in ((f["deck"], "points"), (1, "deck 1")):
        for i, point in enumerate(f[name]):
            assert encode(face_point(f["game"], deck, i)) == hexed(point), "face"
    for i, point in enumerate(file["generators"]):
        assert encode(generator(i)) == hexed(point), "generator"
    v = file["transcript"]
    t = Transcript(v["statement"], hexed(v["step"]), v["seat"])
    for item in v["items"]:
        t.item(item["label"], hexed(item["bytes"])) if "bytes" in item else t.number(item["label"], item["number"])
    assert t.challenge(v["challenge"]["label"]) == scalar(hexed(v["challenge"]["scalar"])), "challenge"
    expected = [scalar(hexed(x)) for x in v["weights"]["scalars"]]
    assert t.weights(v["weights"]["label"], len(expected)) == expected, "weights"
    nonce = kdf(V + "nonce", hexed(v["nonce"]["seed"]) + hexed(v["nonce"]["fresh"]) + t.stream().take(32))
    assert nonce.wide() == scalar(hexed(v["nonce"]["first"])), "nonce"
    sh = file["shuffle"]
    key = decode(hexed(sh["key"]))
    before = [tuple(decode(hexed(half)) for half in card) for card in sh["before"]]
    t = Transcript("shuffle", hexed(sh["step"]), sh["seat"])
    tags = []
    for tag, pile in enumerate(sh["piles"]):
        t.item("deck", le(1, pile["deck"]))
        t.number("first", pile["first"])
        t.number("size", pile["size"])
        tags += [tag] * pile["size"]
    r = Reader(hexed(sh["message"]))
    assert (r.number(), r.number()) == (2, 1)
    after = check_shuffle(t, key, before, tags, r)
    r.end()
    for i, (a, b) in enumerate(after):
        assert [encode(a).hex(), encode(b).hex()] == sh["after"][i], "after"
        x, y = before[sh["order"][i]]
        rho = scalar(hexed(sh["masks"][i]))
        assert same(a, add(x, mul(rho, G))) and same(b, add(y, mul(rho, key))), "masked"
    # A proof for other cards does not hold.
    try:
        t = Transcript("shuffle", hexed(sh["step"]), sh["seat"])
        for pile in sh["piles"]:
            t.item("deck", le(1, pile["deck"]))
            t.number("first", pile["first"])
            t.number("size", pile["size"])
        r = Reader(hexed(sh["message"]))
        r.number(), r.number()
        check_shuffle(t, key, [before[1]] + before[1:], tags, r)
    except AssertionError:
        return
    raise AssertionError("a false shuffle was taken")


def whole_round(file):
    deal = Deal(context_of(file["context"]))
    assert deal.root == hexed(file["context"]["root"])
    outcomes = 0
    for entry in file["entries"]:
        if "request" in entry:
            deal.ask(entry["request"], hexed(entry["encoded"]))
        elif "messages" in entry:
            assert deal.serial == entry["serial"] and deal.step == hexed(entry["digest"]), "step digest"
            deal.settle([(m["seat"], hexed(m["bytes"])) for m in entry["messages"]])
        elif "outcome" in entry:
            assert deal.outcome == entry["outcome"], (deal.outcome, entry["outcome"])
            outcomes += 1
        elif "claim" in entry:
            c = entry["claim"]
            deal.claim(c["by"], c["slot"], c["face"], hexed(c["proof"]))
        elif "away" in entry:
            deal.away.add(entry["away"])
        elif "back" in entry:
            deal.away.discard(entry["back"])
    assert deal.digest == hexed(file["digest"]), "final digest"
    return outcomes


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "deal-primitives.json")) as file:
        primitives(json.load(file))
    print("building blocks: the same")
    with open(os.path.join(here, "deal-round.json")) as file:
        print("whole round: the same,", whole_round(json.load(file)), "outcomes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
