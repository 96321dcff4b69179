"""What no check settles is asked of the classifier, and nothing but its clean verdict allows."""

from __future__ import annotations

import asyncio
import time

import pytest

from lineclear.engine.batch import decide_all
from lineclear.engine.errors import CallerGone, Conflict, Overtaken
from lineclear.wire.request import from_mapping
from support.desks import AGENT, ALLOW, AUTO, BLOCK, HARD, HOST, OUTAGE, UNSURE, said
from support.judging import call

DENY_WHEN_OUT = AUTO + "classifier: {on_unavailable: deny}\n"
ASK_WHEN_BLOCKED = AUTO + "classifier: {on_block: ask}\n"


@pytest.mark.parametrize(
    ("line", "organisation", "expected", "next_"),
    [
        (ALLOW, AUTO, "allow classifier_allow", "continue"),
        (BLOCK, AUTO, "deny classifier_block", "ask_user"),
        (HARD, AUTO, "deny classifier_block", "ask_user"),
        (OUTAGE, AUTO, "ask classifier_unavailable", "ask_user"),
        (UNSURE, AUTO, "ask classifier_unsure", "ask_user"),
        (BLOCK, ASK_WHEN_BLOCKED, "ask classifier_block", "ask_user"),
        (HARD, ASK_WHEN_BLOCKED, "deny classifier_block", "ask_user"),
        (OUTAGE, DENY_WHEN_OUT, "deny classifier_unavailable", "stop"),
        (UNSURE, DENY_WHEN_OUT, "deny classifier_unsure", "stop"),
    ],
)
async def test_each_result_has_its_answer(opened, line, organisation, expected, next_):
    answer = await opened(line, organisation=organisation).decide()
    assert said(answer) == expected
    assert answer["next"] == next_
    assert answer["classifier"]["outcome"] == line.result
    assert answer["classifier"]["rule"] == line.rule


@pytest.mark.parametrize("line", [OUTAGE, UNSURE, None])
async def test_without_a_verdict_nothing_counts(opened, line):
    desk = opened(*([] if line is None else [line] * 9))
    for number in range(9):
        answer = await desk.decide({"command": f"make target{number}"})
        assert answer["breaker"] == {"state": "closed", "consecutive": 0, "total": 0, "opened_by": None}
        assert answer["verdict"] == "ask"


async def test_outage_denial_and_question_are_told_apart_in_words(opened):
    desk = opened(OUTAGE, BLOCK)
    outage, denial = await desk.decide(), await desk.decide({"command": "make it"})
    assert "this is an outage, not a denial" in outage["agent_message"]
    assert "denied after review" in denial["agent_message"]
    assert "It sends data away" not in denial["agent_message"], "nothing that a model wrote reaches a model"
    assert "It sends data away" in denial["reason"]


async def test_without_anybody_to_ask_an_outage_may_pass_and_the_lack_of_a_model_does_not(opened):
    outage = await opened(OUTAGE).decide(interactive=False)
    assert (said(outage), outage["next"]) == ("deny classifier_unavailable", "retry")
    none = await opened(classifier=None).decide(interactive=False)
    assert (said(none), none["next"]) == ("deny classifier_unavailable", "stop")
    assert "No model is configured" in none["reason"]
    assert "outage" not in none["agent_message"]


async def test_without_a_classifier_nothing_is_asked_and_nothing_fails(opened):
    answer = await opened(classifier=None, organisation=DENY_WHEN_OUT).decide()
    assert said(answer) == "ask classifier_unavailable"
    assert answer["classifier"] is None


@pytest.mark.parametrize("command", ["git status", "cat /etc/shadow", "git push origin main"])
async def test_what_a_check_settles_is_asked_of_no_model(opened, command):
    desk = opened(ALLOW)
    answer = await desk.decide({"command": command})
    assert answer["classifier"] is None
    assert desk.classifier.asked == []


@pytest.mark.parametrize("mode", ["default", "acceptEdits", "plan", "dontAsk"])
async def test_no_other_mode_asks_a_model(opened, mode):
    desk = opened(ALLOW)
    assert (await desk.decide(permission_mode=mode))["verdict"] != "allow"
    assert desk.classifier.asked == []


