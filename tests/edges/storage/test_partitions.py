from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta

from contracts.records import CHAIN, KEY, an_entry
from lineclear.engine.chain import ChainKey
from lineclear.engine.log import Known, Outcome
from lineclear.storage.log import PostgresLog
from lineclear.storage.partitions import maintain
from lineclear.storage.retention import Retention

SECRET = ChainKey(CHAIN)
TODAY = date(2026, 11, 29)


def noon(day):
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC)


async def tables_of(database, entry):
    async with database.begin("looking") as connection:
        return (
            (
                await connection.exec_driver_sql(
                    f"SELECT tableoid::regclass::text FROM decisions WHERE id = '{entry.record.id}'"
                )
            )
            .scalars()
            .all()
        )


async def test_days_are_made_ahead_and_only_once(database):
    first = await maintain(database, TODAY, ahead=3)
    assert first.made == tuple(TODAY + timedelta(days=n) for n in range(4))
    assert (await maintain(database, TODAY, ahead=3)).made == ()
    assert (await maintain(database, TODAY + timedelta(days=1), ahead=3)).made == (TODAY + timedelta(days=4),)


async def test_replicas_that_maintain_at_once_make_each_day_once(database):
    done = await asyncio.gather(*(maintain(database, TODAY, ahead=2) for _ in range(3)))
    assert sorted(day for upkeep in done for day in upkeep.made) == [TODAY + timedelta(days=n) for n in range(3)]


async def test_a_decision_without_a_day_is_written_and_moves_when_its_day_is_made(database):
    log = PostgresLog(database, CHAIN)
    entry = an_entry(tool_use_id="t-1", decided_at=noon(TODAY))
    await log.commit([entry])
    assert await tables_of(database, entry) == ["decisions_default"]
    await maintain(database, TODAY, ahead=0)
    assert await tables_of(database, entry) == ["decisions_20261129"]
    assert await log.find(entry.record.id) == entry.record
    assert await log.known(KEY, "t-1") == Known(entry.session, entry.record)


async def test_what_is_too_old_goes_with_its_day_and_its_call_can_be_made_again(database):
    log = PostgresLog(database, CHAIN)
    old, new = noon(TODAY - timedelta(days=31)), noon(TODAY - timedelta(days=30))
    await maintain(database, old.date(), ahead=1)
    gone = an_entry(tool_use_id="t-1", decided_at=old)
    await log.commit([gone])
    kept = an_entry(await log.known(KEY, None), tool_use_id="t-2", decided_at=new)
    stray = an_entry(await log.known(KEY, None), tool_use_id="t-3", decided_at=old - timedelta(days=5))
    await log.commit([kept, stray])

    upkeep = await maintain(database, TODAY, ahead=0, retention=Retention(30, SECRET))

    assert upkeep.dropped == (old.date(),)
    assert [await log.find(entry.record.id) for entry in (gone, kept, stray)] == [None, kept.record, None]
    assert list(await log.commit([an_entry(await log.known(KEY, "t-1"), tool_use_id="t-1")])) == [Outcome.WRITTEN]


async def test_decisions_are_written_while_days_are_made(database):
    log = PostgresLog(database, CHAIN)
    await log.commit([an_entry()])
    known = await log.known(KEY, None)

    async def write():
        return [(await log.commit([an_entry(known, decided_at=noon(TODAY))]))[0] for _ in range(40)]

    outcomes, _ = await asyncio.gather(write(), maintain(database, TODAY - timedelta(days=2), ahead=4))
    assert outcomes == [Outcome.WRITTEN] * 40
