"""Every hash of the protocol: KDF, H, streams of scalars, transcripts (protocol.md, "Notation", "Transcripts")."""

from blake3 import blake3

from group import ORDER, Point

DEAL = "shamans deal 1 "


def le16(n):
    return n.to_bytes(2, "little")


def le32(n):
    return n.to_bytes(4, "little")


def kdf(context, *parts):
    hasher = blake3(derive_key_context=context)
    for part in parts:
        hasher.update(part)
    return hasher


def digest(context, *parts):
    """H(context; p₁, …, pₖ)."""
    return kdf(context, *(le32(len(part)) + part for part in parts)).digest()


class Stream:
    """An endless output, read from its beginning."""

    def __init__(self, hasher):
        self.hasher, self.at = hasher, 0

    def bytes(self, n):
        data = self.hasher.digest(length=n, seek=self.at)
        self.at += n
        return data

    def scalar(self):
        """The next wide scalar."""
        return int.from_bytes(self.bytes(64), "little") % ORDER

    def below(self, bound):
        limit = 2**32 - 2**32 % bound
        while True:
            n = int.from_bytes(self.bytes(4), "little")
            if n < limit:
                return n % bound

    def permutation(self, n):
        order = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


class Transcript:
    """What a proof's challenges hang on."""

    def __init__(self, statement, step, seat):
        self.hasher = kdf(DEAL + "transcript")
        self.item("statement", statement.encode())
        self.item("step", step)
        self.item("seat", bytes([seat]))

    def item(self, label, value):
        """Points in their encoding, numbers as le32, bytes as they are."""
        if isinstance(value, Point):
            value = value.encode()
        elif isinstance(value, int):
            value = le32(value)
        label = label.encode()
        self.hasher.update(bytes([len(label)]) + label + le32(len(value)) + value)

    def challenge(self, label):
        self.item(label, b"")
        return Stream(self.hasher).scalar()

    def weights(self, label, count):
        self.item(label, b"")
        stream = Stream(self.hasher)
        return [int.from_bytes(stream.bytes(16), "little") for _ in range(count)]
