"""Which replicas live, and by which policy each decides: a row each, refreshed by its own heartbeat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select, text
from sqlalchemy.dialects.postgresql import insert

from lineclear.storage.tables import policy_versions, replicas

if TYPE_CHECKING:
    from datetime import datetime

    from lineclear.storage.database import Database

BEAT_S = 2.0
"""Seconds between two heartbeats."""

_LIVE = text("interval '10 seconds'")
_FORGOTTEN = text("interval '1 hour'")


@dataclass(frozen=True, slots=True)
class Replica:
    """A replica that was heard of within the last 10 seconds, by the database's clock."""

    id: str
    policy_version: str
    seen_at: datetime


class Replicas:
    """The replicas of one database. Methods raise ``StorageUnavailable``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def beat(self, replica_id: str, policy_version: str) -> None:
        """Say that a replica lives; rows that nobody refreshes are forgotten after an hour."""
        mine = insert(replicas).values(id=replica_id, policy_version=policy_version, seen_at=func.now())
        fresh = {"policy_version": mine.excluded.policy_version, "seen_at": mine.excluded.seen_at}
        async with self._database.begin("saying that this replica lives") as connection:
            await connection.execute(insert(policy_versions).values(version=policy_version).on_conflict_do_nothing())
            await connection.execute(mine.on_conflict_do_update(index_elements=[replicas.c.id], set_=fresh))
            await connection.execute(delete(replicas).where(replicas.c.seen_at < func.now() - _FORGOTTEN))

    async def leave(self, replica_id: str) -> None:
        """Forget a replica that ends."""
        async with self._database.begin("taking this replica off the list") as connection:
            await connection.execute(delete(replicas).where(replicas.c.id == replica_id))

    async def live(self) -> list[Replica]:
        """Every live replica, by id."""
        alive = select(replicas).where(replicas.c.seen_at > func.now() - _LIVE).order_by(replicas.c.id)
        async with self._database.begin("listing the replicas") as connection:
            rows = (await connection.execute(alive)).mappings()
            return [Replica(row["id"], row["policy_version"], row["seen_at"]) for row in rows]
