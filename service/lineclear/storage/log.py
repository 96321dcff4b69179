"""The decision log in Postgres: an entry is written whole, with its conditions true, or not at all."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING, TypeAlias

from lineclear.engine.chain import ChainKey
from lineclear.engine.log import Known, Outcome, StorageUnavailable
from lineclear.storage import batch, statements
from lineclear.storage.batch import Candidate
from lineclear.storage.chains import Chains
from lineclear.storage.failures import REFUSED, RecordRefused, refusal
from lineclear.storage.group import Group
from lineclear.storage.rows import session_of
from lineclear.wire.columns import record_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    import asyncpg

    from lineclear.core.call import SessionKey
    from lineclear.engine.chain import Head
    from lineclear.engine.log import Entry, Record
    from lineclear.storage.chains import Chain
    from lineclear.storage.database import Database

_HELD = "somebody holds what a record needs in the database; try again"

_Call: TypeAlias = "tuple[SessionKey, str | None]"
"""What is looked up: a session, and a ``tool_use_id`` in it."""


class PostgresLog:
    """The log in one database, shared by every replica; ``key`` is the one of its chains, on every replica the same."""

    def __init__(self, database: Database, key: bytes) -> None:
        self._database = database
        self._chains = Chains(ChainKey(key))
        self._looks: Group[_Call, Known] = Group(self._look, "reading sessions", batch=256, queue=1024)

    def heads(self) -> Sequence[Head]:
        """How far the chains of this process have come."""
        return self._chains.heads()

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

    async def open_breakers(self, principal: str, since: datetime) -> int:
        """How many sessions of a principal that began since a moment have an open breaker."""
        async with self._database.lend("counting open breakers") as connection, self._transaction(connection):
            return int(await connection.fetchval(statements.OPEN_BREAKERS, principal, since))

    async def recent(self, session: SessionKey, limit: int) -> Sequence[Record]:
        """The latest records of a session, oldest first."""
        async with self._database.lend("reading a session") as connection, self._transaction(connection):
            rows = await connection.fetch(statements.RECENT, *session, limit)
        return [record_of(row) for row in reversed(rows)]

    async def commit(self, entries: Sequence[Entry]) -> Sequence[Outcome | Exception]:
        """Write a batch in one transaction; see the port."""
        outcomes: dict[int, Outcome | Exception] = {}
        candidates: list[Candidate] = []
        for place, entry in enumerate(entries):
            try:
                candidates.append(Candidate.of(place, entry))
            except (TypeError, ValueError) as error:
                outcomes[place] = _refused(entry, error)
        first = _first_come(candidates)
        with self._chains.lend() as chain:
            try:
                written = await batch.write(self._database, chain, first)
            except (*REFUSED, batch.Rivals, batch.Held) as why:
                # One entry's fault, or two batches in each other's way: each entry alone comes through or fails alone.
                written = set()
                outcomes |= await self._each_alone(chain, first, why)
        for candidate in candidates:
            outcomes.setdefault(candidate.place, Outcome.WRITTEN if candidate.place in written else Outcome.LOST)
        return [outcomes[place] for place in range(len(entries))]

    async def _each_alone(
        self, chain: Chain, candidates: Sequence[Candidate], why: Exception
    ) -> dict[int, Outcome | Exception]:
        """Write one after the other what failed together, but wait for few deadlines: what keeps two keeps the rest.

        Raises ``StorageUnavailable`` where nothing could be written for it: whoever waits behind the batch would wait
        for the same.
        """
        if isinstance(why, batch.Held) and len(candidates) == 1:  # it has waited
            return {candidates[0].place: StorageUnavailable(_HELD)}
        outcomes: dict[int, Outcome | Exception] = {}
        held: set[SessionKey] = set()
        gone: StorageUnavailable | None = None
        for candidate in candidates:
            session = candidate.entry.session.key
            try:
                if gone is not None or session in held:
                    outcomes[candidate.place] = gone or StorageUnavailable(_HELD)
                else:
                    outcomes[candidate.place] = await self._alone(chain, candidate)
            except batch.Held:
                held.add(session)
                outcomes[candidate.place] = StorageUnavailable(_HELD)
                gone = StorageUnavailable(_HELD) if len(held) > 1 else None
            except StorageUnavailable as error:
                outcomes[candidate.place] = gone = error
        if gone is not None and Outcome.WRITTEN not in outcomes.values():
            raise gone
        return outcomes

    async def _alone(self, chain: Chain, candidate: Candidate) -> Outcome | Exception:
        try:
            return Outcome.WRITTEN if await batch.write(self._database, chain, [candidate]) else Outcome.LOST
        except REFUSED as error:
            return _refused(candidate.entry, error)
        except batch.Rivals:
            return StorageUnavailable("the database undid a record for the sake of another; try again")

    def _transaction(self, connection: asyncpg.Connection) -> AbstractAsyncContextManager[object]:
        """A transaction, where PgBouncer might change servers between parsing and running a statement."""
        return connection.transaction() if self._database.pgbouncer else nullcontext()


def _first_come(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Those that nothing before them in the batch contradicts; one statement can't see what it writes itself."""
    changed: set[SessionKey] = set()
    moved: set[SessionKey] = set()
    claimed: set[tuple[SessionKey, str]] = set()
    first: list[Candidate] = []
    for candidate in candidates:
        entry, changes = candidate.entry, candidate.changes_session
        key, call = entry.session.key, entry.record.tool_use_id
        if key in moved or (changes and key in changed) or (call is not None and (key, call) in claimed):
            continue
        if changes:
            changed.add(key)
        if entry.seen is None or entry.session.revision != entry.seen.revision:
            moved.add(key)
        if call is not None:
            claimed.add((key, call))
        first.append(candidate)
    return first


def _refused(entry: Entry, error: BaseException) -> RecordRefused:
    return RecordRefused(f"the database refuses the record of decision {entry.record.id}: {refusal(error)}")
