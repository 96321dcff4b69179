"""What is dropped for its age leaves a note that a key vouches for: nobody takes it for tampering, or hides any."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING

from sqlalchemy import text

from lineclear.engine.chain import Head, microseconds
from lineclear.storage.statements import WRITERS

if TYPE_CHECKING:
    from uuid import UUID

    import asyncpg
    from sqlalchemy.ext.asyncio import AsyncConnection

    from lineclear.engine.chain import ChainKey
    from lineclear.storage.database import Database

_PAGE = 500

_DROPPED = text("""
INSERT INTO audit_drops (before, dropped_at, key, mac) VALUES (:before, :dropped_at, :key, :mac)
ON CONFLICT (before) DO NOTHING
""")

_AGES = f"""
SELECT sequence, mac, (SELECT max(moment) FROM unnest(moments) m(moment)) AS youngest
FROM audit_links WHERE writer = $1 AND sequence > $2 ORDER BY sequence LIMIT {_PAGE}
"""  # noqa: S608 - our own number
_TRIM = "DELETE FROM audit_links WHERE writer = $1 AND sequence <= $2"
_TRIMMED = """
INSERT INTO audit_trims (writer, sequence, last, key, mac) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (writer) DO UPDATE
SET sequence = excluded.sequence, last = excluded.last, key = excluded.key, mac = excluded.mac
"""


@dataclass(frozen=True, slots=True)
class Retention:
    """Decisions are kept for ``days``; ``key`` is the chain's."""

    days: int
    key: ChainKey


async def note(connection: AsyncConnection, key: ChainKey, first: date) -> None:
    """Say that all from before a day is dropped, in the transaction that begins with it."""
    drop = key.drop(_start(first), microseconds(datetime.now(UTC)))
    values = {"before": drop.before, "dropped_at": drop.dropped_at, "key": drop.key, "mac": drop.mac}
    await connection.execute(_DROPPED, values)


async def trim(database: Database, key: ChainKey, first: date) -> None:
    """Remove the links whose records all are from before a day, from each chain's beginning on.

    Raises ``StorageUnavailable``, with some of the chains done.
    """
    async with database.lend("listing writers") as connection, connection.transaction():
        writers = [row["writer"] for row in await connection.fetch(WRITERS)]
    for writer in writers:
        async with database.lend("removing old links") as connection, connection.transaction():
            last = await _last_old(connection, writer, _start(first))
            if last is not None:
                trim = key.trim(last)
                await connection.execute(_TRIM, trim.writer, trim.sequence)
                await connection.execute(_TRIMMED, trim.writer, trim.sequence, trim.last, trim.key, trim.mac)


async def _last_old(connection: asyncpg.Connection, writer: UUID, before: int) -> Head | None:
    last = None
    while rows := await connection.fetch(_AGES, writer, 0 if last is None else last.sequence):
        for row in rows:
            if row["youngest"] is None or row["youngest"] >= before:
                return last
            last = Head(writer, row["sequence"], row["mac"])
    return last


def _start(day: date) -> int:
    return microseconds(datetime.combine(day, time(), UTC))
