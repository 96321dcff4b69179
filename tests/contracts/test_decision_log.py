from __future__ import annotations

import asyncio
from uuid import uuid4

import pytest

from contracts.records import CHAIN, KEY, a_record, an_entry
from lineclear.core.call import SessionKey
from lineclear.engine.log import Entry, Known, Outcome
from lineclear.storage.log import PostgresLog
from lineclear.storage.memory import MemoryLog
from lineclear.storage.writer import GroupWriter

WRITTEN, LOST = Outcome.WRITTEN, Outcome.LOST


@pytest.fixture(params=["memory", "postgres", "pgbouncer", "group"])
def log(request):
    if request.param == "memory":
        return MemoryLog()
    database = request.getfixturevalue("pooled_database" if request.param == "pgbouncer" else "database")
    postgres = PostgresLog(database, CHAIN)
    return GroupWriter(postgres) if request.param == "group" else postgres


async def test_nothing_is_known_at_first(log):
    assert await log.known(KEY, "t-1") == Known()
    assert await log.known(KEY, None) == Known()
    assert await log.find(uuid4()) is None


async def test_what_was_written_is_known_and_found_as_it_was(log):
    entry = an_entry(tool_use_id="t-1")
    assert list(await log.commit([entry])) == [WRITTEN]
    assert await log.known(KEY, "t-1") == Known(entry.session, entry.record)
    assert await log.known(KEY, "t-2") == Known(entry.session)
    assert await log.known(KEY, None) == Known(entry.session)
    assert await log.find(entry.record.id) == entry.record


async def test_a_session_without_roots_stays_without(log):
    entry = an_entry()
    entry = Entry(entry.record, type(entry.session)(KEY, entry.session.id, None, 1, entry.session.started_at), None)
    await log.commit([entry])
    assert (await log.known(KEY, None)).session.roots is None


async def test_the_same_name_of_another_principal_is_another_session(log):
    other = SessionKey(("installation-2", KEY[1]))
    entry = an_entry(tool_use_id="t-1")
    await log.commit([entry])
    assert await log.known(other, "t-1") == Known()
    assert list(await log.commit([an_entry(key=other, tool_use_id="t-1")])) == [WRITTEN]
    assert (await log.known(KEY, "t-1")).earlier == entry.record


async def test_a_tool_use_id_is_taken_once(log):
    first = an_entry(tool_use_id="t-1")
    await log.commit([first])
    late = an_entry(await log.known(KEY, None), tool_use_id="t-1")
    assert list(await log.commit([late])) == [LOST]
    assert await log.find(late.record.id) is None
    assert (await log.known(KEY, "t-1")).earlier == first.record


async def test_a_decision_takes_the_place_of_the_one_that_it_saw_and_of_no_other(log):
    first = an_entry(tool_use_id="t-1")
    await log.commit([first])
    known = await log.known(KEY, "t-1")
    second = an_entry(known, tool_use_id="t-1", replaces=first.record.id)
    assert list(await log.commit([second])) == [WRITTEN]
    third = an_entry(known, tool_use_id="t-1", replaces=first.record.id)
    assert list(await log.commit([third])) == [LOST]
    assert (await log.known(KEY, "t-1")).earlier == second.record
    assert await log.find(first.record.id) == first.record


async def test_nothing_takes_the_place_of_a_decision_that_is_not_there(log):
    entry = an_entry(tool_use_id="t-1", replaces=uuid4())
    assert list(await log.commit([entry])) == [LOST]
    assert await log.known(KEY, "t-1") == Known()


async def test_a_session_is_opened_once(log):
    first, second = an_entry(), an_entry()
    assert list(await log.commit([first])) == [WRITTEN]
    assert list(await log.commit([second])) == [LOST]
    assert (await log.known(KEY, None)).session == first.session
    assert await log.find(second.record.id) is None


