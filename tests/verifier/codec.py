"""The codec: bincode 2, standard configuration, canonical forms only (protocol.md, "Codec")."""

from group import Malformed, decode, scalar


class Reader:
    """Takes values off the front of some bytes."""

    def __init__(self, data):
        self.data, self.at = bytes(data), 0

    def raw(self, n):
        if n > len(self.data) - self.at:
            raise Malformed("too short")
        self.at += n
        return self.data[self.at - n : self.at]

    def u8(self):
        return self.raw(1)[0]

    def bool(self):
        value = self.u8()
        if value > 1:
            raise Malformed("no truth value")
        return bool(value)

    def uint(self, bits=64):
        first = self.u8()
        if first < 251:
            return first
        size = {251: 2, 252: 4, 253: 8}.get(first)
        if size is None:
            raise Malformed("no integer")
        value = int.from_bytes(self.raw(size), "little")
        if value < {2: 251, 4: 1 << 16, 8: 1 << 32}[size] or value >> bits:
            raise Malformed("an integer in a second encoding, or too large")
        return value

    def u16(self):
        return self.uint(16)

    def u32(self):
        return self.uint(32)

    def u64(self):
        return self.uint(64)

    def variant(self, count):
        value = self.u32()
        if value >= count:
            raise Malformed("no such variant")
        return value

    def option(self, read):
        return read() if self.bool() else None

    def list(self, read):
        count = self.u64()
        if count > len(self.data) - self.at:
            raise Malformed("a list longer than its bytes")
        return [read() for _ in range(count)]

    def bytes(self):
        return self.raw(self.u64())

    def string(self):
        try:
            return self.bytes().decode()
        except UnicodeDecodeError:
            raise Malformed("no UTF-8") from None

    def b32(self):
        return self.raw(32)

    def point(self):
        return decode(self.raw(32))

    def scalar(self):
        return scalar(self.raw(32))

    def seats(self):
        """A set of seats: one byte."""
        byte = self.u8()
        return frozenset(i for i in range(8) if byte >> i & 1)

    def end(self):
        if self.at != len(self.data):
            raise Malformed("trailing bytes")


def uint(n):
    """Writes an integer or a length."""
    if n < 251:
        return bytes([n])
    for mark, size in ((251, 2), (252, 4), (253, 8)):
        if n < 1 << 8 * size:
            return bytes([mark]) + n.to_bytes(size, "little")
    raise ValueError(n)


def blob(data):
    return uint(len(data)) + data


def seat_set(seats):
    return bytes([sum(1 << seat for seat in seats)])
