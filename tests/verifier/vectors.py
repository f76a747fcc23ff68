"""Checks the building blocks against tests/vectors/: `python vectors.py`."""

import copy
import json
import random
import sys
from pathlib import Path

from audit import Secrets
from codec import Reader
from deal import Deal, Escrow, Open, Pass, Remix, Reveal, Shuffle, Wrong, context_bytes, unmask
from group import BASE, ORDER, ZERO, decode, scalar, times
from hashing import DEAL, Stream, Transcript, digest, kdf, le32
from proofs import (
    Equations,
    ShuffleProof,
    claim_equations,
    complaint_equations,
    escrow_equations,
    face_point,
    generators,
    keys_equations,
    read_linear,
    release_equations,
)

FOLDER = Path(__file__).resolve().parent.parent / "vectors"
passed = failed = 0


def check(name, holds):
    global passed, failed
    if holds:
        passed += 1
    else:
        failed += 1
        print(f"vector {name}: differs")


def encoded(k):
    return (k % ORDER).to_bytes(32, "little").hex()


def hold(*sums):
    equations = Equations()
    equations.add("vector", *sums)
    return equations.first_false() is None


def message(text, kind):
    r = Reader(bytes.fromhex(text))
    assert r.variant(6) == kind
    return r


def primitives():
    v = json.loads((FOLDER / "deal-primitives.json").read_text())
    c = v["context"]
    context = context_bytes(bytes.fromhex(c["table"]), c["number"], c["seats"], c["people"], c["game"])
    check("context", context.hex() == c["encoded"])
    root = digest(DEAL + "root", context)
    check("root", root.hex() == c["root"])

    s = v["seed"]
    seed = kdf(DEAL + "seed", bytes.fromhex(s["identity"]), bytes.fromhex(c["table"]), le32(c["number"])).digest()
    check("seed", seed.hex() == s["seed"])
    secret = Secrets(seed, root)
    check("deck key", encoded(secret.deck_key) == s["deck_key"])
    check("hand key", encoded(secret.hand_key) == s["hand_key"])
    check("commitment", digest(DEAL + "commit", root, bytes([s["seat"]]), seed).hex() == s["commitment"])
    o = v["order"]
    check("order", secret.stream("order", o["serial"], o["at"]).permutation(len(o["order"])) == o["order"])
    o = v["secrets"]
    stream = secret.stream(o["purpose"], o["serial"], o["at"])
    check("secrets", [encoded(stream.scalar()) for _ in o["scalars"]] == o["scalars"])

    f = v["faces"]
    check("faces", [face_point(f["game"], f["deck"], i).encode().hex() for i in range(len(f["points"]))] == f["points"])
    check("faces of deck 1", [face_point(f["game"], 1, i).encode().hex() for i in range(len(f["deck 1"]))] == f["deck 1"])
    check("generators", [p.encode().hex() for p in generators(len(v["generators"]))] == v["generators"])

    t = v["transcript"]
    transcript = Transcript(t["statement"], bytes.fromhex(t["step"]), t["seat"])
    for item in t["items"]:
        transcript.item(item["label"], bytes.fromhex(item["bytes"]) if "bytes" in item else item["number"])
    before = transcript.hasher.digest()
    nonce = Stream(kdf(DEAL + "nonce", bytes.fromhex(t["nonce"]["seed"]), bytes.fromhex(t["nonce"]["fresh"]), before))
    after_challenge = transcript.challenge(t["challenge"]["label"])
    check("challenge", encoded(after_challenge) == t["challenge"]["scalar"])
    weights = transcript.weights(t["weights"]["label"], len(t["weights"]["scalars"]))
    check("weights", [encoded(w) for w in weights] == t["weights"]["scalars"])
    now = Stream(kdf(DEAL + "nonce", bytes.fromhex(t["nonce"]["seed"]), bytes.fromhex(t["nonce"]["fresh"]), transcript.hasher.digest()))
    check("nonce", t["nonce"]["first"] in (encoded(nonce.scalar()), encoded(now.scalar())))

    k = v["keys"]
    r = message(k["message"], 0)
    step = bytes.fromhex(k["step"])
    check("keys", hold(*keys_equations(step, k["seat"], r.b32(), r.point(), r.point(), read_linear(r))))
    r.end()

    e = v["escrow"]
    r = message(e["message"], 1)
    step = bytes.fromhex(e["step"])
    ephemeral, lines = r.point(), r.list(lambda: (r.point(), r.point(), r.scalar(), r.scalar()))
    proof = read_linear(r)
    r.end()
    deck_key, hand_key = times(secret.deck_key, BASE), times(secret.hand_key, BASE)
    check("escrow", hold(*escrow_equations(step, e["dealer"], ephemeral, lines, proof, deck_key, hand_key)))
    given = Escrow(e["serial"], step, ephemeral, dict(zip(e["to"], lines)))
    opened = e["opened_by_0"]
    parts = unmask(given, e["dealer"], 0, times(scalar(bytes.fromhex(opened["hand_key"])), ephemeral))
    check("parts", [encoded(p) for p in parts] == [opened["deck"], opened["hand"]])

    c = v["complaint"]
    r = message(c["message"], 3)
    accuser = Secrets(bytes.fromhex(c["seed"]), root)
    against, common, proof = r.u8(), r.point(), read_linear(r)
    r.end()
    check("complaint", against == c["against"] and hold(*complaint_equations(
        bytes.fromhex(c["step"]), c["by"], against, step, ephemeral, common, times(accuser.hand_key, BASE), proof)))

    s = v["shuffle"]
    r = message(s["message"], 2)
    ((after, proof),) = r.list(lambda: (r.list(lambda: (r.point(), r.point())), ShuffleProof(r)))
    r.end()
    piles = [(p["deck"], p["first"], p["size"]) for p in s["piles"]]
    before = [tuple(decode(bytes.fromhex(h)) for h in card) for card in s["before"]]
    check("shuffled cards", [[a.encode().hex(), b.encode().hex()] for a, b in after] == s["after"])
    check("shuffle", hold(*proof.equations(bytes.fromhex(s["step"]), s["seat"], piles, decode(bytes.fromhex(s["key"])), before, after)))

    j = v["release"]
    r = message(j["message"], 4)
    shares, switches, proof = r.list(r.point), r.list(lambda: (r.point(), r.point())), read_linear(r)
    r.end()
    part, target = times(scalar(bytes.fromhex(j["key"])), BASE), decode(bytes.fromhex(j["target"]))
    jobs = [(i["slot"], part, None if i["share"] else target, decode(bytes.fromhex(i["a"]))) for i in j["jobs"]]
    check("release", hold(*release_equations(bytes.fromhex(j["step"]), j["seat"], jobs, shares, switches, proof)))

    c = v["claim"]
    r = Reader(bytes.fromhex(c["proof"]))
    proof = read_linear(r)
    r.end()
    card = tuple(decode(bytes.fromhex(h)) for h in c["card"])
    hand = times(scalar(bytes.fromhex(c["hand_key"])), BASE)
    shown = face_point(v["faces"]["game"], c["deck"], c["face"])
    check("claim", hold(*claim_equations(bytes.fromhex(c["dealt"]), c["by"], c["slot"], c["deck"], c["face"], hand, card, shown, proof)))


