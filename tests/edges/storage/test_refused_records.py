from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from contracts.records import CHAIN, KEY, a_record, a_session, an_entry
from lineclear.core.call import SessionKey
from lineclear.engine.log import Entry, Known, Outcome
from lineclear.storage.failures import RecordRefused
from lineclear.storage.log import PostgresLog

POISON = {
    "a NUL in a text": {"tool_name": "Ba\0sh"},
    "a lone surrogate in a text": {"tool_name": "\ud800"},
    "a lone surrogate in the request": {"request": {"a": "\udc00"}},
    "no JSON in the answer": {"answer": {"a": object()}},
    "a NUL among the rules": {"rules": ("a\0b",)},
    "no moment": {"decided_at": "yesterday"},
    "a column that is missing": {"verdict": None},
    "an index entry that is too long": {"tool_use_id": "".join(chr(0x4E00 + n * 7919 % 20000) for n in range(5000))},
}


@pytest.fixture
def log(database):
    return PostgresLog(database, CHAIN)


@pytest.mark.parametrize("fault", POISON.values(), ids=POISON.keys())
async def test_a_poisoned_record_fails_alone_and_says_nothing_of_its_content(log, fault):
    await log.commit([an_entry()])
    known = await log.known(KEY, None)
    bad = an_entry(known, tool_use_id="t-2")
    bad = replace(bad, record=replace(bad.record, **fault))
    other = SessionKey(("installation-2", "s-1"))
    batch = [an_entry(known, tool_use_id="t-1"), bad, an_entry(key=other, tool_use_id="t-1"), an_entry(known)]

    outcomes = list(await log.commit(batch))

    assert [outcomes[n] for n in (0, 2, 3)] == [Outcome.WRITTEN] * 3
    assert isinstance(outcomes[1], RecordRefused)
    assert str(bad.record.id) in str(outcomes[1])
    assert not any(word in str(outcomes[1]) for word in ("Ba\0sh", "yesterday", "git push"))
    assert await log.find(bad.record.id) is None
    assert await log.known(KEY, "t-2") == Known(known.session), "its tool_use_id stays free"


async def test_a_refused_record_opens_no_session(log):
    entry = an_entry(tool_use_id="t-1", tool_name="\0")
    [outcome] = await log.commit([entry])
    assert isinstance(outcome, RecordRefused)
    assert await log.known(KEY, "t-1") == Known()


async def test_an_id_that_is_taken_is_refused(log):
    first = an_entry()
    await log.commit([first])
    again = an_entry(await log.known(KEY, None), id=first.record.id, tool_name="Other")
    [outcome] = await log.commit([again])
    assert isinstance(outcome, RecordRefused)
    assert await log.find(first.record.id) == first.record


async def test_a_session_that_skips_a_revision_is_refused(log):
    await log.commit([an_entry()])
    known = await log.known(KEY, None)
    entry = Entry(a_record(), replace(known.session, roots=(), revision=7), known.session)
    [outcome] = await log.commit([entry])
    assert isinstance(outcome, RecordRefused)


async def test_a_session_may_not_change_its_identity(log):
    await log.commit([an_entry()])
    known = await log.known(KEY, None)
    entry = Entry(a_record(), a_session(revision=2), known.session)
    assert list(await log.commit([entry])) == [Outcome.LOST]


async def test_a_name_that_no_database_can_hold_is_nobodys_and_harms_no_neighbour(log):
    entry = an_entry(tool_use_id="t-1")
    await log.commit([entry])
    odd = [SessionKey(("installation-1", name)) for name in ("a\0b", "\ud800")]
    known = await asyncio.gather(log.known(KEY, "t-1"), *(log.known(key, "t-1") for key in odd), log.known(KEY, "\0"))
    assert known == [Known(entry.session, entry.record), Known(), Known(), Known()]
