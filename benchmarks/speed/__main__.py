"""``python -m benchmarks.speed``: how fast decisions are beside a bare echo and a peer, with everything on."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.service import ROOT, NotStarted
from benchmarks.speed import cells, cerbos, course, gate, guards, machine, plots, pure, report, stages

RESULTS = ROOT / "benchmarks" / "results"
PAGE = ROOT / "docs" / "benchmarks.md"


def main() -> int:
    """Measure and write; 0 if there is a report, 1 where the gate is shut, 2 where there can't be one."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="shorter and fewer turns: a look, not a result")
    parser.add_argument("--gate", action="store_true", help="only compare with the last result, and fail if far slower")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder for the result's file")
    options = parser.parse_args()
    processors = sorted(os.sched_getaffinity(0))
    if len(processors) < 2:  # noqa: PLR2004 - one for the server, one for the loader
        print("two processors are needed: one for the server, one for the loader", file=sys.stderr)
        return 2
    try:
        with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
            length = course.GATE if options.gate else course.QUICK if options.quick else course.FULL
            place = course.Place(pool, frozenset(processors[:1]), frozenset(processors[1:]), _told)
            if options.gate:
                return _gate(place, length, options.results)
            return _report(place, length, options)
    except (NotStarted, guards.NotAllOn, cells.Failed, cerbos.WrongPeer) as error:
        print(f"nothing to report: {error}", file=sys.stderr)
        return 2


def _report(place: course.Place, length: course.Length, options: argparse.Namespace) -> int:
    result: dict[str, Any] = {"at": datetime.now(UTC).isoformat(timespec="seconds"), "machine": machine.described()}
    with tempfile.TemporaryDirectory() as folder:
        result |= course.run(place, length, Path(folder))
    _told("in the process")
    result["in_process"] = pure.measured(length.repeats, length.rules)
    result["stages_us"] = stages.measured(length.repeats)
    kind = "quick" if options.quick else "speed"
    options.results.mkdir(parents=True, exist_ok=True)
    file = options.results / f"{kind}-{datetime.now(UTC):%Y%m%d-%H%M%S}.json"
    file.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    print(*report.lines(result), f"written to {file}", sep="\n")
    if not options.quick:
        plots.draw(result, options.results)
        report.into(PAGE, result)
    return 0


def _gate(place: course.Place, length: course.Length, results: Path) -> int:
    last = gate.last(results)
    if last is None:
        print("there is no result to compare with: run `make bench` first", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        told = gate.compared(course.short(place, length, Path(folder)), last)
    print(*told.lines, sep="\n")
    return 0 if told.passed else 1


def _told(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
