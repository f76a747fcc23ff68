"""Ed25519 signatures, checked strictly: no small-order keys or commitments, canonical encodings only."""

from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from gmpy2 import invert, mpz

from group import D, P, sqrt_ratio


def _small_order():
    """The y coordinates of the eight points of small order, with both signs."""
    # y = 1, −1, 0, and ±y of the points of order eight: y² solves d·y⁴ + 2·y² − 1 = 0 with x² = −y².
    found = {mpz(1), P - 1, mpz(0)}
    square, root = sqrt_ratio((1 + D) % P, mpz(1))
    assert square
    for sign in (root, P - root):
        y2 = (sign - 1) * invert(D, P) % P
        square, y = sqrt_ratio(y2, mpz(1))
        if square:
            found |= {y, P - y}
    return {int(y) for y in found}


SMALL = _small_order()


def _sound_point(data):
    y = int.from_bytes(data, "little") & (2**255 - 1)
    return y < P and y not in SMALL


@lru_cache
def _key(data):
    return Ed25519PublicKey.from_public_bytes(data) if _sound_point(data) else None


def holds(key, message, signature):
    """Is it a signature of `message` by `key`?"""
    public = _key(key)
    # OpenSSL encodes its own commitment and compares bytes, and refuses scalars that are not below the group's order.
    if public is None or len(signature) != 64 or not _sound_point(signature[:32]):
        return False
    try:
        public.verify(signature, message)
    except InvalidSignature:
        return False
    return True
