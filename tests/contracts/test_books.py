"""Leases, conversations, answers, sessions and lists, each by one contract."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from contracts.books import STORES, opened
from contracts.records import KEY, NOW, a_record, a_session, an_entry
from lineclear.core.breaker import Breaker, OpenedBy
from lineclear.core.call import Key, Principal, Role, SessionKey
from lineclear.core.course import Answer, By, Course, Result
from lineclear.core.joining import Said
from lineclear.core.redact import Redacted
from lineclear.core.standing import Grant, Scope, Shown
from lineclear.engine.answers import Given
from lineclear.engine.conversation import Heard
from lineclear.engine.ids import uuid7_of
from lineclear.engine.listing import Wanted
from lineclear.engine.log import Entry, Outcome
from lineclear.engine.sessions import Deed

OTHER = SessionKey(("installation-2", KEY[1]))
ANNA = Key("k-9", Role.OPERATOR, Principal("anna"))
ANY = Wanted()
LATER = NOW + timedelta(minutes=15)


@pytest.fixture(params=STORES)
def books(request):
    return opened(request)


# Leases


async def test_a_lease_is_one_s_until_it_is_given_back(books):
    first, second = uuid4(), uuid4()
    assert await books.leases.take(KEY, "t-1", first, for_s=60)
    assert not await books.leases.take(KEY, "t-1", second, for_s=60)
    assert await books.leases.take(KEY, "t-2", second, for_s=60)
    assert await books.leases.take(OTHER, "t-1", second, for_s=60)
    await books.leases.release(KEY, "t-1", second)
    assert not await books.leases.take(KEY, "t-1", second, for_s=60), "only its holder gives it back"
    await books.leases.release(KEY, "t-1", first)
    assert await books.leases.take(KEY, "t-1", second, for_s=60)


async def test_a_lease_whose_holder_died_runs_out(books):
    assert await books.leases.take(KEY, "t-1", uuid4(), for_s=0.05)
    await asyncio.sleep(0.1)
    assert await books.leases.take(KEY, "t-1", uuid4(), for_s=60)


async def test_of_many_one_has_it(books):
    taken = await asyncio.gather(*(books.leases.take(KEY, "t-1", uuid4(), for_s=60) for _ in range(16)))
    assert taken.count(True) == 1


# Conversations


def a_message(text, message_id=None):
    return Heard(Said(message_id, f"hash of {text}"), Redacted([[text, False, False]]))


async def test_messages_are_kept_in_order_and_once(books):
    fresh = a_session()
    assert await books.messages.join(fresh, [a_message("a"), a_message("b")]) == 2
    assert await books.messages.join(fresh, [a_message("b"), a_message("c", "m-1")]) == 1
    kept, missing = await books.messages.latest(KEY, 10)
    assert ([one[0][0] for one in kept], missing) == (["a", "b", "c"], 0)
    assert (await books.log.known(KEY, None)).session.messages == 3
    assert await books.messages.latest(OTHER, 10) == ([], 0)


async def test_the_first_and_the_latest_are_told(books):
    await books.messages.join(a_session(), [a_message(str(n)) for n in range(9)])
    kept, missing = await books.messages.latest(KEY, 4)
    assert ([one[0][0] for one in kept], missing) == (["0", "6", "7", "8"], 5)


async def test_a_session_that_is_there_is_only_counted_on(books):
    entry = an_entry()
    await books.log.commit([entry])
    await books.messages.join(a_session(), [a_message("a")])
    assert (await books.log.known(KEY, None)).session == replace(entry.session, messages=1)


# Answers


async def asked(books, *, tool_use_id=None, breaker=None, **changes):
    """A question that is in the log."""
    entry = an_entry(tool_use_id=tool_use_id, expires_at=LATER, **changes)
    if breaker is not None:
        entry = replace(entry, session=replace(entry.session, breaker=breaker, steps=1))
    assert list(await books.log.commit([entry])) == [Outcome.WRITTEN]
    return entry.record


def given(answer=Answer.APPROVED, by=By.OPERATOR, **more):
    return Given(answer, by, ANNA, NOW, Scope.ONCE, **more)


def a_grant(**changes):
    shown = frozenset({Shown("ask_rule", "organisation:x", "git push"), Shown("default_mode", None, None)})
    return replace(Grant(uuid4(), "cd" * 32, Scope.ONCE, shown), **changes)


async def test_the_first_answer_is_kept_and_spends_the_stored_decision(books):
    question = await asked(books, tool_use_id="t-1")
    assert await books.answers.course(question.id) == Course()
    assert not (await books.log.known(KEY, "t-1")).spent
    assert await books.answers.answer(question, given(Answer.REJECTED)) is not None
    assert await books.answers.answer(question, given()) is None
    assert await books.answers.course(question.id) == Course(Answer.REJECTED, By.OPERATOR, Scope.ONCE, NOW)
    assert (await books.log.known(KEY, "t-1")).spent


async def test_of_many_answers_one_is_kept(books):
    question = await asked(books)
    kept = await asyncio.gather(*(books.answers.answer(question, given()) for _ in range(8)))
    assert [session is None for session in kept].count(False) == 1


async def test_a_decision_that_replaces_a_spent_one_is_fresh(books):
    question = await asked(books, tool_use_id="t-1")
    await books.answers.answer(question, given())
    known = await books.log.known(KEY, "t-1")
    await books.log.commit([an_entry(known, tool_use_id="t-1", replaces=question.id)])
    assert not (await books.log.known(KEY, "t-1")).spent


async def test_a_grant_is_held_until_its_time(books):
    question, grant = await asked(books), a_grant()
    session = await books.answers.answer(question, given(grant=grant, grant_until=LATER))
    assert session.grants_until == LATER
    assert list(await books.answers.grants(KEY, NOW)) == [grant]
    assert list(await books.answers.grants(KEY, LATER)) == []
    assert list(await books.answers.grants(OTHER, NOW)) == []


async def test_a_grant_for_once_is_used_by_one_record(books):
    question, grant = await asked(books), a_grant()
    await books.answers.answer(question, given(grant=grant, grant_until=LATER))
    known = await books.log.known(KEY, None)
    uses = [replace(an_entry(known), uses=grant.id) for _ in range(3)]
    outcomes = [outcome for [outcome] in await asyncio.gather(*(books.log.commit([one]) for one in uses))]
    assert sorted(outcome.value for outcome in outcomes) == ["lost", "lost", "written"]
    assert list(await books.answers.grants(KEY, NOW)) == []
    batch = [replace(an_entry(known), uses=grant.id), an_entry(known)]
    assert list(await books.log.commit(batch)) == [Outcome.LOST, Outcome.WRITTEN]


async def test_a_record_that_is_not_written_uses_no_grant(books):
    question, grant = await asked(books, tool_use_id="t-1"), a_grant()
    await books.answers.answer(question, given(grant=grant, grant_until=LATER))
    known = await books.log.known(KEY, "t-1")
    stale = replace(an_entry(known, tool_use_id="t-1", replaces=uuid4()), uses=grant.id)
    assert list(await books.log.commit([stale])) == [Outcome.LOST]
    assert list(await books.answers.grants(KEY, NOW)) == [grant]


async def test_a_grant_for_the_session_is_used_often_and_ends_with_it(books):
    question, grant = await asked(books), a_grant(scope=Scope.SESSION)
    await books.answers.answer(question, given(grant=grant))
    for _ in range(3):
        known = await books.log.known(KEY, None)
        assert list(await books.log.commit([replace(an_entry(known), uses=grant.id)])) == [Outcome.WRITTEN]
    await books.sessions.close(known.session, Deed(uuid4(), ANNA, NOW, Redacted("")))
    known = await books.log.known(KEY, None)
    assert list(await books.log.commit([replace(an_entry(known), uses=grant.id)])) == [Outcome.LOST]
    assert list(await books.answers.grants(KEY, NOW)) == []
    assert known.session.closed_at == NOW


async def test_a_grant_that_is_voided_is_over(books):
    question, grant = await asked(books), a_grant(scope=Scope.SESSION)
    await books.answers.answer(question, given(grant=grant))
    known = await books.log.known(KEY, None)
    assert list(await books.log.commit([replace(an_entry(known), voids=grant.id)])) == [Outcome.WRITTEN]
    assert list(await books.answers.grants(KEY, NOW)) == []


@pytest.mark.parametrize(
    ("episode", "closes", "answer", "closed"),
    [
        (1, True, Answer.APPROVED, True),
        (1, False, Answer.APPROVED, False),
        (1, True, Answer.REJECTED, False),
        (0, True, Answer.APPROVED, False),
        (3, True, Answer.APPROVED, False),
    ],
)
async def test_an_approval_closes_the_opening_that_it_was_asked_in(books, episode, closes, answer, closed):
    open_ = Breaker(3, 20, OpenedBy.TOTAL, 1)
    question = await asked(books, breaker=open_, episode=episode)
    session = await books.answers.answer(question, given(answer, closes_breaker=closes))
    assert session.breaker == (Breaker(0, 0, None, 1) if closed else open_)
    assert session.steps == (2 if closed else 1)
    assert (await books.log.known(KEY, None)).session == session


async def test_reports_are_kept_unless_they_contradict(books):
    decision = await asked(books, tool_use_id="t-1")
    kept = [
        await books.answers.report(decision, result, ANNA, NOW)
        for result in (Result.UNKNOWN, Result.EXECUTED, Result.EXECUTED, Result.FAILED, Result.UNKNOWN)
    ]
    assert kept == [True, True, True, False, False]
    assert (await books.answers.course(decision.id)).result is Result.EXECUTED
    assert (await books.log.known(KEY, "t-1")).spent
    assert await books.answers.answer(decision, given()) is None, "it ran already"


# Sessions


async def test_sessions_are_found_listed_and_reset(books):
    keys = [SessionKey(("p-1", "a")), SessionKey(("p-2", "b")), SessionKey(("p-1", "c"))]
    opened_breaker = Breaker(3, 3, OpenedBy.CONSECUTIVE, 1)
    for number, key in enumerate(keys):
        session = replace(a_session(key), id=uuid7_of(number + 1, number))
        if number == 1:
            session = replace(session, breaker=opened_breaker, steps=1)
        await books.log.commit([Entry(a_record(key), session, None)])
    first, second, third = [(await books.log.known(key, None)).session for key in keys]
    page = books.sessions.page
    assert list(await page(None, open_only=False, before=None, limit=9)) == [third, second, first]
    assert list(await page(None, open_only=False, before=third.id, limit=1)) == [second]
    assert list(await page("p-1", open_only=False, before=None, limit=9)) == [third, first]
    assert list(await page(None, open_only=True, before=None, limit=9)) == [second]
    assert await books.sessions.find(second.id) == second
    assert await books.sessions.find(uuid4()) is None
    assert await books.sessions.named(keys[0]) == first
    assert await books.sessions.named(OTHER) is None
    deed = Deed(uuid4(), ANNA, NOW, Redacted("a false alarm"))
    assert (await books.sessions.reset(second, deed)).breaker == Breaker(0, 3, None, 1)
    assert await books.sessions.reset(second, deed) is None
    assert await books.sessions.reset(first, deed) is None


# Lists


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
    await books.answers.answer(records[4], given(Answer.REJECTED))
    assert list((await books.listing.pending(NOW, before=None, limit=9)).records) == [records[1]]
