"""A page of a list looks at so many rows and no more, and the pages together show everything."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from contracts.records import CHAIN, KEY, NOW, a_record, a_session
from lineclear.engine.ids import uuid7_of
from lineclear.engine.listing import Wanted
from lineclear.engine.log import Entry
from lineclear.storage.listing import PostgresListing
from lineclear.storage.log import PostgresLog

COUNT, LOOKED_AT = 53, 10


@pytest.fixture
async def listing(database):
    """A list over a log in which one decision of all is a denial, the oldest."""
    log = PostgresLog(database, CHAIN)
    for number in range(COUNT):
        at = NOW + timedelta(seconds=number)
        known = await log.known(KEY, None)
        record = replace(a_record(KEY), id=uuid7_of(int(at.timestamp() * 1000), number), decided_at=at)
        record = replace(record, verdict="ask" if number else "deny", expires_at=at + timedelta(seconds=1 + number))
        await log.commit([Entry(record, known.session or a_session(), known.session)])
    return PostgresListing(database, looked_at=LOOKED_AT)


async def pages(ask):
    found, before = [], None
    while True:
        page = await ask(before)
        found.append(len(page.records))
        if page.before is None:
            return found
        before = page.before


async def test_what_is_rare_takes_pages_not_time(listing):
    async def ask(before):
        return await listing.decisions(Wanted(verdict="deny"), before=before, limit=50)

    assert await pages(ask) == [0, 0, 0, 0, 0, 1]


async def test_all_is_shown_once(listing):
    async def ask(before):
        return await listing.decisions(Wanted(), before=before, limit=50)

    assert await pages(ask) == [10, 10, 10, 10, 10, 3]


async def test_questions_that_expired_are_passed_over_in_pages_too(listing):
    async def ask(before):
        return await listing.pending(NOW + timedelta(seconds=80), before=before, limit=50)

    found = await pages(ask)
    assert sum(found) == len([n for n in range(COUNT) if n + 1 + n > 80])
    assert len(found) == 6
    assert await listing.waiting(NOW + timedelta(seconds=80), 1000) == sum(found)
    assert await listing.waiting(NOW + timedelta(seconds=80), 3) == 3
