"""``python -m benchmarks.soak``: a million decisions, and whether memory and pace stay what they were."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.service import ROOT, serving
from benchmarks.speed import guards, machine, plots, workload
from benchmarks.speed.cells import Contestant, Race, resident_mib
from benchmarks.speed.course import PATH

if TYPE_CHECKING:
    from benchmarks.service import Service

RESULTS = ROOT / "benchmarks" / "results"
_TURN_S = 8.0
_KINDS = ("the same calls", "each call new", "each call in a session of its own")
MOST_GROWTH_MIB = 16.0
"""What memory may grow by between the first tenth, in which caches fill, and the end."""


def main() -> int:
    """Load, watch, write; 0 if memory stayed flat, 1 if it grew."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--decisions", type=int, default=1_000_000, help="how many (default: %(default)s)")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder for the result's file")
    options = parser.parse_args()
    processors = sorted(os.sched_getaffinity(0))
    servers, cpus = frozenset(processors[:1]), frozenset(processors[1:] or processors)
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(1, mp_context=context) as pool:
        policies = workload.policies(Path(folder) / "policies")
        with serving(policies=policies, cpus=servers) as service:
            guards.all_on(service)
            seen = _soaked(Race(pool, cpus, _TURN_S, _silent), service, options.decisions)
    filled = next(one for one in seen if one["decisions"] >= seen[-1]["decisions"] / 10)
    grown = round(seen[-1]["memory_mib"] - filled["memory_mib"], 1)
    result = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine.described(),
        "decisions": seen[-1]["decisions"],
        "grown_mib": grown,
        "seen": seen,
    }
    options.results.mkdir(parents=True, exist_ok=True)
    (options.results / "soak.json").write_text(json.dumps(result, indent=1) + "\n")
    plots.line(
        {f"{one['decisions'] / 1000:.0f}": one["memory_mib"] for one in seen},
        "memory by thousands of decisions",
        "MiB",
        options.results / "soak.svg",
    )
    print(f"{seen[-1]['decisions']} decisions; memory grew by {grown} MiB after the first tenth", file=sys.stderr)
    return 0 if grown <= MOST_GROWTH_MIB else 1


def _soaked(race: Race, service: Service, wanted: int) -> list[dict[str, Any]]:
    """What was seen after each turn: decisions so far, pace, memory."""
    bodies = (workload.bodies(), workload.bodies_each_new(), workload.bodies_each_in_a_session())
    kinds = [
        Contestant(name, service.pid, service.port, PATH, each, service.key())
        for name, each in zip(_KINDS, bodies, strict=True)
    ]
    begun = time.monotonic()
    seen: list[dict[str, Any]] = []
    while race.sent < wanted:
        kind = kinds[len(seen) % len(kinds)]
        turn = race.turn(kind, 16)
        seen.append(
            {
                "decisions": race.sent,
                "what": kind.name,
                "seconds": round(time.monotonic() - begun),
                "per_second": turn["per_second"],
                "p99_ms": turn["p99_ms"],
                "memory_mib": resident_mib(service.pid),
            }
        )
        print(f"{race.sent}: {seen[-1]}", file=sys.stderr, flush=True)
    return seen


def _silent(_: str) -> None:
    return


if __name__ == "__main__":
    sys.exit(main())
