"""How the service does when there is more of everything: connections, sessions, and decisions that are kept already."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import asyncpg
from benchmarks.speed import workload

if TYPE_CHECKING:
    from benchmarks.service import Service
    from benchmarks.speed.cells import Contestant, Race

_PER_STATEMENT = 20_000


def connections(race: Race, ours: Contestant, numbers: tuple[int, ...], repeats: int) -> dict[str, Any]:
    """Figures by the number of connections."""
    return {str(number): _medians(race, ours, number, repeats) for number in numbers}


def sessions(race: Race, ours: Contestant, repeats: int) -> dict[str, Any]:
    """Figures by the number of sessions; the last of them begins one with each call."""
    kinds = {"1": workload.bodies(1), "100": workload.bodies(100), "each call": workload.bodies_each_in_a_session()}
    return {name: _medians(race, replace(ours, bodies=bodies), 16, repeats) for name, bodies in kinds.items()}


def rows(race: Race, ours: Contestant, service: Service, numbers: tuple[int, ...], repeats: int) -> dict[str, Any]:
    """Figures by the number of decisions that are kept, at least; the table is filled with copies."""
    found = {}
    for number in numbers:
        kept = asyncio.run(_fill(service, number))
        found[str(kept)] = _medians(race, ours, 16, repeats)
    return found


def _medians(race: Race, contestant: Contestant, number: int, repeats: int) -> dict[str, float]:
    medians: dict[str, float] = race.run([contestant], number, repeats)["medians"][contestant.name]
    return medians


async def _fill(service: Service, least: int) -> int:
    """Copy decisions, and what they claim, until there are so many; how many there are."""
    connection = await asyncpg.connect(database_url(service))
    try:
        kept = int(await connection.fetchval("SELECT count(*) FROM decisions"))
        columns = await connection.fetch(
            "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'decisions' "
            "AND table_schema = current_schema AND is_generated = 'NEVER' AND is_identity = 'NO'"
        )
        names = [row["name"] for row in columns if row["name"] not in {"id", "tool_use_id"}]
        told = ", ".join(f'"{name}"' for name in names)
        while kept < least:
            copied = min(_PER_STATEMENT, least - kept)
            await connection.execute(
                f"INSERT INTO decisions (id, tool_use_id, {told}) "
                f"SELECT uuidv7(), 'copy-' || gen_random_uuid(), {told} FROM decisions LIMIT {copied}"
            )
            kept += copied
        await connection.execute("ANALYZE decisions")
        await connection.execute("CHECKPOINT")
    finally:
        await connection.close()
    return kept


def database_url(service: Service) -> str:
    """The URL of a service's own Postgres."""
    return f"postgresql://lineclear@/postgres?host={quote(str(service.data / 'postgres'), safe='')}"
