"""Which policy each replica runs: every one says so now and then, and all can see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select, text
from sqlalchemy.dialects.postgresql import insert

from lineclear.storage.tables import replicas

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from lineclear.storage.database import Database

BEAT_S = 5
"""How often a replica says that it is there, in seconds."""

_SILENT = text("interval '30 seconds'")
"""Whoever was silent for so long has ended; its row goes with the next beat of another."""


@dataclass(frozen=True, slots=True)
class Replica:
    """A replica that was there within the last half minute, by the database's clock."""

    id: str
    policy_version: str
    seen_at: datetime


class Replicas:
    """The replicas that share one database. Methods raise ``StorageUnavailable``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def beat(self, replica: str, policy_version: str) -> None:
        """Say that a replica is there and what it runs; forget those that are gone."""
        now = func.clock_timestamp()
        row = insert(replicas).values(id=replica, policy_version=policy_version, seen_at=now)
        async with self._database.begin("saying which policy runs") as connection:
            await connection.execute(
                row.on_conflict_do_update(
                    index_elements=[replicas.c.id], set_={"policy_version": policy_version, "seen_at": now}
                )
            )
            await connection.execute(delete(replicas).where(replicas.c.seen_at < now - _SILENT))

    async def leave(self, replica: str) -> None:
        """Say that a replica ends, so that nobody waits for its silence."""
        async with self._database.begin("leaving") as connection:
            await connection.execute(delete(replicas).where(replicas.c.id == replica))

    async def all(self) -> Sequence[Replica]:
        """Those that are there, by id."""
        there = select(replicas).where(replicas.c.seen_at >= func.clock_timestamp() - _SILENT).order_by(replicas.c.id)
        async with self._database.begin("listing replicas") as connection:
            rows = (await connection.execute(there)).mappings()
            return [Replica(row["id"], row["policy_version"], row["seen_at"]) for row in rows]
