"""The decision log by days: partitions are made ahead and dropped whole; a default one takes what has no day."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import text

from lineclear.storage.retention import note, trim

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from lineclear.storage.database import Database
    from lineclear.storage.retention import Retention

AHEAD = 7
"""How many days are ready beside today: a week of nobody looking costs nothing."""

_LOCK = 7_812_454_980
_NAME = re.compile(r"decisions_(\d{4})(\d\d)(\d\d)")
_AGED = (
    ("idempotency", "decided_at"),
    ("courses", "decided_at"),
    ("session_messages", "heard_at"),
    ("grants", "expires_at"),
    ("leases", "expires_at"),
    ("decisions_default", "decided_at"),
)
"""What goes with its day, and the time by which it does."""
_PATIENCE = "SET LOCAL lock_timeout = '1s'"
"""Decisions are being written meanwhile: whoever can't have the table soon gives way and is called again."""


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What was done: days made, days dropped, and how many days from tomorrow on are ready."""

    made: tuple[date, ...]
    dropped: tuple[date, ...]
    ahead: int


async def maintain(
    database: Database, today: date, *, ahead: int = AHEAD, retention: Retention | None = None
) -> Upkeep:
    """Make the days up to ``today + ahead``; drop those that are too old, if there is such a thing.

    Safe from several replicas at once. Raises ``StorageUnavailable``, with part of the work done.
    """
    have = await _days(database)
    wanted = [today + timedelta(days=n) for n in range(ahead + 1)]
    made = [day for day in wanted if day not in have and await _make(database, day)]
    dropped: list[date] = []
    if retention is not None:
        first = today - timedelta(days=retention.days)
        await _forget(database, first, retention)
        dropped = [day for day in sorted(have) if day < first and await _drop(database, day)]
        await trim(database, retention, first)
    return Upkeep(tuple(made), tuple(dropped), ahead)


def _table(day: date) -> str:
    return f"decisions_{day:%Y%m%d}"


async def _days(database: Database) -> set[date]:
    listing = text(
        "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid "
        "WHERE i.inhparent = 'decisions'::regclass"
    )
    async with database.begin("listing partitions") as connection:
        names = (await connection.execute(listing)).scalars()
        found = [_NAME.fullmatch(name) for name in names]
    return {date(*map(int, match.groups())) for match in found if match}


async def _alone(connection: AsyncConnection) -> None:
    await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    await connection.exec_driver_sql(_PATIENCE)


async def _exists(connection: AsyncConnection, day: date) -> bool:
    return (await connection.execute(text("SELECT to_regclass(:name)"), {"name": _table(day)})).scalar() is not None


async def _make(database: Database, day: date) -> bool:
    """Make one day, with the rows that the default partition holds of it; false if it is there by now."""
    name, first, following = _table(day), f"'{day} 00:00+00'", f"'{day + timedelta(days=1)} 00:00+00'"
    async with database.begin("making a partition") as connection:
        await _alone(connection)
        if await _exists(connection, day):
            return False
        move = f"DELETE FROM decisions_default WHERE decided_at >= {first} AND decided_at < {following} RETURNING *"  # noqa: S608
        for statement in (
            "LOCK TABLE decisions_default IN ACCESS EXCLUSIVE MODE",
            f"CREATE TABLE {name} (LIKE decisions INCLUDING DEFAULTS INCLUDING CONSTRAINTS)",
            f"WITH moved AS ({move}) INSERT INTO {name} SELECT * FROM moved",  # noqa: S608
            f"ALTER TABLE decisions ATTACH PARTITION {name} FOR VALUES FROM ({first}) TO ({following})",
        ):
            await connection.exec_driver_sql(statement)
    return True


async def _drop(database: Database, day: date) -> bool:
    async with database.begin("dropping a partition") as connection:
        await _alone(connection)
        if not await _exists(connection, day):
            return False
        await connection.exec_driver_sql(f"DROP TABLE {_table(day)}")
    return True


async def _forget(database: Database, first: date, retention: Retention) -> None:
    """Before a day goes: what points into it, and what the default partition holds of it."""
    async with database.begin("forgetting old calls") as connection:
        await note(connection, retention.key, first)
        for table, moment in _AGED:
            await connection.exec_driver_sql(f"DELETE FROM {table} WHERE {moment} < '{first} 00:00+00'")  # noqa: S608
