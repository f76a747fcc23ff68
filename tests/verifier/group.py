"""Ristretto255 (RFC 9496) on gmpy2's integers: points, their encoding, the one-way map, sums of multiples.

Not constant-time: a verifier has no secrets.
"""

from gmpy2 import invert, mpz, powmod

P = mpz(2**255 - 19)
ORDER = 2**252 + 27742317777372353535851937790883648493
D = mpz(-121665) * invert(mpz(121666), P) % P
D2 = 2 * D % P
SQRT_M1 = powmod(mpz(2), (P - 1) // 4, P)


class Malformed(Exception):
    """Bytes that are no point, no scalar, or no value of the expected form."""


def sqrt_ratio(u, v):
    """Whether u/v is a square, and the non-negative root of it, or of i·u/v."""
    v3 = v * v * v % P
    r = u * v3 * powmod(u * v3 * v3 * v % P, (P - 5) // 8, P) % P
    check = v * r * r % P
    square = check == u % P
    flipped = check == -u % P
    if flipped or check == -u * SQRT_M1 % P:
        r = r * SQRT_M1 % P
    if r & 1:
        r = P - r
    return square or flipped, r


INVSQRT_A_MINUS_D = sqrt_ratio(mpz(1), (-1 - D) % P)[1]
SQRT_AD_MINUS_ONE = sqrt_ratio((-D - 1) % P, mpz(1))[1]
# RFC 9496 fixes the odd one of the two roots.
if SQRT_AD_MINUS_ONE != mpz(25063068953384623474111414158702152701244531502492656460079210482610430750235):
    SQRT_AD_MINUS_ONE = P - SQRT_AD_MINUS_ONE
ONE_MINUS_D_SQ = (1 - D * D) % P
D_MINUS_ONE_SQ = (D - 1) * (D - 1) % P


class Point:
    """One element of the group."""

    __slots__ = ("x", "y", "z", "t", "_bytes", "_niels")

    def __init__(self, x, y, z, t):
        self.x, self.y, self.z, self.t = x, y, z, t
        self._bytes = self._niels = None

    def __add__(self, other):
        a = (self.y - self.x) * (other.y - other.x) % P
        b = (self.y + self.x) * (other.y + other.x) % P
        c = self.t * D2 % P * other.t % P
        d = 2 * self.z * other.z % P
        e, f, g, h = b - a, d - c, d + c, b + a
        return Point(e * f % P, g * h % P, f * g % P, e * h % P)

    def __neg__(self):
        return Point(P - self.x, self.y, self.z, P - self.t)

    def __sub__(self, other):
        return self + -other

    def __eq__(self, other):
        return (self.x * other.y - self.y * other.x) % P == 0 or (self.y * other.y - self.x * other.x) % P == 0

    __hash__ = None

    def is_identity(self):
        return self.x % P == 0 or self.y % P == 0

    def double(self):
        a, b = self.x * self.x % P, self.y * self.y % P
        c = 2 * self.z * self.z
        h = a + b
        e = h - (self.x + self.y) * (self.x + self.y)
        g = a - b
        f = (c + g) % P
        e %= P
        return Point(e * f % P, g * h % P, f * g % P, e * h % P)

    def niels(self):
        """(y−x, y+x, 2dxy) of the affine point."""
        if self._niels is None:
            x, y = self.x, self.y
            if self.z != 1:
                i = invert(self.z, P)
                x, y = x * i % P, y * i % P
            self._niels = (y - x, y + x, D2 * x % P * y % P)
        return self._niels

    def encode(self):
        if self._bytes is None:
            x0, y0, z0, t0 = self.x, self.y, self.z, self.t
            u1 = (z0 + y0) * (z0 - y0) % P
            u2 = x0 * y0 % P
            inv = sqrt_ratio(mpz(1), u1 * u2 % P * u2 % P)[1]
            d1, d2 = u1 * inv % P, u2 * inv % P
            zinv = d1 * d2 % P * t0 % P
            if t0 * zinv % P & 1:
                x, y, d = y0 * SQRT_M1 % P, x0 * SQRT_M1 % P, d1 * INVSQRT_A_MINUS_D % P
            else:
                x, y, d = x0, y0, d2
            if x * zinv % P & 1:
                y = -y
            s = d * (z0 - y) % P
            if s & 1:
                s = P - s
            self._bytes = int(s).to_bytes(32, "little")
        return self._bytes


ZERO = Point(mpz(0), mpz(1), mpz(1), mpz(0))
_decoded = {}


def decode(data):
    """The point of 32 canonical bytes."""
    point = _decoded.get(data)
    if point is None:
        s = mpz(int.from_bytes(data, "little"))
        if len(data) != 32 or s >= P or s & 1:
            raise Malformed("no canonical point")
        ss = s * s % P
        u1, u2 = (1 - ss) % P, (1 + ss) % P
        u2_sq = u2 * u2 % P
        v = (-D * u1 * u1 - u2_sq) % P
        square, inv = sqrt_ratio(mpz(1), v * u2_sq % P)
        dx = inv * u2 % P
        x = 2 * s * dx % P
        if x & 1:
            x = P - x
        y = u1 * (inv * dx % P * v % P) % P
        t = x * y % P
        if not square or t & 1 or y == 0:
            raise Malformed("no canonical point")
        point = Point(x, y, mpz(1), t)
        point._bytes = data
        _decoded[data] = point
    return point


def scalar(data):
    """The scalar of 32 canonical bytes."""
    value = int.from_bytes(data, "little")
    if len(data) != 32 or value >= ORDER:
        raise Malformed("no canonical scalar")
    return value


def _map(t):
    r = SQRT_M1 * t % P * t % P
    u = (r + 1) * ONE_MINUS_D_SQ % P
    v = (-1 - r * D) * (r + D) % P
    square, s = sqrt_ratio(u, v)
    c = mpz(-1)
    if not square:
        s = s * t % P
        if not s & 1:
            s = -s % P
        c = r
    n = (c * (r - 1) % P * D_MINUS_ONE_SQ - v) % P
    w0, w1 = 2 * s * v % P, n * SQRT_AD_MINUS_ONE % P
    w2, w3 = (1 - s * s) % P, (1 + s * s) % P
    return Point(w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P)


def one_way_map(data):
    """The point of 64 uniform bytes."""
    mask = 2**255 - 1
    low, high = int.from_bytes(data[:32], "little") & mask, int.from_bytes(data[32:], "little") & mask
    return _map(mpz(low)) + _map(mpz(high))


BASE = decode(bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"))


def sum_of_multiples(terms):
    """Σ scalar · point, by Pippenger's buckets with signed digits."""
    terms = [(k % ORDER, p) for k, p in terms]
    terms = [(k, p.niels()) for k, p in terms if k]
    if not terms:
        return ZERO
    bits = max(k.bit_length() for k, _ in terms) + 1
    width = min(range(2, 15), key=lambda c: -(-bits // c) * (len(terms) + 2**c + c))
    half, full = 1 << (width - 1), 1 << width
    windows = -(-bits // width)
    digits = []
    for k, _ in terms:
        row = []
        for _ in range(windows):
            d = k & (full - 1)
            k >>= width
            if d >= half:
                d -= full
                k += 1
            row.append(d)
        row.append(k)
        digits.append(row)
    total = ZERO
    for w in reversed(range(windows + 1)):
        if total is not ZERO:
            for _ in range(width):
                total = total.double()
        buckets = [None] * (half + 1)
        for row, (_, (ym, yp, t2d)) in zip(digits, terms):
            d = row[w]
            if not d:
                continue
            if d < 0:
                d, ym, yp, t2d = -d, yp, ym, -t2d
            old = buckets[d]
            x, y, z, t = old if old else (0, 1, 1, 0)
            a, b, c = (y - x) * ym, (y + x) * yp, t * t2d % P
            z += z
            e, f, g, h = (b - a) % P, z - c, z + c, (b + a) % P
            buckets[d] = (e * f % P, g * h % P, f * g % P, e * h % P)
        running = window_sum = None
        for d in range(half, 0, -1):
            if buckets[d]:
                p = Point(*buckets[d])
                running = p if running is None else running + p
            if running is not None:
                window_sum = running if window_sum is None else window_sum + running
        if window_sum is not None:
            total = window_sum if total is ZERO else total + window_sum
    return total


def times(k, point):
    """k · point."""
    return sum_of_multiples([(k, point)])
