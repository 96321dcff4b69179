"""What decisions cost: processor time of services and database, bytes on disk, records a commit; by replica count."""

from __future__ import annotations

import asyncio
import os
import re
import time
from dataclasses import dataclass
from http import HTTPStatus
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import asyncpg
import httpx
from benchmarks.chaos.client import Client
from benchmarks.chaos.stage import staged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.chaos.stage import Stage

SESSIONS = 200
_TICKS = os.sysconf("SC_CLK_TCK")
_TABLES = ("decisions", "idempotency", "sessions", "audit_links")

_TOOLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Bash", {"command": "git status --short"}),
    ("Bash", {"command": "cd src && grep -rn 'TODO' --include='*.py' . | sort | head -20"}),
    ("Read", {"file_path": "/work/repo/src/application/main.py"}),
    ("Edit", {"file_path": "/work/repo/src/app.py", "old_string": "a = 1\n" * 20, "new_string": "a = 2\n" * 20}),
    ("Bash", {"command": "npm test -- --watch=false"}),
)

_SIZES = """
SELECT p.relname AS parent, sum(pg_total_relation_size(c.oid))::bigint AS bytes
FROM pg_class p
LEFT JOIN pg_inherits i ON i.inhparent = p.oid
JOIN pg_class c ON c.oid = coalesce(i.inhrelid, p.oid)
WHERE p.relname = ANY($1) AND p.relkind IN ('r', 'p')
GROUP BY 1
"""


@dataclass(frozen=True, slots=True)
class Reading:
    """Counters at one moment: processor seconds, bytes, batches and their records."""

    at: float
    service_s: float
    postgres_s: float
    wal: int
    tables: dict[str, int]
    batches: float
    records: float


@dataclass(frozen=True, slots=True)
class Cost:
    """What one decision costs with so many replicas, and so many connections to each."""

    replicas: int
    connections: int
    decisions: int
    seconds: float
    service_ms: float
    postgres_ms: float
    wal_bytes: float
    table_bytes: dict[str, float]
    a_commit: float
    """Records that one transaction takes."""

    @property
    def per_second(self) -> float:
        return self.decisions / self.seconds

    @property
    def bytes(self) -> float:
        """What stays on the disk, indexes included."""
        return sum(self.table_bytes.values())


async def cost(replicas: int, connections: int, seconds: float) -> Cost:
    """Run so many replicas for a while, each connection with a call under way all the time."""
    async with staged(replicas) as stage:
        numbers = count()
        await _load(stage, numbers, connections, min(1.0, seconds))
        before, first = await _reading(stage), next(numbers)
        await _load(stage, numbers, connections, seconds)
        after, decisions = await _reading(stage), next(numbers) - first - 1
    grown = {name: (after.tables[name] - before.tables[name]) / decisions for name in _TABLES}
    return Cost(
        replicas,
        connections,
        decisions,
        after.at - before.at,
        (after.service_s - before.service_s) / decisions * 1000,
        (after.postgres_s - before.postgres_s) / decisions * 1000,
        (after.wal - before.wal) / decisions,
        grown,
        (after.records - before.records) / (after.batches - before.batches),
    )


async def _load(stage: Stage, numbers: Iterator[int], connections: int, seconds: float) -> None:
    until = time.monotonic() + seconds

    async def caller(client: Client) -> None:
        while time.monotonic() < until:
            answer = await client.decide(_call(next(numbers)), stage.keys["host"])
            if answer.status != HTTPStatus.OK:
                raise RuntimeError(f"no decision: {answer.body}")
        client.close()

    ports = [replica.port for replica in stage.replicas for _ in range(connections)]
    await asyncio.gather(*(caller(Client(port)) for port in ports))


def _call(number: int) -> dict[str, Any]:
    tool, tool_input = _TOOLS[number % len(_TOOLS)]
    return {
        "session_id": f"s-{number % SESSIONS}",
        "tool_use_id": f"toolu_{number:024}",
        "tool_name": tool,
        "tool_input": tool_input,
        "cwd": "/work/repo",
        "environment": {"workspace_roots": ["/work/repo"], "home": "/home/dev", "platform": "linux", "shell": "bash"},
        "agent": {"host": "claude-code"},
    }


async def _reading(stage: Stage) -> Reading:
    connection = await asyncpg.connect(stage.postgres.url)
    try:
        await connection.execute("CHECKPOINT")
        wal = await connection.fetchval("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn")
        tables = {row["parent"]: row["bytes"] for row in await connection.fetch(_SIZES, list(_TABLES))}
    finally:
        await connection.close()
    batches = records = 0.0
    async with httpx.AsyncClient(headers=stage.headers("metrics"), timeout=20) as client:
        for replica in stage.replicas:
            text = (await client.get(f"{replica.url}/metrics")).text
            batches += _sample(text, "lineclear_commit_batch_records_count")
            records += _sample(text, "lineclear_commit_batch_records_sum")
    service = sum(_used(replica.pid) for replica in stage.replicas)
    return Reading(time.monotonic(), service, _of_postgres(stage.postmaster), int(wal), tables, batches, records)


def _sample(text: str, name: str) -> float:
    found = re.search(rf"^{name} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def _of_postgres(postmaster: int) -> float:
    """Processor seconds of all its processes, those that have ended included."""
    children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
    return _used(postmaster, ended=True) + sum(_used(int(pid)) for pid in children)


def _used(pid: int, *, ended: bool = False) -> float:
    """Processor seconds of a process, and of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11 : 15 if ended else 13])) / _TICKS
