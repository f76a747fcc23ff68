"""Both verifiers on the same records: fresh ones, shipped ones, and damaged ones. `run` starts it."""

import copy
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from blake3 import blake3
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import vectors
from codec import blob, uint
from record import MAGIC, VERSION, read_record, settlement
from verify import verify

PROGRAM = os.environ["SHAMANS_TABLE"]
SHIPPED = Path(__file__).resolve().parent.parent / "records"
GAMES = [(3, 0), (4, 0), (5, 0), (2, 1), (3, 2)]  # people, phantoms
FACTS = ("table", "players", "operators", "steps", "deals", "signatures", "audits")
FLIPS = 3_000_000  # damaged bytes read in each kind of game: more flips in shorter records
CONSPIRACIES = 16  # in each shipped record
passed = failed = 0


def check(name, holds, told=""):
    global passed, failed
    if holds:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {name}: {told}", flush=True)


def record(people, phantoms, seed, path):
    command = [PROGRAM, "demo", "--players", people, "--phantoms", phantoms, "--seed", seed, "--quiet", "--record", path]
    if phantoms == 2:
        command += ["--operator", "Eva"]  # bots, and who runs them
    subprocess.run([str(word) for word in command], check=True, capture_output=True, timeout=300)


def first_verdict(path):
    """What shamans-table says: exit code and JSON."""
    done = subprocess.run([PROGRAM, "verify", str(path), "--json"], capture_output=True, text=True, timeout=300)
    try:
        return done.returncode, json.loads(done.stdout)
    except ValueError:
        return done.returncode, {"stdout": done.stdout, "stderr": done.stderr}


def compare(name, data, folder, expected=None, same=()):
    """`expected`: exit codes that are right; `same`: keys of the JSON that must be equal."""
    path = Path(folder) / "record"
    path.write_bytes(data)
    code, told = first_verdict(path)
    ours = verify(data)
    detail = f"shamans-table says {code} {told}, the second verifier {ours.code} {ours.told}"
    check(name, code == ours.code and (expected is None or code in expected), detail)
    if code == ours.code == 1:
        check(f"{name}: step", told.get("step") == ours.told["step"], detail)
        same = ("verdict",)
    for key in same:
        check(f"{name}: {key}", told.get(key) == ours.told.get(key), detail)
    return code


def refit(data):
    """Damaged bytes with a checksum that fits again."""
    return data + blake3(data).digest()


