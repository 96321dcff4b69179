"""The decision log in Postgres: an entry is written whole, with its conditions true, or not at all."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TypeAlias

import asyncpg

from lineclear.engine.log import Known, Outcome, StorageUnavailable
from lineclear.storage import statements
from lineclear.storage.failures import REFUSED, RecordRefused, refusal
from lineclear.storage.group import Group
from lineclear.storage.rows import record_of, record_values, session_of, session_values

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from lineclear.core.call import SessionKey
    from lineclear.engine.log import Entry, Record
    from lineclear.storage.database import Database

_AGAIN_ALONE = (*REFUSED, asyncpg.TransactionRollbackError)
"""One entry's fault, or two batches in each other's way: each entry alone comes through or fails alone."""

_Call: TypeAlias = "tuple[SessionKey, str | None]"
"""What is looked up: a session, and a ``tool_use_id`` in it."""


class PostgresLog:
    """The log in one database, shared by every replica."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._looks: Group[_Call, Known] = Group(self._look, "reading sessions", batch=256, queue=1024)

    async def known(self, session: SessionKey, tool_use_id: str | None) -> Known:
        """What is known of a session and a call, in one round trip that concurrent callers share.

        A call that comes again takes another one, for its decision.
        """
        (known,) = await self._looks.do([(session, tool_use_id)])
        return known

    async def _look(self, calls: Sequence[_Call]) -> Sequence[Known]:
        try:
            return await self._rows(calls)
        except REFUSED:
            # A name that no database can hold is nobody's, and isn't its neighbours' fault.
            return [Known()] if len(calls) == 1 else [(await self._look([call]))[0] for call in calls]

    async def _rows(self, calls: Sequence[_Call]) -> list[Known]:
        columns = [[*column] for column in zip(*((*session, call) for session, call in calls), strict=True)]
        found: list[Known] = []
        async with self._database.lend("reading sessions") as connection, self._transaction(connection):
            for (session, _), row in zip(calls, await connection.fetch(statements.KNOWN, *columns), strict=True):
                earlier = None
                if row["decision_id"] is not None:
                    earlier = await connection.fetchrow(statements.FIND_AT, row["decision_id"], row["decided_at"])
                found.append(
                    Known(
                        session=None if row["session_id"] is None else session_of(session, row),
                        earlier=None if earlier is None else record_of(earlier),
                        spent=row["spent"] is True,
                        counted=row["counted"] is True,
                    )
                )
        return found

    async def find(self, decision_id: UUID) -> Record | None:
        """One record."""
        async with self._database.lend("reading a decision") as connection, self._transaction(connection):
            row = await connection.fetchrow(statements.FIND, decision_id)
        return None if row is None else record_of(row)

    async def recent(self, session: SessionKey, limit: int) -> Sequence[Record]:
        """The latest records of a session, oldest first."""
        async with self._database.lend("reading a session") as connection, self._transaction(connection):
            rows = await connection.fetch(statements.RECENT, *session, limit)
        return [record_of(row) for row in reversed(rows)]

    async def commit(self, entries: Sequence[Entry]) -> Sequence[Outcome | Exception]:
        """Write a batch in one transaction; see the port."""
        outcomes: dict[int, Outcome | Exception] = {}
        rows: dict[int, tuple[Any, ...]] = {}
        for position, entry in enumerate(entries):
            try:
                rows[position] = (*record_values(entry.record), *session_values(entry))
            except (TypeError, ValueError) as error:
                outcomes[position] = _refused(entry, error)
        candidates = _first_come([(position, entries[position]) for position in rows])
        try:
            written = await self._write(candidates, rows)
        except _AGAIN_ALONE:
            written = set()
            for candidate in candidates:
                outcomes[candidate[0]] = await self._alone(candidate, rows)
        for position in rows:
            outcomes.setdefault(position, Outcome.WRITTEN if position in written else Outcome.LOST)
        return [outcomes[position] for position in range(len(entries))]

    async def _alone(self, candidate: tuple[int, Entry], rows: dict[int, tuple[Any, ...]]) -> Outcome | Exception:
        position, entry = candidate
        try:
            return Outcome.WRITTEN if position in await self._write([candidate], rows) else Outcome.LOST
        except REFUSED as error:
            return _refused(entry, error)
        except asyncpg.TransactionRollbackError as error:
            return StorageUnavailable(f"the database gave up on a record: {refusal(error)}")
        except StorageUnavailable as error:
            return error

    async def _write(self, candidates: list[tuple[int, Entry]], rows: dict[int, tuple[Any, ...]]) -> set[int]:
        """Write what can be; returns the positions of what was."""
        while candidates:
            undoable = any(entry.session != entry.seen and entry.record.tool_use_id for _, entry in candidates)
            granted = any(entry.uses or entry.voids for _, entry in candidates)
            async with self._database.lend("writing decisions") as connection:
                try:
                    async with self._transaction(connection, needed=undoable or granted):
                        ready = await _with_grants(connection, candidates) if granted else candidates
                        ids = await _rows_written(connection, [rows[position] for position, _ in ready])
                        written = [candidate for candidate in ready if candidate[1].record.id in ids]
                        lost = [entry for _, entry in ready if entry.record.id not in ids]
                        if any(entry.uses or (undoable and entry.session != entry.seen) for entry in lost):
                            raise _HalfDone  # noqa: TRY301 - it is what undoes the transaction
                except _HalfDone:
                    candidates = written
                    continue
            return {position for position, _ in written}
        return set()

    def _transaction(
        self, connection: asyncpg.Connection, *, needed: bool = False
    ) -> AbstractAsyncContextManager[object]:
        """A transaction, where there must be one: a statement is one by itself, and costs no further round trips.

        PgBouncer may change servers between parsing and running, unless a transaction holds it to one.
        """
        return connection.transaction() if needed or self._database.pgbouncer else nullcontext()


