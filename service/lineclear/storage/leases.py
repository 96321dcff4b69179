"""Leases in Postgres: a row each, taken by one statement, over when its time is, by the database's clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID

    from lineclear.core.call import SessionKey
    from lineclear.storage.database import Database

_TAKE = """
INSERT INTO leases (principal, session_id, tool_use_id, holder, expires_at)
VALUES ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 second')
ON CONFLICT (principal, session_id, tool_use_id) DO UPDATE
SET holder = excluded.holder, expires_at = excluded.expires_at
WHERE leases.expires_at < clock_timestamp()
RETURNING true
"""
_RELEASE = "DELETE FROM leases WHERE principal = $1 AND session_id = $2 AND tool_use_id = $3 AND holder = $4"


class PostgresLeases:
    """The leases of all replicas."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(self, session: SessionKey, tool_use_id: str, holder: UUID, *, for_s: float) -> bool:
        """Take the lease of a call, unless somebody else holds it."""
        async with self._database.lend("taking a lease") as connection, connection.transaction():
            return await connection.fetchval(_TAKE, *session, tool_use_id, holder, for_s) is True

    async def release(self, session: SessionKey, tool_use_id: str, holder: UUID) -> None:
        """Give it back."""
        async with self._database.lend("giving a lease back") as connection, connection.transaction():
            await connection.execute(_RELEASE, *session, tool_use_id, holder)
