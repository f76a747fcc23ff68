"""Reveal and audit: what the seeds say must have been sent, compared with what was sent (protocol.md, "Reveal and audit")."""

from deal import Wrong, unmask
from group import BASE, ORDER, times
from hashing import DEAL, Stream, kdf, le32
from proofs import face_point


class Secrets:
    """All that one seed gives."""

    def __init__(self, seed, root):
        self.seed, self.root = seed, root
        self.deck_key = self.stream("deck key", 0, 0).scalar()
        self.hand_key = self.stream("hand key", 0, 0).scalar()

    def stream(self, purpose, serial, at):
        name = purpose.encode()
        return Stream(kdf(DEAL + "secret", self.seed, self.root, bytes([len(name)]), name, le32(serial), le32(at)))


def audit(deal):
    """Adds the audit's equations; gives what every slot showed, None where a secret is missing."""
    known = {seat: Secrets(seed, deal.root) for seat, seed in deal.seeds.items()}
    parts = {}  # (dealer, receiver): (part of the deck key, part of the hand key)
    for seat, secret in known.items():
        label = deal._label(seat, "audit of keys")
        keys = deal.keys[seat]
        deal.equations.add(label, [(1, keys.deck), (-secret.deck_key, BASE)], [(1, keys.hand), (-secret.hand_key, BASE)])
    # The parts that receivers with a seed can read.
    for dealer, given in deal.escrow.items():
        for receiver in given.lines:
            if receiver in known:
                common = times(known[receiver].hand_key, given.ephemeral)
                parts[dealer, receiver] = unmask(given, dealer, receiver, common)
    again = {"escrow": _audit_escrow, "mix": _audit_mix, "release": _audit_release}
    for kind, seat, *done in deal.history:
        if seat in known:
            again[kind](deal, known[seat], parts, seat, *done)
    return _faces(deal, known, parts)


def _audit_escrow(deal, secret, parts, seat, given, hands):
    e = secret.stream("ephemeral", given.serial, 0).scalar()
    left_deck, left_hand = secret.deck_key, secret.hand_key
    receivers = sorted(given.lines)
    sums = [[(1, given.ephemeral), (-e, BASE)]]
    for receiver in receivers:
        if receiver == receivers[-1]:
            deck, hand = left_deck % ORDER, left_hand % ORDER
        else:
            deck = secret.stream("deck part", given.serial, receiver).scalar()
            hand = secret.stream("hand part", given.serial, receiver).scalar()
        left_deck, left_hand = left_deck - deck, left_hand - hand
        line = given.lines[receiver]
        sums += [[(1, line[0]), (-deck, BASE)], [(1, line[1]), (-hand, BASE)]]
        if unmask(given, seat, receiver, times(e, hands[receiver])) != (deck, hand):
            raise Wrong(seat, "audit: a part that does not follow from the seed")
    deal.equations.add(deal._label(seat, "audit of escrow"), *sums)


def _audit_mix(deal, secret, parts, seat, serial, piles, key, before, after):
    sums, base = [], 0
    for _, first, size in piles:
        order = secret.stream("order", serial, first).permutation(size)
        masks = secret.stream("mask", serial, first)
        for i in range(size):
            rho = masks.scalar()
            old, new = before[base + order[i]], after[base + i]
            sums.append([(1, new[0]), (-1, old[0]), (-rho, BASE)])
            sums.append([(1, new[1]), (-1, old[1]), (-rho, key)])
        base += size
    deal.equations.add(deal._label(seat, "audit of a mix"), *sums)


def _audit_release(deal, secret, parts, seat, serial, slot, part, target, a, given):
    key, missing = part
    if key == "joint":
        k = secret.deck_key + sum(parts[gone, seat][0] for gone in missing)
    elif key == seat:
        k = secret.hand_key
    else:
        k = parts[key, seat][1]
    if target is None:
        sums = [[(1, given), (-k, a)]]
    else:
        u = secret.stream("switch", serial, slot).scalar()
        sums = [[(1, given[0]), (-u, BASE)], [(1, given[1]), (-u, target), (k, a)]]
    deal.equations.add(deal._label(seat, "audit of a release"), *sums)


def _faces(deal, known, parts):
    """Keys follow from seeds; those of a seat that is away from the parts that the others' seeds unmask."""
    deck_keys, hand_keys = {}, {}
    for seat in deal.keys:
        if seat in known:
            deck_keys[seat], hand_keys[seat] = known[seat].deck_key, known[seat].hand_key
        elif seat in deal.escrow and all((seat, other) in parts for other in deal.escrow[seat].lines):
            mine = [parts[seat, other] for other in deal.escrow[seat].lines]
            deck_keys[seat], hand_keys[seat] = sum(p[0] for p in mine) % ORDER, sum(p[1] for p in mine) % ORDER
    joint = sum(deck_keys.values()) % ORDER if deck_keys.keys() == deal.keys.keys() else None
    lookup = {
        deck: {face_point(deal.game, deck, face).encode(): face for face in range(size)} for deck, size, _ in deal.decks
    }
    faces = [None] * (max(deal.places) + 1)
    for slot, place in deal.places.items():
        secret = joint if place.key == "joint" else hand_keys.get(place.key)
        if place.face is not None:
            faces[slot] = place.face
        elif secret is not None:
            shown = place.card[1] - times(secret, place.card[0])
            faces[slot] = lookup[place.deck].get(shown.encode())
    return faces
