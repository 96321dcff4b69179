"""A list of 100,000 decisions pages in constant time a page while new ones arrive, without a double or a gap."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from statistics import median

import pytest

from contracts.records import CHAIN, an_entry
from lineclear.core.call import SessionKey
from lineclear.engine.ids import uuid7_of
from lineclear.engine.listing import Wanted
from lineclear.engine.log import Known
from lineclear.storage.listing import PostgresListing
from lineclear.storage.log import PostgresLog

DECISIONS = 100_000
PAGE = 200
BATCH = 1_000
BEGAN = datetime(2026, 6, 1, tzinfo=UTC)

pytestmark = pytest.mark.slow


def entry(number):
    """A decision of a session of its own, a millisecond after the one before it."""
    at = BEGAN + timedelta(milliseconds=number)
    made = an_entry(Known())
    key = SessionKey(("p", f"s-{number}"))
    record_id = uuid7_of(int(at.timestamp() * 1000), number)
    record = replace(made.record, id=record_id, decided_at=at, session=key, tool_use_id=None)
    return replace(made, record=record, session=replace(made.session, key=key, id=record_id))


async def test_a_long_list(database):
    log, listing = PostgresLog(database, CHAIN), PostgresListing(database)
    for first in range(0, DECISIONS, BATCH):
        await log.commit([entry(number) for number in range(first, first + BATCH)])
    seen, took, before, arrived = [], [], None, DECISIONS
    while True:
        begun = time.perf_counter()
        page = await listing.decisions(Wanted(), before=before, limit=PAGE)
        took.append(time.perf_counter() - begun)
        seen += [record.id for record in page.records]
        if page.before is None:
            break
        before = page.before
        await log.commit([entry(arrived)])
        arrived += 1
    assert seen == [entry(number).record.id for number in reversed(range(DECISIONS))]
    tenth = len(took) // 10
    early, late = median(took[:tenth]), median(took[-tenth:])
    print(f"{len(took)} pages; median of the first tenth {early * 1000:.1f} ms, of the last {late * 1000:.1f} ms")  # noqa: T201
    assert late < early * 3
