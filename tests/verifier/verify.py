#!/usr/bin/env python3
"""Verifies records of games: `verify.py FILE… [--json]`.

A second implementation of what core/docs/protocol.md and rules.md say, with nothing in common with the first but those pages.
Exit code: 0 fair, 1 not fair (step, seat, reason), 2 unreadable or unknown version, 3 unfinished but consistent so far; of several
files the first that is not 0.
"""

import argparse
import json
import sys
from dataclasses import dataclass

from record import Unreadable, read_record
from shamans import NAME
from table import Table, Unfair

PROTOCOL = 1
FAIR, NOT_FAIR, UNREADABLE, UNFINISHED = range(4)
VERDICTS = ["fair", "unfair", "unreadable", "unfinished"]


@dataclass
class Verdict:
    code: int
    told: dict


def verify(data):
    """The verdict on a record's bytes."""
    try:
        genesis, steps = read_record(data)
        if genesis.protocol != PROTOCOL:
            raise Unreadable(f"protocol {genesis.protocol} is not known here")
        if genesis.game != NAME:
            raise Unreadable(f"the game {genesis.game!r} is not known here")
    except Unreadable as why:
        return Verdict(UNREADABLE, {"verdict": VERDICTS[UNREADABLE], "reason": str(why)})
    table = wrong = None
    try:
        table = Table(genesis)
        table.check_signatures(steps)
        for step in steps:
            table.take(step)
    except Unfair as found:
        wrong = found
    if table is not None and table.number:
        # Equations are gathered on the way; one that does not hold lies before whatever else was found.
        false = table.equations.first_false()
        if false is not None:
            step, seat, what = false
            wrong = Unfair(step, seat, f"{what}: the proof does not hold")
    if wrong is not None:
        told = {"verdict": VERDICTS[NOT_FAIR], "step": wrong.step, "seat": wrong.seat, "reason": wrong.reason}
        return Verdict(NOT_FAIR, told)
    over = table.game.awaits[0] == "nothing" and not table.decided
    code = FAIR if over else UNFINISHED
    audits = [{"deal": n, "audited": audited, "proofs_only": missing} for n, audited, missing in table.audits]
    told = {
        "verdict": VERDICTS[code],
        "table": table.id[:8].hex(),
        "players": [holder.name for holder in table.holders],
        "operators": [holder.operator for holder in table.holders],
        "steps": len(steps),
        "signatures": table.signed,
        "deals": table.deals,
        "audits": audits,
        "points": table.game.points,
    }
    return Verdict(code, told)


def main():
    parser = argparse.ArgumentParser(description="Verify records of games, from the protocol's description alone.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--json", action="store_true", help="print JSON instead of lines")
    wanted = parser.parse_args()
    result = 0
    for name in wanted.files:
        try:
            with open(name, "rb") as file:
                verdict = verify(file.read())
        except OSError as why:
            verdict = Verdict(UNREADABLE, {"verdict": VERDICTS[UNREADABLE], "reason": str(why)})
        if wanted.json:
            print(json.dumps({"file": name, **verdict.told}))
        else:
            print(f"{name}: " + ", ".join(f"{key} {value}" for key, value in verdict.told.items()))
        result = result or verdict.code
    return result


if __name__ == "__main__":
    sys.exit(main())
