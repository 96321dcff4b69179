"""Lists come newest first, by pages, and nothing twice."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from contracts.books import STORES, opened
from contracts.records import KEY, NOW, a_record, a_session, an_entry
from lineclear.core.call import Key, Principal, Role, SessionKey
from lineclear.core.course import Answer, By
from lineclear.engine.answers import Given
from lineclear.engine.ids import uuid7_of
from lineclear.engine.listing import Wanted
from lineclear.engine.log import Entry, Outcome

OTHER = SessionKey(("installation-2", KEY[1]))
ANY = Wanted()


@pytest.fixture(params=STORES)
def books(request):
    return opened(request)


async def filled(books, count=7):
    """A log of some decisions, a minute apart, newest last."""
    records = []
    for number in range(count):
        at = NOW + timedelta(minutes=number)
        key = KEY if number % 2 else OTHER
        record = replace(
            a_record(key),
            id=uuid7_of(int(at.timestamp() * 1000), number),
            decided_at=at,
            verdict=("allow", "ask", "deny")[number % 3],
            code="ask_rule" if number % 2 else "safe_tool",
            tool_name=f"tool{number % 4}",
            rules=(f"organisation:r{number}", "builtin.x"),
            expires_at=at + timedelta(minutes=15) if number % 3 == 1 else None,
        )
        known = await books.log.known(key, None)
        session = known.session or a_session(key)
        assert list(await books.log.commit([Entry(record, session, known.session)])) == [Outcome.WRITTEN]
        records.append(record)
    return records


async def everything(books, wanted=ANY, limit=2):
    found, before = [], None
    while True:
        page = await books.listing.decisions(wanted, before=before, limit=limit)
        found += page.records
        if page.before is None:
            return found
        before = page.before


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 50])
async def test_decisions_come_newest_first_and_each_once(books, limit):
    records = await filled(books)
    assert await everything(books, limit=limit) == records[::-1]


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        (Wanted(verdict="ask"), [4, 1]),
        (Wanted(code="ask_rule"), [5, 3, 1]),
        (Wanted(tool_name="tool0"), [4, 0]),
        (Wanted(rule="organisation:r3"), [3]),
        (Wanted(rule="organisation:r"), []),
        (Wanted(session=KEY[1]), [6, 5, 4, 3, 2, 1, 0]),
        (Wanted(session="none"), []),
        (Wanted(since=NOW + timedelta(minutes=5)), [6, 5]),
        (Wanted(until=NOW + timedelta(minutes=2)), [1, 0]),
        (Wanted(since=NOW + timedelta(minutes=1), until=NOW + timedelta(minutes=4), code="ask_rule"), [3, 1]),
    ],
    ids=str,
)
async def test_decisions_are_filtered(books, wanted, numbers):
    records = await filled(books)
    assert await everything(books, wanted) == [records[number] for number in numbers]


async def test_a_list_that_grows_shows_nothing_twice(books):
    records = await filled(books, 4)
    first = await books.listing.decisions(Wanted(), before=None, limit=2)
    await books.log.commit([an_entry(await books.log.known(KEY, None))])
    second = await books.listing.decisions(Wanted(), before=first.before, limit=9)
    assert [*first.records, *second.records] == records[::-1]


async def test_questions_wait_until_they_are_answered_or_expire(books):
    records = await filled(books)
    waiting = [records[4], records[1]]
    page = await books.listing.pending(NOW, before=None, limit=9)
    assert (list(page.records), page.before) == (waiting, None)
    assert list((await books.listing.pending(NOW, before=waiting[0].id, limit=9)).records) == [records[1]]
    assert list((await books.listing.pending(records[1].expires_at, before=None, limit=9)).records) == [records[4]]
    anna = Key("k-9", Role.OPERATOR, Principal("anna"))
    await books.answers.answer(records[4], Given(Answer.REJECTED, By.OPERATOR, anna, NOW))
    assert list((await books.listing.pending(NOW, before=None, limit=9)).records) == [records[1]]
