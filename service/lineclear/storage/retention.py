"""What is dropped for its age leaves a note that a key vouches for: nobody takes it for tampering, or hides any."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING

from sqlalchemy import text

from lineclear.engine.audit import unvouched
from lineclear.engine.chain import Head, microseconds
from lineclear.storage.archive import PostgresArchive

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from sqlalchemy.ext.asyncio import AsyncConnection

    from lineclear.engine.chain import ChainKey, Trim
    from lineclear.storage.database import Database

_STEP = 400
"""So many links of a chain are removed at once, at most."""

_DROPPED = text("""
INSERT INTO audit_drops (before, dropped_at, key, mac) VALUES (:before, :dropped_at, :key, :mac)
ON CONFLICT (before) DO NOTHING
""")

_TRIM = "DELETE FROM audit_links WHERE writer = $1 AND sequence <= $2"
_TRIMMED = """
INSERT INTO audit_trims (writer, sequence, last, key, mac) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (writer) DO UPDATE
SET sequence = excluded.sequence, last = excluded.last, key = excluded.key, mac = excluded.mac
"""


@dataclass(frozen=True, slots=True)
class Retention:
    """Decisions are kept for ``days``; ``key`` is the chain's, ``former`` are those that it had before."""

    days: int
    key: ChainKey
    former: Sequence[ChainKey] = ()


async def note(connection: AsyncConnection, key: ChainKey, first: date) -> None:
    """Say that all from before a day is dropped, in the transaction that begins with it."""
    drop = key.drop(_start(first), microseconds(datetime.now(UTC)))
    values = {"before": drop.before, "dropped_at": drop.dropped_at, "key": drop.key, "mac": drop.mac}
    await connection.execute(_DROPPED, values)


async def trim(database: Database, retention: Retention, first: date) -> None:
    """Remove the links whose records all are from before a day, from each chain's beginning on.

    What is signed here is believed for ever, and the database isn't: a chain is shortened by links only of which each
    is its writer's and the next one. What is left standing for that, an audit finds.
    Raises ``StorageUnavailable``, with some of the chains done.
    """
    keys = {one.name: one for one in (retention.key, *retention.former)}
    async with database.lend("listing writers") as connection, connection.transaction():
        archive = PostgresArchive(connection)
        trims = {trim.writer: trim for trim in await archive.trims()}
        writers = [writer async for writer in archive.writers()]
    for writer in writers:
        start = _beginning(keys, writer, trims.get(writer))
        while start is not None:
            start = await _shortened(database, retention.key, keys, start, _start(first))


async def _shortened(
    database: Database, key: ChainKey, keys: Mapping[str, ChainKey], start: Head, before: int
) -> Head | None:
    """Shorten a chain by one step, which is short enough for any deadline; where it may go on, None if nowhere."""
    async with database.lend("removing old links") as connection, connection.transaction():
        last = await _last_old(PostgresArchive(connection), keys, start, before)
        if last != start:
            trim = key.trim(last)
            await connection.execute(_TRIM, trim.writer, trim.sequence)
            await connection.execute(_TRIMMED, trim.writer, trim.sequence, trim.last, trim.key, trim.mac)
    return last if last.sequence == start.sequence + _STEP else None


def _beginning(keys: Mapping[str, ChainKey], writer: UUID, trim: Trim | None) -> Head | None:
    """What the first kept link of a chain follows; None where nobody with a key says so."""
    if trim is None:
        return Head(writer)
    vouched = trim.key in keys and keys[trim.key].sealed(trim.content, trim.mac)
    return Head(writer, trim.sequence, trim.last) if vouched else None


async def _last_old(archive: PostgresArchive, keys: Mapping[str, ChainKey], start: Head, before: int) -> Head:
    last = start
    async for page in archive.links(start.writer):
        for link in page:
            follows = (link.sequence, link.previous) == (last.sequence + 1, last.mac)
            kept = max(link.batch.moments, default=before) >= before
            if kept or not follows or any(unvouched(keys, link)) or last.sequence == start.sequence + _STEP:
                return last
            last = Head(link.writer, link.sequence, link.mac)
    return last


def _start(day: date) -> int:
    return microseconds(datetime.combine(day, time(), UTC))
