"""The log as it is stored, for those who look through it: one moment's view, read a little at a time."""

from __future__ import annotations

import contextlib
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from uuid import UUID

import msgspec

from lineclear.engine.chain import Batch, Drop, Link, Trim, microseconds, moment_of
from lineclear.engine.log import StorageUnavailable
from lineclear.storage.database import Database
from lineclear.storage.failures import REFUSED, refusal
from lineclear.storage.statements import LINK_COLUMNS, WRITERS
from lineclear.wire.columns import COLUMNS, json_text

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence
    from datetime import datetime

    import asyncpg

_PATIENCE_S = 24 * 3600.0
"""A look at all of a large log takes its time."""

_LOCK_S = 60.0
"""A day that is just being made or dropped is waited for."""

_PAGE = 200
_ROWS = 16
_BEFORE_ALL = -(1 << 63)

_FIRST, _LAST = -62_135_000_000_000_000, 253_402_000_000_000_000
"""Microseconds since 1970 that the driver can tell as a moment: from the year 1 to 9999."""

_AT = "CASE WHEN isfinite(d.decided_at) THEN (extract(epoch FROM d.decided_at) * 1000000)::bigint END"
"""A record's moment as the chain tells it; null for what no moment is."""

# What the driver can't tell is read as a moment that no question ever ends at.
_EXPIRY = """
CASE WHEN expires_at NOT BETWEEN '0001-02-01' AND '9999-11-30' THEN '0001-02-01' ELSE expires_at END AS expires_at
"""
_SELECTED = ", ".join(_EXPIRY if name == "expires_at" else name for name in COLUMNS)

_LINKS = f"""
SELECT {", ".join(LINK_COLUMNS)} FROM audit_links
WHERE writer = $1 AND sequence > $2 AND ($3::bigint IS NULL OR EXISTS (
    SELECT 1 FROM unnest(moments) m(moment) WHERE m.moment >= $3 AND m.moment < $4
))
ORDER BY sequence LIMIT {_PAGE}
"""  # noqa: S608 - our own columns
_LAST_LINK = f"""
SELECT {", ".join(LINK_COLUMNS)} FROM audit_links WHERE writer = $1 ORDER BY sequence DESC LIMIT 1
"""  # noqa: S608
_RECORDS = f"SELECT {_SELECTED} FROM decisions WHERE id = ANY($1) AND decided_at BETWEEN $2 AND $3"  # noqa: S608

_IN_NO_LINK = f"""
NOT EXISTS (
    SELECT 1 FROM (SELECT unnest(ids) AS id, unnest(moments) AS moment FROM audit_links) l
    WHERE l.id = d.id AND l.moment = {_AT}
)
"""  # noqa: S608
_UNLINKED = f"SELECT d.id, {_AT} AS moment FROM decisions d WHERE {_IN_NO_LINK}"  # noqa: S608
_UNLINKED_RECORDS = f"""
SELECT {_SELECTED} FROM decisions d WHERE decided_at BETWEEN $1 AND $2 AND {_IN_NO_LINK}
"""  # noqa: S608


