"""``python -m benchmarks.speed``: how fast decisions are beside a bare echo, with everything on, in a few minutes."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.service import ROOT, NotStarted, serving
from benchmarks.speed import cells, echo, guards, machine, pure, report, workload

RESULTS = ROOT / "benchmarks" / "results"
_SECONDS, _REPEATS = 4.0, 5
_QUICK_SECONDS, _QUICK_REPEATS = 1.0, 3


def main() -> int:
    """Measure and write; 0 if there is a report, 2 where there can't be one."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="shorter and fewer turns: a look, not a result")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder for the result's file")
    options = parser.parse_args()
    processors = sorted(os.sched_getaffinity(0))
    if len(processors) < 2:  # noqa: PLR2004 - one for the server, one for the loader
        print("two processors are needed: one for the server, one for the loader", file=sys.stderr)
        return 2
    seconds, repeats = (_QUICK_SECONDS, _QUICK_REPEATS) if options.quick else (_SECONDS, _REPEATS)
    result: dict[str, Any] = {"at": datetime.now(UTC).isoformat(timespec="seconds"), "machine": machine.described()}
    try:
        result |= over_http(frozenset(processors[:1]), frozenset(processors[1:]), seconds, repeats)
    except (NotStarted, guards.NotAllOn, cells.Failed) as error:
        print(f"nothing to report: {error}", file=sys.stderr)
        return 2
    result["in_process"] = pure.measured(repeats)
    options.results.mkdir(parents=True, exist_ok=True)
    kind = "quick" if options.quick else "speed"
    file = options.results / f"{kind}-{datetime.now(UTC):%Y%m%d-%H%M%S}.json"
    file.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    print(*report.lines(result), f"written to {file}", sep="\n")
    return 0


def over_http(server: frozenset[int], loader: frozenset[int], seconds: float, repeats: int) -> dict[str, Any]:
    """Every cell, with the servers on processors of their own. Raises what says that there is nothing to report."""
    context = multiprocessing.get_context("spawn")
    with ExitStack() as stack:
        pool = stack.enter_context(ProcessPoolExecutor(1, mp_context=context))
        echo_pid, echo_port = stack.enter_context(echo.echoing(context))
        os.sched_setaffinity(echo_pid, server)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        begun = time.perf_counter()
        service = stack.enter_context(serving(policies=workload.policies(folder / "policies"), cpus=server))
        started_s = time.perf_counter() - begun
        seen = guards.all_on(service)
        fresh_mib = cells.resident_mib(service.pid)
        race = cells.Race(pool, loader, service, (echo_pid, echo_port), seconds)
        found = {cell.name: race.cell(cell, repeats, _told) for cell in cells.CELLS}
        return {
            "on": seen,
            "seconds": seconds,
            "repeats": repeats,
            "cells": found,
            "start_until_ready_s": round(started_s, 2),
            "memory_mib": {"fresh": fresh_mib, "loaded": cells.resident_mib(service.pid)},
        }


def _told(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