async def test_a_session_is_narrowed_from_the_state_that_was_seen(log):
    await log.commit([an_entry()])
    known = await log.known(KEY, None)
    narrowed = an_entry(known, roots=("/work/repo/a",))
    assert list(await log.commit([narrowed])) == [WRITTEN]
    assert (await log.known(KEY, None)).session == narrowed.session
    assert list(await log.commit([an_entry(known, roots=("/work/repo/b",))])) == [LOST]
    assert list(await log.commit([an_entry(known)])) == [LOST], "decided on roots that no longer hold"
    assert (await log.known(KEY, None)).session == narrowed.session


async def test_a_loser_of_its_tool_use_id_changes_nothing_of_its_session(log):
    await log.commit([an_entry(tool_use_id="t-1")])
    known = await log.known(KEY, None)
    assert list(await log.commit([an_entry(known, tool_use_id="t-1", roots=("/elsewhere",))])) == [LOST]
    assert await log.known(KEY, None) == known


async def test_losers_do_not_harm_the_rest_of_their_batch(log):
    await log.commit([an_entry(tool_use_id="t-1")])
    known = await log.known(KEY, None)
    other = SessionKey(("installation-1", "s-43"))
    batch = [
        an_entry(known, tool_use_id="t-2"),
        an_entry(known, tool_use_id="t-1", roots=("/elsewhere",)),
        an_entry(key=other, tool_use_id="t-1"),
        an_entry(),
    ]
    assert list(await log.commit(batch)) == [WRITTEN, LOST, WRITTEN, LOST]
    found = [await log.find(entry.record.id) is not None for entry in batch]
    assert found == [True, False, True, False]


async def test_within_a_batch_the_first_comes_first(log):
    await log.commit([an_entry()])
    known = await log.known(KEY, None)
    batch = [
        an_entry(known, tool_use_id="t-1"),
        an_entry(known, tool_use_id="t-1"),
        an_entry(known, tool_use_id="t-2", roots=("/work/repo/a",)),
        an_entry(known, tool_use_id="t-3"),
    ]
    assert list(await log.commit(batch)) == [WRITTEN, LOST, WRITTEN, LOST]


async def test_of_twins_in_flight_exactly_one_is_written(log):
    await log.commit([an_entry()])
    known = await log.known(KEY, None)
    twins = [an_entry(known, tool_use_id="t-1") for _ in range(12)]
    outcomes = [outcome for [outcome] in await asyncio.gather(*(log.commit([twin]) for twin in twins))]
    assert sorted(outcome.value for outcome in outcomes) == ["lost"] * 11 + ["written"]
    winner = twins[outcomes.index(WRITTEN)]
    assert (await log.known(KEY, "t-1")).earlier == winner.record
    assert [await log.find(twin.record.id) is not None for twin in twins] == [twin is winner for twin in twins]


async def test_of_twins_that_open_a_session_exactly_one_is_written(log):
    twins = [an_entry(tool_use_id="t-1") for _ in range(12)]
    outcomes = [outcome for [outcome] in await asyncio.gather(*(log.commit([twin]) for twin in twins))]
    assert outcomes.count(WRITTEN) == 1
    winner = twins[outcomes.index(WRITTEN)]
    assert await log.known(KEY, "t-1") == Known(winner.session, winner.record)


async def test_calls_without_an_id_are_all_written(log):
    await log.commit([an_entry()])
    known = await log.known(KEY, None)
    batch = [an_entry(known) for _ in range(5)]
    assert list(await log.commit(batch)) == [WRITTEN] * 5


async def test_an_empty_batch_is_written(log):
    assert list(await log.commit([])) == []


async def test_texts_survive_as_they_are(log):
    odd = "'; DROP TABLE decisions; -- \\ \u202e \U0001f980 {1,2} NULL %s $1 \x1b[0m"
    key = SessionKey((odd, odd + "x"))
    entry = an_entry(key=key, tool_use_id=odd, tool_name=odd, rules=(odd, "", "NULL"), request={odd: [odd, {"": odd}]})
    assert list(await log.commit([entry])) == [WRITTEN]
    assert await log.known(key, odd) == Known(entry.session, entry.record)
    assert a_record() != entry.record