async def test_an_agent_is_not_told_the_rule(opened):
    answer = await opened(BLOCK).decide(key=AGENT)
    assert said(answer) == "deny classifier_block"
    assert answer["classifier"]["rule"] is None
    assert answer["reason"] is None
    assert answer["findings"] == [{"code": "classifier_block", "verdict": "deny"}]


async def test_a_policy_that_got_stricter_meanwhile_counts(opened):
    gate = asyncio.Event()
    desk = opened(ALLOW, gate=gate)
    asking = asyncio.create_task(desk.decide())
    await desk.asked()
    desk.rule(AUTO + "permissions: {deny: ['Bash(make *)']}\n")
    gate.set()
    answer = await asking
    assert said(answer) == "deny deny_rule"
    assert answer["policy_version"] == desk.policies.current.version
    assert answer["classifier"]["outcome"] == "allow"


async def test_a_policy_that_got_laxer_meanwhile_clears_no_block(opened):
    gate = asyncio.Event()
    desk = opened(BLOCK, gate=gate)
    asking = asyncio.create_task(desk.decide())
    await desk.asked()
    desk.rule(AUTO + "permissions: {allow: ['Bash(make deploy)']}\n")
    gate.set()
    assert said(await asking) == "deny classifier_block"


async def test_twins_share_one_judgement(opened):
    gate = asyncio.Event()
    desk = opened(BLOCK, gate=gate)
    twins = [asyncio.create_task(desk.decide(tool_use_id="t-1")) for _ in range(5)]
    await desk.asked()
    await asyncio.sleep(0.1)
    gate.set()
    answers = await asyncio.gather(*twins)
    assert {answer["decision_id"] for answer in answers} == {answers[0]["decision_id"]}
    assert sorted(answer["replayed"] for answer in answers) == [False, True, True, True, True]
    assert len(desk.classifier.asked) == 1
    assert answers[0]["breaker"]["total"] == 1


async def test_a_twin_that_is_another_call_is_a_conflict(opened):
    desk = opened(ALLOW)
    await desk.decide(tool_use_id="t-1")
    with pytest.raises(Conflict):
        await desk.decide({"command": "make other"}, tool_use_id="t-1")


async def test_a_twin_does_not_wait_longer_than_its_caller(opened):
    gate = asyncio.Event()
    desk = opened(ALLOW, ALLOW, gate=gate)
    first = asyncio.create_task(desk.decide(tool_use_id="t-1"))
    await desk.asked()
    with pytest.raises(Overtaken):
        await desk.decide(tool_use_id="t-1", timeout_ms=100)
    gate.set()
    assert said(await first) == "allow classifier_allow"


async def test_the_model_gets_what_is_left_of_the_caller_s_time(opened):
    desk = opened(ALLOW, gate=asyncio.Event())
    begun = time.perf_counter()
    assert said(await desk.decide(timeout_ms=400)) == "ask classifier_unavailable"
    assert time.perf_counter() - begun < 0.6


async def test_a_caller_that_leaves_takes_the_model_s_call_with_it(opened):
    desk = opened(ALLOW, BLOCK, gate=asyncio.Event())

    stated = from_mapping(call("Bash", {"command": "make deploy"}, tool_use_id="t-1"))
    with pytest.raises(CallerGone):
        await desk.engine.decide(stated, HOST, arrived=time.perf_counter(), gone=desk.asked)
    assert desk.classifier.cancelled == 1
    desk.classifier.gate.set()
    assert said(await desk.decide(tool_use_id="t-1")) == "deny classifier_block", "its lease was given back"


async def test_a_caller_that_has_left_already_is_judged_by_nobody(opened):
    desk = opened(ALLOW)

    async def gone() -> None:
        return

    stated = from_mapping(call("Bash", {"command": "make deploy"}))
    with pytest.raises(CallerGone):
        await desk.engine.decide(stated, HOST, arrived=time.perf_counter(), gone=gone)
    assert desk.classifier.asked == []


async def test_a_batch_whose_caller_has_left_asks_for_no_further_call(opened):
    desk = opened(*[ALLOW] * 5, gate=asyncio.Event())
    calls = [from_mapping(call("Bash", {"command": f"make it{n}"})) for n in range(5)]
    with pytest.raises(CallerGone):
        await decide_all(desk.engine, calls, HOST, arrived=time.perf_counter(), gone=desk.asked)
    assert len(desk.classifier.asked) == desk.classifier.cancelled == 1
