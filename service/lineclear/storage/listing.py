"""Lists of decisions out of Postgres, by id, newest first; a page looks at so many rows and no more."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import UUID

import msgspec

from lineclear.engine.ids import uuid7_of
from lineclear.engine.listing import Page
from lineclear.wire.columns import COLUMNS, record_of

if TYPE_CHECKING:
    from datetime import datetime

    import asyncpg

    from lineclear.engine.listing import Wanted
    from lineclear.storage.database import Database

LOOKED_AT = 10_000
"""How many rows one page looks at, whatever it finds among them."""
_ASIDE = timedelta(minutes=2)
"""How far the time in an id and the time of its decision may lie apart: a model is asked between them at most."""
_LAST = UUID(int=(1 << 128) - 1)
_RECORD = ", ".join(f"d.{name}" for name in COLUMNS)
_WAITING = """
d.expires_at IS NOT NULL AND d.expires_at > {} AND NOT EXISTS (
    SELECT FROM courses c WHERE c.decision_id = d.id AND (c.answer IS NOT NULL OR c.result IS NOT NULL)
)
"""


class _Query:
    """Conditions with their values: first those by which an index finds a stretch, then those looked at row by row."""

    def __init__(self) -> None:
        self.values: list[object] = []
        self.stretch: list[str] = []
        self.stretch_values = 0
        self.rest: list[str] = []

    def along(self, condition: str, value: object) -> None:
        """A condition on the stretch; ``{}`` stands for the value."""
        self.stretch.append(self._with(condition, value))
        self.stretch_values = len(self.values)

    def among(self, condition: str, value: object) -> None:
        """A condition on its rows."""
        self.rest.append(self._with(condition, value))

    def _with(self, condition: str, value: object) -> str:
        self.values.append(value)
        return condition.format(f"${len(self.values)}")


class PostgresListing:
    """Lists for operators and editors."""

    def __init__(self, database: Database, *, looked_at: int = LOOKED_AT) -> None:
        self._database = database
        self._looked_at = looked_at

    async def decisions(self, wanted: Wanted, *, before: UUID | None, limit: int) -> Page:
        """Decisions with ids before ``before``."""
        query = _Query()
        query.along("d.id < {}", _earlier(before, wanted.until))
        if wanted.since is not None:
            query.along("d.id >= {}", _id_at(wanted.since - _ASIDE))
        async with self._database.lend("listing decisions") as connection, connection.transaction():
            if wanted.session is not None:
                rows = await connection.fetch("SELECT principal FROM sessions WHERE session_id = $1", wanted.session)
                query.along("d.principal = ANY({}::text[])", [row["principal"] for row in rows])
                query.along("d.session_id = {}", wanted.session)
            _narrow(query, wanted)
            return await self._page(connection, query, limit)

    async def pending(self, now: datetime, *, before: UUID | None, limit: int) -> Page:
        """The questions that wait for an answer."""
        query = _Query()
        query.along("d.id < {} AND d.expires_at IS NOT NULL", before or _LAST)
        query.among(_WAITING, now)
        async with self._database.lend("listing questions") as connection, connection.transaction():
            return await self._page(connection, query, limit)

    async def waiting(self, now: datetime, most: int) -> int:
        """How many questions wait, counted up to ``most``."""
        query = f"SELECT count(*) FROM (SELECT FROM decisions d WHERE {_WAITING.format('$1')} LIMIT $2) AS w"  # noqa: S608
        async with self._database.lend("counting questions") as connection, connection.transaction():
            return int(await connection.fetchval(query, now, most))

    async def _page(self, connection: asyncpg.Connection, query: _Query, limit: int) -> Page:
        stretch = " AND ".join(query.stretch)
        floor = await connection.fetchval(
            f"SELECT d.id FROM decisions d WHERE {stretch} ORDER BY d.id DESC OFFSET {self._looked_at} LIMIT 1",  # noqa: S608
            *query.values[: query.stretch_values],
        )
        if floor is not None:
            query.among("d.id > {}", floor)
        conditions = " AND ".join([*query.stretch, *query.rest])
        rows = await connection.fetch(
            f"SELECT {_RECORD} FROM decisions d WHERE {conditions} ORDER BY d.id DESC LIMIT {limit + 1}",  # noqa: S608
            *query.values,
        )
        records = [record_of(row) for row in rows]
        if len(records) > limit:
            return Page(records[:limit], records[limit - 1].id)
        return Page(records, None if floor is None else UUID(int=floor.int + 1))


def _narrow(query: _Query, wanted: Wanted) -> None:
    for condition, value in (
        ("d.decided_at >= {}", wanted.since),
        ("d.decided_at < {}", wanted.until),
        ("d.verdict = {}", wanted.verdict),
        ("d.code = {}", wanted.code),
        ("d.tool_name = {}", wanted.tool_name),
    ):
        if value is not None:
            query.among(condition, value)
    if wanted.rule is not None:
        query.among("d.rules @> {}::jsonb", msgspec.json.encode([wanted.rule]).decode())


def _earlier(before: UUID | None, until: datetime | None) -> UUID:
    """The id before which a list begins."""
    first = before or _LAST
    return first if until is None else min(first, _id_at(until + _ASIDE))


def _id_at(moment: datetime) -> UUID:
    return uuid7_of(max(0, int(moment.timestamp() * 1000)), 0)
