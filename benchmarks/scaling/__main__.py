"""``python -m benchmarks.scaling``: what a decision costs with one replica and with several, and what it adds up to."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

import uvloop
from benchmarks.scaling.measured import cost

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.scaling.measured import Cost

AN_AGENT = 0.2
"""Decisions per second of an agent at work: a tool call every five seconds (docs/scaling.md)."""
CONNECTIONS = 16
AGENTS = (100, 1_000, 10_000)
BUSY_S = 8 * 3600
"""Seconds of a day in which it works."""
_GB, _MB = 1e9, 1e6


def main() -> int:
    """Measure and print; Markdown, as the documentation shows it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling", description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="under load, for each row")
    parser.add_argument("--replicas", type=int, nargs="+", default=[1, 2, 3])
    options = parser.parse_args()
    alone = uvloop.run(cost(1, 1, options.seconds))
    costs = [alone, *(uvloop.run(cost(replicas, CONNECTIONS, options.seconds)) for replicas in options.replicas)]
    print(*measured(costs), "", *sizes(alone), "", *arithmetic(alone), sep="\n")
    return 0


def measured(costs: list[Cost]) -> Iterator[str]:
    """By number of replicas."""
    yield f"Replicas, their database and their callers on one machine with {os.cpu_count()} processors:"
    yield ""
    yield "| replicas | connections | decisions/s | service, processor ms | Postgres, processor ms | records a commit |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for one in costs:
        spent = f"{one.service_ms:.2f} | {one.postgres_ms:.2f} | {one.a_commit:.1f}"
        yield f"| {one.replicas} | {one.connections} | {one.per_second:,.0f} | {spent} |"


def sizes(one: Cost) -> Iterator[str]:
    """Bytes that a decision leaves."""
    yield "| a decision in | bytes on disk, indexes included |"
    yield "| --- | --- |"
    for name, size in one.table_bytes.items():
        yield f"| `{name}` | {size:,.0f} |"
    yield f"| all | {one.bytes:,.0f} |"
    yield f"| the write-ahead log, in passing | {one.wal_bytes:,.0f} |"


def arithmetic(one: Cost) -> Iterator[str]:
    """What so many agents need where no two calls share a commit, which is the dearest."""
    yield "| agents at work | decisions/s | processors for services | for Postgres | a day of 8 hours | 30 such days |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for agents in AGENTS:
        rate = agents * AN_AGENT
        day = rate * BUSY_S * one.bytes
        yield (
            f"| {agents:,} | {rate:,.0f} | {rate * one.service_ms / 1000:.1f} | {rate * one.postgres_ms / 1000:.1f} "
            f"| {rate * BUSY_S / _MB:,.1f} million records, {day / _GB:,.1f} GB | {30 * day / _GB:,.0f} GB |"
        )


if __name__ == "__main__":
    sys.exit(main())
