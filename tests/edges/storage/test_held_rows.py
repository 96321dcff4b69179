"""Who holds a session's row holds up that session and no other; who holds a table costs one wait, not one each."""

from __future__ import annotations

import time
from dataclasses import replace

import asyncpg
import pytest

from contracts.records import CHAIN, an_entry
from lineclear.core.call import SessionKey
from lineclear.engine.log import Known, Outcome, StorageUnavailable
from lineclear.storage.database import Database
from lineclear.storage.log import PostgresLog

SESSIONS = [SessionKey(("p", f"s-{n}")) for n in range(20)]
LOCK_S = 0.3


@pytest.fixture
async def log(database_url):
    database = Database(database_url, lock_s=LOCK_S)
    yield PostgresLog(database, CHAIN)
    await database.close()


@pytest.fixture
async def holder(database_url):
    connection = await asyncpg.connect(database_url)
    yield connection
    await connection.close()


def narrowed(known):
    """An entry that changes its session's row."""
    return an_entry(known, key=known.session.key, roots=("/work/repo/src",))


async def begun(log):
    await log.commit([an_entry(key=key) for key in SESSIONS])
    return [await log.known(key, None) for key in SESSIONS]


def told(outcomes):
    return ["gone" if isinstance(one, StorageUnavailable) else one for one in outcomes]


async def test_a_row_that_is_held_costs_its_own_session(log, holder):
    known = await begun(log)
    async with holder.transaction():
        await holder.execute("SELECT 1 FROM sessions WHERE session_id = 's-3' FOR UPDATE")
        begun_at = time.monotonic()
        outcomes = await log.commit([narrowed(one) for one in known])
        assert time.monotonic() - begun_at < 2
    assert told(outcomes) == [Outcome.WRITTEN] * 3 + ["gone"] + [Outcome.WRITTEN] * 16
    assert told(await log.commit([narrowed(known[3])])) == [Outcome.WRITTEN]


async def test_a_table_that_is_held_costs_every_entry_and_one_wait_or_three(log, holder):
    known = await begun(log)
    async with holder.transaction():
        await holder.execute("LOCK TABLE sessions")
        begun_at = time.monotonic()
        with pytest.raises(StorageUnavailable, match="somebody holds"):
            await log.commit([narrowed(one) for one in known])
        assert time.monotonic() - begun_at < 3 * LOCK_S + 1
    assert told(await log.commit([narrowed(one) for one in known])) == [Outcome.WRITTEN] * 20


async def test_a_database_that_goes_while_each_is_written_alone_is_waited_for_once(log):
    poison = an_entry(Known(), key=SESSIONS[0])
    poison = replace(poison, record=replace(poison.record, verdict=None))
    write, written = log._database.lend, []

    def lend(doing):
        written.append(doing)
        if len(written) > 3:
            raise StorageUnavailable(doing)
        return write(doing)

    log._database.lend = lend
    outcomes = await log.commit([poison, *(an_entry(key=key) for key in SESSIONS[1:])])
    assert told(outcomes)[1:3] == [Outcome.WRITTEN, "gone"]
    assert set(told(outcomes)[2:]) == {"gone"}
    assert len(written) == 4
