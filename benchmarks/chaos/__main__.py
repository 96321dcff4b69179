"""``python -m benchmarks.chaos``: faults under load, round after round, and then the log against every answer."""

from __future__ import annotations

import argparse
import random
import sys
import time

import uvloop
from benchmarks.chaos.faults import drawn
from benchmarks.chaos.rounds import run


def main() -> int:
    """Run; 0 if nothing is wrong, else 1."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.chaos", description=__doc__)
    parser.add_argument("--rounds", type=int, default=50, help="faults, one after the other")
    parser.add_argument("--seed", type=int, default=1, help="of all that chance decides; the moments are the machine's")
    parser.add_argument("--callers", type=int, default=24, help="callers that wait for an answer each")
    options = parser.parse_args()
    begun = time.monotonic()
    faults = drawn(options.rounds, random.Random(options.seed))
    done = uvloop.run(run(faults, seed=options.seed, callers=options.callers))
    print(f"{sum(done.made.values())} rounds in {time.monotonic() - begun:.0f} s, seed {options.seed}")
    print(*done.summary(), sep="\n")
    print(*(f"WRONG: {fault}" for fault in done.faults[:50]), sep="\n", end="\n" if done.faults else "")
    print("nothing is wrong" if not done.faults else f"{len(done.faults)} things are wrong")
    return 1 if done.faults else 0


if __name__ == "__main__":
    sys.exit(main())