class PostgresArchive:
    """The log over one connection, in one transaction that sees nothing of what is written meanwhile."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection

    async def drops(self) -> Sequence[Drop]:
        """What retention has dropped."""
        return [
            Drop(*row) for row in await self._connection.fetch("SELECT before, dropped_at, key, mac FROM audit_drops")
        ]

    async def trims(self) -> Sequence[Trim]:
        """The links that went with it."""
        rows = await self._connection.fetch("SELECT writer, sequence, last, key, mac FROM audit_trims")
        return [Trim(*row) for row in rows]

    async def writers(self) -> AsyncIterator[UUID]:
        """Whose chains there are."""
        for row in await self._connection.fetch(WRITERS):
            yield row["writer"]

    async def last_links(self) -> AsyncIterator[Link]:
        """The last link of each chain."""
        async for writer in self.writers():
            yield _link(await self._connection.fetchrow(_LAST_LINK, writer))

    async def links(
        self, writer: UUID, since: int | None = None, until: int | None = None
    ) -> AsyncIterator[Sequence[Link]]:
        """A writer's links by their sequence, a page at a time; of a span, those that tell a moment in it."""
        last = _BEFORE_ALL
        while page := [_link(row) for row in await self._connection.fetch(_LINKS, writer, last, since, until)]:
            yield page
            last = page[-1].sequence

    async def records(self, links: Sequence[Link]) -> AsyncIterator[tuple[Any, ...]]:
        """The columns of the records that links tell, at the moments that they tell."""
        told = {pair for link in links for pair in zip(link.batch.ids, link.batch.moments, strict=False)}
        if not told:
            return
        moments = [moment for _, moment in told]
        ids, first, last = [record for record, _ in told], _datetime(min(moments)), _datetime(max(moments))
        async for row in self._connection.cursor(_RECORDS, ids, first, last, prefetch=_ROWS):
            if (row["id"], microseconds(row["decided_at"])) in told:
                yield _columns(row)

    async def count(self) -> int:
        """How many links there are, those too that no writer's page shows."""
        return int(await self._connection.fetchval("SELECT count(*) FROM audit_links"))

    async def unlinked(self) -> AsyncIterator[tuple[UUID, int | None]]:
        """Records that no link tells with their moment, and that moment; none where it is no moment."""
        async for row in self._connection.cursor(_UNLINKED, prefetch=_ROWS):
            yield row["id"], row["moment"]

    async def unlinked_records(self, since: int, until: int) -> AsyncIterator[tuple[Any, ...]]:
        """The columns of records of a span that no link tells."""
        span = _datetime(since), _datetime(until)
        async for row in self._connection.cursor(_UNLINKED_RECORDS, *span, prefetch=_ROWS):
            yield _columns(row)


@asynccontextmanager
async def looked_through(url: str) -> AsyncIterator[PostgresArchive]:
    """The log of a database, as it is now. Raises ``StorageUnavailable``."""
    database = Database(url, connections=1, statement_s=_PATIENCE_S, lock_s=_LOCK_S)
    try:
        async with (
            database.lend("looking through the log") as connection,
            connection.transaction(isolation="repeatable_read", readonly=True),
        ):
            # Before the view is taken: a table that is dropped is gone from every view, whenever that was taken.
            await connection.execute("LOCK TABLE decisions IN ACCESS SHARE MODE")
            # Rows that the database keeps from this role are an error then, and not simply unseen.
            await connection.execute("SET LOCAL row_security = off")
            yield PostgresArchive(connection)
    except REFUSED as error:
        raise StorageUnavailable(f"the log can't be read: {refusal(error)}") from error
    finally:
        await database.close()


def _link(row: Mapping[str, Any]) -> Link:
    whose = row["writer"], row["sequence"], row["previous"]
    return Link(*whose, _batch(row), row["columns"], row["key"], row["mac"])


def _batch(row: Mapping[str, Any]) -> Batch:
    """A batch as it is told; one that no writer wrote, with nulls or lists in its lists, tells nothing."""
    ids, moments, digests = row["ids"], row["moments"], row["digests"]
    kinds = ((ids, UUID), (moments, int), (digests, bytes))
    flat = all(isinstance(item, kind) for items, kind in kinds for item in items)
    return Batch(ids, moments, digests) if flat else Batch((), (), ())


def _columns(row: Mapping[str, Any]) -> tuple[Any, ...]:
    values = dict(row)
    with contextlib.suppress(msgspec.MsgspecError, RecursionError):
        # Of this one column the database keeps the value, not the text.
        values["rules"] = json_text(msgspec.json.decode(values["rules"]))
    return tuple(values.values())


def _datetime(moment: int) -> datetime:
    """A moment for the driver, which knows only so many years."""
    return moment_of(max(_FIRST, min(_LAST, moment)))
