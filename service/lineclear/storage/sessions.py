"""Sessions in Postgres, for those who watch them; what is done to one is kept with the deed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

import msgspec

from lineclear.core.call import SessionKey
from lineclear.storage.answers import RESET
from lineclear.storage.rows import session_of
from lineclear.storage.statements import SESSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    import asyncpg

    from lineclear.engine.log import Session
    from lineclear.engine.sessions import Deed
    from lineclear.storage.database import Database

_SELECT = f"SELECT s.principal, s.session_id AS name, {SESSION} FROM sessions s"  # noqa: S608 - our own columns
_NAMED = f"{_SELECT} WHERE s.principal = $1 AND s.session_id = $2"
_BY_ID = f"{_SELECT} WHERE s.id = $1"
_LAST = UUID(int=(1 << 128) - 1)
_PAGE = f"{_SELECT} WHERE s.id < $1 {{}} ORDER BY s.id DESC LIMIT $2"
_OPEN = "AND s.opened_by IS NOT NULL"
_OF = "AND s.principal = $3"

_DEED = """
INSERT INTO session_deeds (id, session, deed, key_id, principal, done_at, reason, before)
VALUES ($1, $2, $3, $4, $5, $6, $7::json, $8::json)
"""
_END_GRANTS = """
UPDATE grants SET voided_at = $3 WHERE principal = $1 AND session_id = $2 AND voided_at IS NULL
"""
_CLOSE = "UPDATE sessions SET closed_at = $3, grants_until = NULL WHERE principal = $1 AND session_id = $2"
_HOW_MANY_OPEN = "SELECT count(*) FROM sessions WHERE opened_by IS NOT NULL"


class PostgresSessions:
    """The sessions of all principals."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, session_id: UUID) -> Session | None:
        """The session of an opaque id."""
        return _first(await self._rows(_BY_ID, session_id))

    async def named(self, key: SessionKey) -> Session | None:
        """The session of a principal by its own name."""
        return _first(await self._rows(_NAMED, *key))

    async def page(
        self, principal: str | None, *, open_only: bool, before: UUID | None, limit: int
    ) -> Sequence[Session]:
        """Sessions with ids before ``before``, newest first."""
        conditions = f"{_OPEN if open_only else ''} {_OF if principal is not None else ''}"
        whose = () if principal is None else (principal,)
        return await self._rows(_PAGE.format(conditions), before or _LAST, limit, *whose)

    async def open_breakers(self) -> int:
        """How many sessions have an open breaker."""
        async with self._database.lend("counting open breakers") as connection, connection.transaction():
            return int(await connection.fetchval(_HOW_MANY_OPEN))

    async def reset(self, session: Session, deed: Deed) -> Session | None:
        """Close the breaker; None where it wasn't open."""
        async with self._database.lend("resetting a breaker") as connection, connection.transaction():
            before = await connection.fetchrow(f"{_NAMED} FOR UPDATE", *session.key)
            if before is None or await connection.execute(RESET, *session.key) == "UPDATE 0":
                return None
            await _note(connection, "reset", deed, _session(before))
            return _session(await connection.fetchrow(_NAMED, *session.key))

    async def close(self, session: Session, deed: Deed) -> Session:
        """Close a session: its grants end."""
        async with self._database.lend("closing a session") as connection, connection.transaction():
            await connection.execute(_END_GRANTS, *session.key, deed.at)
            await connection.execute(_CLOSE, *session.key, deed.at)
            after = _session(await connection.fetchrow(_NAMED, *session.key))
            await _note(connection, "close", deed, after)
            return after

    async def _rows(self, statement: str, *values: object) -> list[Session]:
        async with self._database.lend("reading sessions") as connection, connection.transaction():
            return [_session(row) for row in await connection.fetch(statement, *values)]


async def _note(connection: asyncpg.Connection, what: str, deed: Deed, before: Session) -> None:
    reason, breaker = msgspec.json.encode(deed.reason).decode(), msgspec.json.encode(before.breaker).decode()
    who = deed.key
    await connection.execute(_DEED, deed.id, before.id, what, who.id, who.principal.id, deed.at, reason, breaker)


def _session(row: Any) -> Session:
    return session_of(SessionKey((row["principal"], row["name"])), row)


def _first(sessions: list[Session]) -> Session | None:
    return sessions[0] if sessions else None