def request(entry):
    kind = entry["request"]
    if kind == "Reveal":
        return Reveal()
    ((name, value),) = kind.items()
    if name == "Shuffle":
        decks = tuple((d["id"], d["size"], d["first"]) for d in value["decks"])
        return Shuffle(decks, frozenset(i for i in range(5) if value["sealed"] >> i & 1))
    if name == "Open":
        return Open(tuple((slot, None if to == "All" else to["One"]) for slot, to in value["slots"]))
    if name == "Pass":
        return Pass(tuple(map(tuple, value["slots"])))
    return Remix(tuple((h["seat"], tuple(h["from"]), h["into"]) for h in value["hands"]))


def changes(data, seed, count=4):
    """The same bytes with one bit changed, at places all over."""
    chance = random.Random(seed)
    for i in range(count):
        at = chance.randrange(len(data) * i // count, len(data) * (i + 1) // count)
        yield data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]


def refused(deal, act):
    """Is this refused, at once or by its equations? `deal` itself stays as it is."""
    assert deal.equations.first_false() is None
    trial = copy.deepcopy(deal)
    try:
        act(trial)
    except Wrong:
        return True
    return trial.equations.first_false() is not None


def refuses_changes(deal, messages, seat, seed):
    return all(refused(deal, lambda d: d.settle({**messages, seat: changed})) for changed in changes(messages[seat], seed))


def whole_round():
    v = json.loads((FOLDER / "deal-round.json").read_text())
    c, equations = v["context"], Equations()
    deal = Deal(bytes.fromhex(c["table"]), c["number"], c["seats"], c["people"], c["game"], equations)
    names = ["Keys", "Escrow", "Mix", "Release", None, "Seed"]
    for at, entry in enumerate(v["entries"]):
        if "request" in entry:
            asked = request(entry)
            check(f"round {at}: request", asked.encode().hex() == entry["encoded"])
            deal.ask(asked)
        elif "messages" in entry:
            check(f"round {at}: step", deal.step.digest.hex() == entry["digest"])
            check(f"round {at}: serial and kind", (deal.step.serial, names[deal.step.kind]) == (entry["serial"], entry["step"]))
            messages = {m["seat"]: bytes.fromhex(m["bytes"]) for m in entry["messages"]}
            for seat in messages:
                check(f"round {at}: a changed message of seat {seat}", refuses_changes(deal, messages, seat, at))
            deal.settle(messages)
        elif "claim" in entry:
            claim = entry["claim"]
            proof = bytes.fromhex(claim["proof"])
            for changed in changes(proof, at):
                check(f"round {at}: a changed claim", refused(deal, lambda d: d.claim(claim["by"], claim["slot"], claim["face"], changed)))
            other = claim["face"] + 1
            check(f"round {at}: another face", refused(deal, lambda d: d.claim(claim["by"], claim["slot"], other, proof)))
            deal.claim(claim["by"], claim["slot"], claim["face"], proof)
            deal.show(claim["slot"], claim["face"])
        elif "away" in entry:
            deal.leave(entry["away"])
        elif "back" in entry:
            deal.come_back(entry["back"])
        else:
            told = entry["outcome"]
            if isinstance(told, dict):
                ((name, faces),) = told.items()
                check(f"round {at}: {name}", deal.outcome == (name.lower(), faces))
            else:
                check(f"round {at}: {told}", deal.outcome == told.lower())
    check("round: digest", deal.digest.hex() == v["digest"])
    check("round: every proof", equations.first_false() is None)


if __name__ == "__main__":
    primitives()
    whole_round()
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)
