"""A batch in one transaction: its entries with their conditions true, and the link that chains them, or nothing."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

import asyncpg

from lineclear.engine.chain import Batch, digest, microseconds
from lineclear.storage import statements
from lineclear.storage.failures import REFUSED
from lineclear.storage.rows import session_values
from lineclear.wire.columns import json_text, values_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from lineclear.engine.chain import Link
    from lineclear.engine.log import Entry
    from lineclear.storage.chains import Chain
    from lineclear.storage.database import Database


class Rivals(Exception):
    """The database undid the batch for the sake of another one."""


class Held(Exception):
    """Somebody holds a row that the batch needs, or a whole table, for longer than it waits."""


class _HalfDone(Exception):
    """A call changed its session or used its grant, and lost its ``tool_use_id``: what was written is undone."""


class _Fewer(Exception):
    """Not all that the link tells was written: all of it is undone."""


_UNDONE = (_HalfDone, _Fewer, asyncpg.TransactionRollbackError, asyncpg.LockNotAvailableError, *REFUSED)
"""What tells for certain that nothing was committed; after anything else, whether it was is in doubt."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry that is ready to be written: its place in its batch, its row as JSON, its part of the link."""

    place: int
    entry: Entry
    row: str
    moment: int
    digest: bytes

    @classmethod
    def of(cls, place: int, entry: Entry) -> Candidate:
        """Raises ``ValueError`` and ``TypeError`` for what no database can hold."""
        record = values_of(entry.record)
        moment = microseconds(entry.record.decided_at)
        row = dict(zip(statements.ENTRY_COLUMNS, (*record, *session_values(entry)), strict=True))
        return cls(place, entry, json_text(row), moment, digest(record))

    @property
    def changes_session(self) -> bool:
        """Whether its session's row is written."""
        return self.entry.session != self.entry.seen


async def write(database: Database, chain: Chain, candidates: Sequence[Candidate]) -> set[int]:
    """Write what can be, and return the places of what was.

    Raises what the driver refuses an entry with, ``Rivals``, ``Held`` and ``StorageUnavailable``.
    """
    # Nearly always everything is written: then its link goes with it, in one statement.
    at_once = True
    while candidates:
        undoable = any(one.changes_session and one.entry.record.tool_use_id for one in candidates)
        granted = any(one.entry.uses or one.entry.voids for one in candidates)
        needed = undoable or granted or not at_once or database.pgbouncer
        async with database.lend("writing decisions") as connection:
            await chain.resolve(connection)
            link: Link | None = None
            try:
                # PgBouncer may change servers between parsing and running, unless a transaction holds it to one. A
                # statement is a transaction by itself, and costs no further round trips.
                async with _transaction(connection, needed=needed):
                    ready = await _with_grants(connection, candidates) if granted else candidates
                    if at_once and ready:
                        link = chain.next(_batch(ready))
                    ids = await _rows_written(connection, ready, link)
                    written = [one for one in ready if one.entry.record.id in ids]
                    lost = [one for one in ready if one.entry.record.id not in ids]
                    if any(one.entry.uses or (undoable and one.changes_session) for one in lost):
                        raise _HalfDone
                    if not at_once and written:
                        link = chain.next(_batch(written))
                        await connection.execute(statements.LINK, *_link_values(link))
            except _UNDONE as error:
                chain.refused()
                match error:
                    case _HalfDone():
                        candidates = written
                    case _Fewer():
                        at_once = False
                    case asyncpg.UniqueViolationError(constraint_name="pk_audit_links"):
                        # A transaction that was given up for lost came through in the end, with this number.
                        chain.restart()
                    case asyncpg.TransactionRollbackError():
                        raise Rivals from error
                    case asyncpg.LockNotAvailableError():
                        raise Held from error
                    case _:
                        raise
                continue
        if link is not None:
            chain.settled(link)
        return {one.place for one in written}
    return set()


def _transaction(connection: asyncpg.Connection, *, needed: bool) -> AbstractAsyncContextManager[object]:
    return connection.transaction() if needed else nullcontext()


def _batch(candidates: Sequence[Candidate]) -> Batch:
    return Batch(
        [one.entry.record.id for one in candidates],
        [one.moment for one in candidates],
        [one.digest for one in candidates],
    )


def _link_values(link: Link | None) -> tuple[object, ...]:
    """The parameters of ``statements.LINK``; all null where there is none."""
    if link is None:
        return (None,) * 9
    batch = link.batch
    whose = link.writer, link.sequence, link.previous
    return (*whose, batch.ids, batch.moments, batch.digests, link.columns, link.key, link.mac)


async def _with_grants(connection: asyncpg.Connection, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    """Use and end grants, before any other lock is taken; those stay that need none, or whose grant held."""
    ending = [one.entry.voids for one in candidates if one.entry.voids is not None]
    await connection.execute(statements.VOID, ending)
    using = [one.entry for one in candidates if one.entry.uses is not None]
    columns = [entry.uses for entry in using], [entry.record.id for entry in using]
    rows = await connection.fetch(statements.USE, *columns, [entry.record.decided_at for entry in using])
    held = {row["used_by"] for row in rows}
    return [one for one in candidates if one.entry.uses is None or one.entry.record.id in held]


async def _rows_written(
    connection: asyncpg.Connection, candidates: Sequence[Candidate], link: Link | None
) -> set[UUID]:
    """Write rows under their conditions, with their link if there is one; the ids of the decisions that were."""
    if not candidates:
        return set()
    try:
        told = f"[{','.join(one.row for one in candidates)}]"
        rows = await connection.fetch(statements.COMMIT, told, *_link_values(link))
    except asyncpg.NotNullViolationError as error:
        if error.table_name == "audit_links":
            raise _Fewer from None
        raise
    return {row["id"] for row in rows}
