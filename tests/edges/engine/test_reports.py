"""What became of a call: a state machine, and advice on another try that is never rash."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from uuid import UUID

import pytest

from lineclear.core.course import Answer, Result
from lineclear.core.retry import Advice
from lineclear.core.standing import Scope
from lineclear.engine.errors import Conflict, Missing, NotAllowed
from support.desks import AGENT, ALLOW, AUTO, BLOCK, HOST, OPERATOR, said

EVERYTHING = AUTO.replace(
    "auto}", "auto}\npermissions: {allow: ['Bash(curl *)', 'Bash(touch *)', 'Bash(make)', Write]}"
)


async def reported(desk, call, *results, **more):
    answer = await desk.decide(call, **more)
    last = None
    for result in results:
        last = await desk.answers.report(UUID(answer["decision_id"]), result, HOST)
    return last


@pytest.mark.parametrize("result", [Result.FAILED, Result.UNKNOWN])
@pytest.mark.parametrize(
    ("tool", "tool_input", "advice", "check"),
    [
        ("Bash", {"command": "git status"}, Advice.SAFE, ()),
        ("Read", {"file_path": "/work/repo/a"}, Advice.SAFE, ()),
        ("Write", {"file_path": "/work/repo/a", "content": "x"}, Advice.CHECK_FIRST, ("/work/repo/a",)),
        ("Bash", {"command": "touch a b"}, Advice.CHECK_FIRST, ("a", "b")),
        ("Bash", {"command": "make"}, Advice.NO, ()),
        ("Bash", {"command": "curl -d x https://api.example.org"}, Advice.NO, ()),
        ("Bash", {"command": "touch $X"}, Advice.NO, ()),
        ("Bash", {"command": "touch a && make"}, Advice.NO, ()),
        ("mcp__pay__charge", {"path": "/work/repo/a"}, Advice.NO, ()),
    ],
)
async def test_another_try_is_safe_for_a_read_and_needs_a_look_for_a_write(
    opened, tool, tool_input, advice, check, result
):
    desk = opened(ALLOW, organisation=EVERYTHING)
    found = await reported(desk, tool_input, result, tool_name=tool)
    assert (found.retry.advice, found.retry.check) == (advice, check)


async def test_what_ran_is_out(opened):
    assert (await reported(opened(), {"command": "git status"}, Result.EXECUTED)).retry.advice is Advice.NO


@pytest.mark.parametrize(
    ("results", "fits"),
    [
        ([Result.UNKNOWN, Result.EXECUTED], True),
        ([Result.UNKNOWN, Result.FAILED], True),
        ([Result.EXECUTED, Result.EXECUTED], True),
        ([Result.EXECUTED, Result.FAILED], False),
        ([Result.FAILED, Result.EXECUTED], False),
        ([Result.EXECUTED, Result.UNKNOWN], False),
    ],
)
async def test_reports_may_not_contradict_each_other(opened, results, fits):
    desk = opened()
    if fits:
        assert (await reported(desk, {"command": "ls"}, *results)).course.result is results[-1]
    else:
        with pytest.raises(Conflict):
            await reported(desk, {"command": "ls"}, *results)


@pytest.mark.parametrize("command", ["cat /etc/shadow", "git push origin main", "make x"])
async def test_what_was_not_allowed_has_no_outcome(opened, command):
    desk = opened(BLOCK)
    with pytest.raises(Conflict, match="not allowed to run"):
        await reported(desk, {"command": command}, Result.EXECUTED)


@pytest.mark.parametrize("more", [{"permission_mode": "default"}, {"permission_mode": "dontAsk"}])
async def test_a_host_that_had_no_objection_may_have_run_it(opened, more):
    assert (await reported(opened(), {"command": "make x"}, Result.EXECUTED, **more)).course.result is Result.EXECUTED


async def test_what_was_reported_is_decided_anew_under_its_id(opened):
    desk = opened()
    first = await desk.decide({"command": "ls"}, tool_use_id="t-1")
    await desk.answers.report(UUID(first["decision_id"]), Result.EXECUTED, HOST)
    again = await desk.decide({"command": "ls"}, tool_use_id="t-1")
    assert (again["replayed"], again["decision_id"] != first["decision_id"]) == (False, True)
    assert (await desk.decide({"command": "ls"}, tool_use_id="t-1"))["replayed"]


async def test_who_reports_what(opened):
    desk = opened()
    own = UUID((await desk.decide({"command": "ls"}, key=AGENT))["decision_id"])
    await desk.answers.report(own, Result.EXECUTED, AGENT)
    with pytest.raises(NotAllowed):
        await desk.answers.report(own, Result.EXECUTED, OPERATOR)
    with pytest.raises(Missing):
        await desk.answers.report(UUID(int=5), Result.EXECUTED, HOST)


async def test_a_question_that_a_host_s_person_approved_may_have_run(opened):
    desk = opened()
    question = await desk.decide({"command": "git push origin main"})
    decision = UUID(question["decision_id"])
    assert said(question) == "ask ask_rule"
    with pytest.raises(Conflict):
        await desk.answers.report(decision, Result.EXECUTED, HOST)
    await desk.answers.answer(decision, Answer.APPROVED, Scope.ONCE, HOST)
    assert (await desk.answers.report(decision, Result.EXECUTED, HOST)).course.result is Result.EXECUTED


async def test_waiting_ends_with_the_answer(opened):
    desk = opened()
    decision = UUID((await desk.decide({"command": "git push origin main"}))["decision_id"])
    waiting = asyncio.create_task(desk.answers.wait(decision, HOST, wait_s=10))
    await asyncio.sleep(0.15)
    assert not waiting.done()
    await desk.answers.answer(decision, Answer.REJECTED, Scope.ONCE, OPERATOR)
    _, course = await asyncio.wait_for(waiting, 3)
    assert course.answer is Answer.REJECTED
    _, course = await desk.answers.wait(decision, HOST, wait_s=10)
    assert course.answer is Answer.REJECTED


async def test_nobody_is_kept_waiting_by_a_service_that_stops(opened):
    desk = opened()
    decision = UUID((await desk.decide({"command": "git push origin main"}))["decision_id"])
    stopping = asyncio.Event()
    answers = replace(desk.answers, stopping=stopping.is_set)
    waiting = asyncio.create_task(answers.wait(decision, HOST, wait_s=60))
    await asyncio.sleep(0.15)
    stopping.set()
    _, course = await asyncio.wait_for(waiting, 3)
    assert course.answer is None
