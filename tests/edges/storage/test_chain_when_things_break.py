"""A commit whose end nobody heard forks no chain and leaves no gap in it."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest

from contracts.records import CHAIN, KEY, NOW, an_entry
from lineclear.core.call import SessionKey
from lineclear.engine.audit import Fault
from lineclear.engine.log import Outcome, StorageUnavailable
from lineclear.storage.database import Database
from lineclear.storage.failures import RecordRefused
from lineclear.storage.log import PostgresLog
from lineclear.storage.partitions import maintain
from lineclear.storage.retention import Retention
from lineclear.storage.statements import LINK_COLUMNS
from support.auditing import SECRET, audited, checkpoints_of
from support.wire import Wire


@pytest.fixture
async def wire(database_url):
    with tempfile.TemporaryDirectory(prefix="lc-") as folder:
        async with Wire(database_url, Path(folder)) as wire:
            yield wire


@pytest.fixture
async def log(wire):
    database = Database(wire.url)
    log = PostgresLog(database, CHAIN)
    assert list(await log.commit([an_entry(key=session(0))])) == [Outcome.WRITTEN]
    yield log
    await database.close()


def session(n):
    return SessionKey((KEY[0], f"s-{n}"))


def an_entry_of(n, *, undoable):
    return an_entry(key=session(n), tool_use_id=f"t-{n}" if undoable else None)


@pytest.fixture
async def looking(database_url):
    connection = await asyncpg.connect(database_url)
    yield connection
    await connection.close()


async def numbers(looking):
    rows = await looking.fetch("SELECT writer, sequence FROM audit_links ORDER BY writer, sequence")
    writers = list(dict.fromkeys(row["writer"] for row in rows))
    return [[row["sequence"] for row in rows if row["writer"] == writer] for writer in writers]


@pytest.mark.parametrize("undoable", [False, True], ids=["a statement", "a transaction"])
@pytest.mark.parametrize("times", [1, 2])
async def test_what_the_server_never_heard_leaves_no_gap(wire, log, looking, database_url, undoable, times):
    wire.deaf = True
    for _ in range(times):
        with pytest.raises(StorageUnavailable):
            await log.commit([an_entry_of(1, undoable=undoable)])
    wire.deaf = False
    assert list(await log.commit([an_entry_of(2, undoable=undoable)])) == [Outcome.WRITTEN]
    assert await numbers(looking) == [[1, 2]]
    found, tally = await audited(database_url, checkpoints=checkpoints_of(log))
    assert (found, tally.records) == (set(), 2)


async def test_what_the_server_did_without_being_heard_is_linked_before_what_follows(wire, log, looking, database_url):
    wire.mute = True
    with pytest.raises(StorageUnavailable):
        await log.commit([an_entry_of(1, undoable=False)])
    assert [head.sequence for head in log.heads()] == [1], "what isn't known isn't told"
    wire.mute = False
    assert list(await log.commit([an_entry_of(2, undoable=False)])) == [Outcome.WRITTEN]
    assert await numbers(looking) == [[1, 2, 3]]
    found, tally = await audited(database_url, checkpoints=checkpoints_of(log))
    assert (found, tally.records) == (set(), 3)


class Held:
    """Holds up whoever opens a session, until it lets go."""

    def __init__(self, connection, transaction):
        self._connection, self._transaction = connection, transaction

    @classmethod
    async def up(cls, url, n):
        connection = await asyncpg.connect(url)
        transaction = connection.transaction()
        await transaction.start()
        opened = "INSERT INTO sessions (principal, session_id, id, revision, started_at) VALUES ($1, $2, $3, 1, $4)"
        await connection.execute(opened, *session(n), uuid4(), NOW)
        return cls(connection, transaction)

    async def let_go(self):
        await self._transaction.rollback()
        await self._connection.close()


async def until(looking, how_many):
    """Until so many statements wait for a lock."""
    ask = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    for _ in range(150):
        if await looking.fetchval(ask) == how_many:
            return
        await asyncio.sleep(0.01)
    pytest.fail("it never came to that")


async def test_a_commit_that_comes_through_too_late_is_undone(wire, log, looking, database_url):
    held = await Held.up(database_url, 1)
    lost = asyncio.create_task(log.commit([an_entry_of(1, undoable=False)]))
    await until(looking, 1)
    wire.cut()
    with pytest.raises(StorageUnavailable):
        await lost
    assert list(await log.commit([an_entry_of(2, undoable=False)])) == [Outcome.WRITTEN]
    await held.let_go()
    await until(looking, 0)
    assert await numbers(looking) == [[1, 2]]
    found, tally = await audited(database_url, checkpoints=checkpoints_of(log))
    assert (found, tally.records) == (set(), 2)


async def test_a_commit_that_comes_through_while_the_next_is_under_way_ends_the_chain(wire, log, looking, database_url):
    first, second = await Held.up(database_url, 1), await Held.up(database_url, 2)
    lost = asyncio.create_task(log.commit([an_entry_of(1, undoable=False)]))
    await until(looking, 1)
    wire.cut()
    with pytest.raises(StorageUnavailable):
        await lost
    following = asyncio.create_task(log.commit([an_entry_of(2, undoable=False)]))
    await until(looking, 2)
    await first.let_go()
    await until(looking, 1)
    await second.let_go()
    assert list(await following) == [Outcome.WRITTEN]
    assert sorted(await numbers(looking)) == [[1], [1, 2]]
    found, tally = await audited(database_url, checkpoints=checkpoints_of(log))
    assert (found, tally.records) == (set(), 3)


async def test_a_chain_that_somebody_made_end_is_told_to_its_last(log, looking, database_url):
    """Else its end could be cut off for good: nothing comes behind it by which that would be noticed."""
    [first] = log.heads()
    columns = ", ".join("sequence + 1" if name == "sequence" else name for name in LINK_COLUMNS)
    await looking.execute(f"INSERT INTO audit_links SELECT {columns} FROM audit_links")
    assert list(await log.commit([an_entry_of(2, undoable=False)])) == [Outcome.WRITTEN]
    assert first in log.heads()
    await looking.execute("DELETE FROM decisions WHERE id IN (SELECT unnest(ids) FROM audit_links WHERE sequence = 2)")
    await looking.execute("DELETE FROM audit_links WHERE writer = $1", first.writer)
    found, _ = await audited(database_url, checkpoints=checkpoints_of(log))
    assert found == {Fault.TAIL_MISSING}


REFUSED = {
    "a poisoned record": {"tool_name": "\0"},
    "a record that is no JSON": {"answer": {"a": object()}},
    "an id that is too long": {"tool_use_id": "".join(chr(0x4E00 + n * 7919 % 20000) for n in range(5000))},
}


@pytest.mark.parametrize("fault", REFUSED.values(), ids=REFUSED.keys())
async def test_a_refused_record_leaves_no_gap(log, looking, database_url, fault):
    bad = an_entry_of(1, undoable=True)
    batch = [
        an_entry_of(2, undoable=True),
        replace(bad, record=replace(bad.record, **fault)),
        an_entry_of(3, undoable=True),
    ]
    outcomes = list(await log.commit(batch))
    assert [outcomes[n] for n in (0, 2)] == [Outcome.WRITTEN] * 2
    assert isinstance(outcomes[1], RecordRefused)
    [sequences] = await numbers(looking)
    assert sequences == list(range(1, len(sequences) + 1))
    found, tally = await audited(database_url, checkpoints=checkpoints_of(log))
    assert (found, tally.records) == (set(), 3)


async def test_losers_leave_no_gap_and_are_in_no_link(log, looking, database_url):
    await log.commit([an_entry_of(1, undoable=True)])
    known = await log.known(session(1), "t-1")
    late = [an_entry(known, key=session(1), tool_use_id="t-1") for _ in range(2)]
    assert list(await log.commit([late[0]])) == [Outcome.LOST]
    assert list(await log.commit([an_entry_of(2, undoable=True), late[1], an_entry_of(3, undoable=False)])) == [
        Outcome.WRITTEN,
        Outcome.LOST,
        Outcome.WRITTEN,
    ]
    assert await numbers(looking) == [[1, 2, 3]]
    found, tally = await audited(database_url, checkpoints=checkpoints_of(log))
    assert (found, tally.records) == (set(), 4)


@pytest.mark.parametrize("how", ["", "&pgbouncer=true"], ids=["plain", "as behind PgBouncer"])
async def test_writers_that_race_keep_their_chains(database_url, how):
    """Twins of many calls by several writers: one of each is written, and told by one link."""
    databases = [Database(database_url + how) for _ in range(3)]
    logs = [PostgresLog(database, CHAIN) for database in databases]

    async def decide(log, n):
        [outcome] = await log.commit([an_entry(key=session(n % 7), tool_use_id=f"t-{n}")])
        return outcome

    outcomes = await asyncio.gather(*(decide(log, n) for n in range(40) for log in logs))
    written = outcomes.count(Outcome.WRITTEN)
    found, tally = await audited(database_url, checkpoints=[one for log in logs for one in checkpoints_of(log)])
    assert (found, tally.records) == (set(), written)
    for database in databases:
        await database.close()


async def test_an_audit_beside_writers_and_retention_finds_nothing(database, database_url):
    days = [NOW - timedelta(days=n) for n in range(6)]
    await maintain(database, days[-1].date(), ahead=6)
    logs = [PostgresLog(database, CHAIN) for _ in range(2)]

    async def write(log, name):
        for n in range(60):
            entry = an_entry(key=SessionKey((name, str(n))), decided_at=days[n % 6])
            assert list(await log.commit([entry])) == [Outcome.WRITTEN]

    async def retain():
        for keep in (4, 3, 2):
            with suppress(StorageUnavailable):  # it gives way to the audit, and is called again
                await maintain(database, NOW.date(), retention=Retention(keep, SECRET))

    async def audit():
        return [await audited(database_url) for _ in range(4)]

    found, *_ = await asyncio.gather(audit(), write(logs[0], "a"), write(logs[1], "b"), retain())
    assert [faults for faults, _ in found] == [set()] * 4
    await maintain(database, NOW.date(), retention=Retention(1, SECRET))
    checkpoints = [one for log in logs for one in checkpoints_of(log)]
    faults, tally = await audited(database_url, checkpoints=checkpoints)
    assert (faults, tally.records) == (set(), 40)
