"""The first answer counts; a grant is used by one record; what follows from an answer is in its transaction."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from contracts.books import STORES, opened
from contracts.records import KEY, NOW, an_entry
from lineclear.core.breaker import Breaker, OpenedBy
from lineclear.core.call import Key, Principal, Role, SessionKey
from lineclear.core.course import Answer, By, Course, Result
from lineclear.core.redact import Redacted
from lineclear.core.standing import Grant, Scope, Shown
from lineclear.engine.answers import Given
from lineclear.engine.log import Outcome
from lineclear.engine.sessions import Deed

OTHER = SessionKey(("installation-2", KEY[1]))
ANNA = Key("k-9", Role.OPERATOR, Principal("anna"))
LATER = NOW + timedelta(minutes=15)


@pytest.fixture(params=STORES)
def books(request):
    return opened(request)


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