class _HalfDone(Exception):
    """A call changed its session or used its grant, and lost its ``tool_use_id``: what was written is undone."""


async def _with_grants(connection: asyncpg.Connection, candidates: list[tuple[int, Entry]]) -> list[tuple[int, Entry]]:
    """Use and end grants, before any other lock is taken; those entries stay that need none, or whose grant held."""
    ending = [entry.voids for _, entry in candidates if entry.voids is not None]
    await connection.execute(statements.VOID, ending)
    using = [entry for _, entry in candidates if entry.uses is not None]
    columns = [entry.uses for entry in using], [entry.record.id for entry in using]
    rows = await connection.fetch(statements.USE, *columns, [entry.record.decided_at for entry in using])
    held = {row["used_by"] for row in rows}
    return [candidate for candidate in candidates if candidate[1].uses is None or candidate[1].record.id in held]


async def _rows_written(connection: asyncpg.Connection, rows: list[tuple[Any, ...]]) -> set[UUID]:
    """Write rows under their conditions; the ids of the decisions that were."""
    if not rows:
        return set()
    columns = list(zip(*rows, strict=True))
    return {row["id"] for row in await connection.fetch(statements.COMMIT, *columns)}


def _first_come(candidates: list[tuple[int, Entry]]) -> list[tuple[int, Entry]]:
    """Those that nothing before them in the batch contradicts; one statement can't see what it writes itself."""
    changed: set[SessionKey] = set()
    moved: set[SessionKey] = set()
    claimed: set[tuple[SessionKey, str]] = set()
    first: list[tuple[int, Entry]] = []
    for position, entry in candidates:
        key, call, changes = entry.session.key, entry.record.tool_use_id, entry.session != entry.seen
        if key in moved or (changes and key in changed) or (call is not None and (key, call) in claimed):
            continue
        if changes:
            changed.add(key)
        if entry.seen is None or entry.session.revision != entry.seen.revision:
            moved.add(key)
        if call is not None:
            claimed.add((key, call))
        first.append((position, entry))
    return first


def _refused(entry: Entry, error: BaseException) -> RecordRefused:
    return RecordRefused(f"the database refuses the record of decision {entry.record.id}: {refusal(error)}")
