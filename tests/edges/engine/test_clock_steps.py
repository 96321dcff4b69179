"""A clock that is set forward or back makes no verdict milder: what is too old or not yet is decided anew."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest

from lineclear.core.course import Answer
from lineclear.core.standing import Scope
from lineclear.engine.errors import Conflict
from support.desks import ALLOW, BLOCK, OPERATOR, said

STEPS = {"back an hour": -3600, "back a minute and a bit": -70, "forward": 70, "forward a year": 365 * 86400}


@pytest.mark.parametrize("seconds", STEPS.values(), ids=STEPS)
async def test_a_stored_decision_is_given_again_within_a_minute_by_the_clock_and_no_longer(opened, seconds):
    desk = opened(ALLOW, BLOCK)
    first = await desk.decide(tool_use_id="t-1")
    desk.clock.advance(seconds=seconds)
    again = await desk.decide(tool_use_id="t-1")
    assert (said(first), said(again)) == ("allow classifier_allow", "deny classifier_block")
    assert not again["replayed"]


@pytest.mark.parametrize("seconds", [-1, 0.5, 1], ids=["a second back", "half a second", "a second"])
async def test_replicas_whose_clocks_differ_a_little_give_the_same(opened, seconds):
    desk = opened(ALLOW, BLOCK)
    first = await desk.decide(tool_use_id="t-1")
    desk.clock.advance(seconds=seconds)
    again = await desk.decide(tool_use_id="t-1")
    assert (again["decision_id"], again["replayed"]) == (first["decision_id"], True)


@pytest.mark.parametrize("seconds", STEPS.values(), ids=STEPS)
async def test_the_breaker_counts_by_commits_and_not_by_time(opened, seconds):
    desk = opened(BLOCK, BLOCK, BLOCK)
    for number in range(3):
        await desk.decide({"command": f"make denied{number}"}, tool_use_id=f"t-{number}")
        desk.clock.advance(seconds=seconds)
    assert await desk.run("make fine") == "ask breaker_open"
    assert desk.told.openings == ["consecutive"]


@pytest.mark.parametrize("seconds", STEPS.values(), ids=STEPS)
async def test_a_call_that_is_decided_anew_after_a_step_counts_once(opened, seconds):
    desk = opened(BLOCK, BLOCK)
    await desk.decide(tool_use_id="t-1")
    desk.clock.advance(seconds=seconds)
    again = await desk.decide(tool_use_id="t-1")
    assert again["breaker"]["total"] == 1


async def test_an_approval_ends_when_the_clock_says_so(opened):
    desk = opened()
    question = await desk.decide({"command": "git push origin main"})
    await desk.answers.answer(UUID(question["decision_id"]), Answer.APPROVED, Scope.ONCE, OPERATOR)
    desk.clock.advance(days=1)
    assert await desk.run("git push origin main") == "ask ask_rule"


async def test_an_approval_that_was_used_stays_used_when_the_clock_goes_back(opened):
    desk = opened()
    question = await desk.decide({"command": "git push origin main"})
    await desk.answers.answer(UUID(question["decision_id"]), Answer.APPROVED, Scope.ONCE, OPERATOR)
    assert await desk.run("git push origin main") == "allow human_grant"
    desk.clock.advance(hours=-1)
    assert await desk.run("git push origin main") == "ask ask_rule"


async def test_a_question_that_expired_by_a_step_can_not_be_approved(opened):
    desk = opened()
    question = await desk.decide({"command": "git push origin main"})
    desk.clock.advance(days=1)
    with pytest.raises(Conflict):
        await desk.answers.answer(UUID(question["decision_id"]), Answer.APPROVED, Scope.ONCE, OPERATOR)


@pytest.mark.parametrize("year", [1990, 2200])
async def test_a_day_that_nobody_made_ready_is_no_reason_to_lose_a_decision(opened, year):
    desk = opened()
    desk.clock.now = datetime(year, 1, 1, tzinfo=UTC)
    answer = await desk.decide({"command": "ls"})
    assert said(answer) == "allow read_only_command"
    record, _ = await desk.answers.read(UUID(answer["decision_id"]), OPERATOR)
    assert record.decided_at.year == year