def damage(name, data, folder, seed):
    chance, body = random.Random(seed), data[:-32]
    # Spread over the whole file, with a few in the header, where every byte means something else.
    flips = min(30, FLIPS // len(body))
    places = [chance.randrange(len(body) * i // flips, len(body) * (i + 1) // flips) for i in range(flips)]
    places += chance.sample(range(600), flips // 3)
    for at in places:
        changed = bytearray(body)
        changed[at] ^= 1 << chance.randrange(8)
        compare(f"{name}: byte {at} changed", refit(bytes(changed)), folder, (1, 2))
    compare(f"{name}: a byte changed, checksum left", bytes([*data[:5000], data[5000] ^ 1, *data[5001:]]), folder, (2,))
    for part in (0.1, 0.5, 0.9):
        compare(f"{name}: cut at {part}", data[: int(len(data) * part)], folder, (2,))
        compare(f"{name}: cut at {part}, checksum refitted", refit(body[: int(len(body) * part)]), folder, (2,))
    compare(f"{name}: extended", data + b"\0", folder, (2,))
    compare(f"{name}: extended, checksum refitted", refit(body + b"\0"), folder, (2,))


def assemble(genesis, steps):
    """A record of these parts, with a checksum that fits."""
    body = genesis.bytes + uint(len(steps))
    for step in steps:
        body += uint(step.number) + step.prev + uint(step.kind) + uint(len(step.entries))
        body += b"".join(entry.bytes for entry in step.entries) + uint(len(step.signatures))
        body += b"".join(bytes([seat]) + signature for seat, signature in step.signatures) + uint(len(step.excuses))
        body += b"".join(entry.bytes for entry in step.excuses)
    return refit(MAGIC + VERSION.to_bytes(2, "little") + body)


def rearrange(name, data, folder, seed):
    """Parts left out, doubled or moved: all signatures that are there are good ones."""
    chance = random.Random(seed)
    genesis, steps = read_record(data)
    check(f"{name}: put together again", assemble(genesis, steps) == data)

    def changed(what, change, expected=(1,), among=None):
        new = copy.deepcopy(steps)
        at = chance.choice([i for i, step in enumerate(new) if among is None or among(step)])
        change(new, at)
        compare(f"{name}: {what} at step {at + 1}", assemble(genesis, new), folder, expected)

    several = lambda step: len(step.entries) > 1
    compare(f"{name}: no steps", assemble(genesis, []), folder, (3,))
    compare(f"{name}: without the last step", assemble(genesis, steps[:-1]), folder, (3,))
    # Right behind a step that votes excuse there is no place to stop: still consistent so far.
    changed("ended early", lambda new, at: new.__delitem__(slice(at, None)), (3,))
    changed("a step left out", lambda new, at: new.pop(at), (1, 3))
    changed("a step twice", lambda new, at: new.insert(at, new[at]))
    changed("a step later", lambda new, at: new.insert(at - 3, new.pop(at)), among=lambda step: step.number > 5)
    changed("a settlement left out", lambda new, at: new[at].signatures.pop())
    changed("a settlement twice", lambda new, at: new[at].signatures.append(new[at].signatures[-1]))
    changed("a settlement of the step before", lambda new, at: setattr(new[at], "signatures", new[at - 1].signatures))
    changed("settlements backwards", lambda new, at: new[at].signatures.reverse(), among=lambda step: len(step.signatures) > 1)
    changed("entries backwards", lambda new, at: new[at].entries.reverse(), among=several)
    changed("an entry left out", lambda new, at: new[at].entries.pop(), among=several)
    changed("an entry twice", lambda new, at: new[at].entries.append(new[at].entries[-1]))
    changed("entries of the step before", lambda new, at: setattr(new[at], "entries", new[at - 1].entries))
    changed("another kind", lambda new, at: setattr(new[at], "kind", 1 - new[at].kind))
    changed("excuses that are none", lambda new, at: setattr(new[at], "excuses", new[at].entries), among=lambda step: not step.excuses)
    if any(step.excuses for step in steps):
        changed("excuses left out", lambda new, at: new[at].excuses.clear(), (2,), lambda step: step.excuses)
        changed("votes left out", lambda new, at: new.pop(at), (1,), lambda step: step.kind == 1)


# The people in shipped records have keys that everyone may know.
TEST_KEYS = [Ed25519PrivateKey.from_private_bytes(bytes([i + 1] * 32)) for i in range(5)]
TEST_KEYS = {key.public_key().public_bytes_raw(): key for key in TEST_KEYS}


def conspire(name, data, folder, seed, count):
    """What if all at the table agree to cheat? A bit of a move, a word or a deal message is changed, and everyone signs it: only
    rules and proofs are left to tell. The record ends there."""
    chance = random.Random(seed)
    genesis, steps = read_record(data)
    holders = genesis.seated()
    if not all(holder.key is None or holder.key in TEST_KEYS for holder in holders):
        return
    codes = []
    for i in range(count):
        new = copy.deepcopy(steps[: chance.randrange(len(steps) * i // count, len(steps) * (i + 1) // count) + 1])
        step = new[-1]
        # Moves more often than their number says: deal messages are most of a record.
        entry = chance.choice(step.entries)
        at = chance.randrange(min(len(entry.body), 8) if entry.lane == 0 and i % 2 else len(entry.body))
        body = bytearray(entry.body)
        body[at] ^= 1 << chance.randrange(8)
        entry.body = bytes(body)
        entry.signature = TEST_KEYS[holders[entry.seat].key].sign(entry.digest(genesis.table))
        lane = uint(entry.lane) + (bytes([entry.vote]) if entry.lane == 3 else b"")
        entry.bytes = uint(entry.step) + entry.prev + bytes([entry.seat]) + lane + blob(entry.body) + entry.signature
        if len(new) > 1 and step.kind == 1 and new[-2].excuses:
            new[-2].excuses = step.entries
        step.seal(genesis.table)
        signed = settlement(genesis.table, step.number, step.mark)
        step.signatures = [(seat, TEST_KEYS[holders[seat].key].sign(signed)) for seat, _ in step.signatures]
        step.excuses = []
        told = f"{name}: all agree to change byte {at} of seat {entry.seat} in lane {entry.lane} of step {step.number}"
        codes.append(compare(told, assemble(genesis, new), folder))
    check(f"{name}: most conspiracies come to light", codes.count(1) > count * 2 // 3, str(codes))


def main():
    began = time.time()
    vectors.primitives()
    vectors.whole_round()
    check("vectors", vectors.failed == 0, f"{vectors.failed} differ")
    print(f"vectors: {vectors.passed} agree, {vectors.failed} differ", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        records = {}
        with ThreadPoolExecutor(2) as pool:
            tasks = {}
            for seed, (people, phantoms) in enumerate(GAMES, 1):
                path = Path(folder) / f"{people}-{phantoms}"
                tasks[f"{people} people, {phantoms} phantoms"] = path, pool.submit(record, people, phantoms, seed, path)
            for name, (path, task) in tasks.items():
                task.result()
                records[name] = path.read_bytes()
        for path in sorted(SHIPPED.glob("*")) if SHIPPED.is_dir() else ():
            if path.suffix == ".record":
                data = path.read_bytes()
                name = f"shipped {path.name}"
                code = compare(name, data, folder, None, ("verdict", *FACTS))
                # Bad ones say in their names what is to be found.
                expected = next((n for word, n in (("unfair", 1), ("unreadable", 2), ("unfinished", 3)) if word in path.stem), 0)
                check(f"{name}: exit code {expected}", code == expected, str(code))
                if code == 0:
                    rearrange(name, data, folder, len(data))
                    conspire(name, data, folder, len(data), CONSPIRACIES)
        for name, data in records.items():
            start = time.time()
            compare(name, data, folder, (0,), FACTS)
            print(f"{name}: {len(data)} bytes, both verified in {time.time() - start:.1f} s", flush=True)
        for seed, (name, data) in enumerate(records.items()):
            start = time.time()
            damage(name, data, folder, seed)
            if len(data) < 300_000:
                rearrange(name, data, folder, seed)
            print(f"{name}: damaged in many ways, {time.time() - start:.1f} s", flush=True)
    print(f"{time.time() - began:.0f} s")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
