"""Who settles a call: the fast stage what is plain, the thinking stage the rest; and what is told of each."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from lineclear.core.prose import FastBlock, Guidance
from lineclear.engine.classify import Result, Stage
from support.plays import ALLOW, UNSURE, block
from support.questions import GUIDANCE, HARD, SOFT, question

ESCALATING = replace(GUIDANCE, fast_block=FastBlock.ESCALATE)


@pytest.mark.parametrize(
    ("script", "guidance", "result", "stage", "rule"),
    [
        ((ALLOW,), GUIDANCE, Result.ALLOW, Stage.FAST, None),
        ((block(SOFT),), GUIDANCE, Result.BLOCK, Stage.FAST, SOFT),
        ((UNSURE, ALLOW), GUIDANCE, Result.ALLOW, Stage.THINKING, None),
        ((UNSURE, block(HARD, "why")), GUIDANCE, Result.BLOCK, Stage.THINKING, HARD),
        ((block(SOFT), ALLOW), ESCALATING, Result.ALLOW, Stage.THINKING, None),
        ((ALLOW,), ESCALATING, Result.ALLOW, Stage.FAST, None),
        ((ALLOW,), Guidance(), Result.ALLOW, Stage.FAST, None),
        ((block(SOFT), block(SOFT)), Guidance(), Result.UNSURE, Stage.THINKING, None),
    ],
    ids=["allow", "block", "second allow", "second block", "escalated", "allow is final", "no rules", "no such rule"],
)
async def test_who_settles_a_call(classifier, script, guidance, result, stage, rule):
    async with classifier(*script) as (judge, server):
        judged = await judge.judge(question(guidance=guidance), timeout_s=5)
    assert (judged.result, judged.stage, judged.rule) == (result, stage, rule)
    assert len(server.requests) == len(judged.stages) == len(script)
    assert judged.hard is (rule == HARD)


async def test_each_stage_tells_its_model_time_and_tokens(classifier):
    usage = {
        "input_tokens": 12,
        "cache_read_input_tokens": 800,
        "cache_creation_input_tokens": 30,
        "output_tokens": 9,
    }
    async with classifier(replace(UNSURE, usage=usage), replace(ALLOW, usage={"output_tokens": "many"})) as (judge, _):
        fast, thinking = (await judge.judge(question(), timeout_s=5)).stages
    assert (fast.model, thinking.model) == ("fast-model", "thinking-model")
    assert (fast.input_tokens, fast.cache_read_tokens, fast.cache_write_tokens) == (842, 800, 30)
    assert (fast.output_tokens, thinking.output_tokens, thinking.input_tokens) == (9, 0, 0)
    assert fast.duration_ms > 0


async def test_the_watcher_sees_each_stage_begin_and_end(classifier):
    seen = []

    class Watcher:
        def stage_began(self, stage):
            seen.append(f"{stage} began")

        def stage_ended(self, report):
            seen.append(f"{report.stage} {report.outcome}")

        def state_changed(self, state): ...

    async with classifier(UNSURE, ALLOW, watcher=Watcher()) as (judge, _):
        await judge.judge(question(), timeout_s=5)
    assert seen == ["fast began", "fast unsure", "thinking began", "thinking allow"]


async def test_the_same_call_is_judged_anew_each_time(classifier):
    async with classifier(ALLOW, block(SOFT)) as (judge, server):
        results = [(await judge.judge(question(), timeout_s=5)).result for _ in range(2)]
    assert results == [Result.ALLOW, Result.BLOCK]
    assert server.requests[0].body == server.requests[1].body


async def test_what_a_model_wrote_is_cut_and_kept_from_models(classifier):
    async with classifier(UNSURE, block(SOFT, "x" * 5000), ALLOW) as (judge, server):
        judged = await judge.judge(question(), timeout_s=5)
        await judge.judge(question(), timeout_s=5)
    assert len(judged.reason) <= 300
    assert b"xxx" not in server.requests[2].body


@pytest.mark.parametrize(("wanted", "sent"), [((True, True), 2), ((True, False), 1), ((False,), 0)])
async def test_before_each_stage_it_is_asked_whether_a_model_is_still_wanted(classifier, wanted, sent):
    """It is asked where the caller awaits, which is another thread's loop than the one that asks models."""
    here, said = asyncio.get_running_loop(), list(wanted)

    async def still():
        assert asyncio.get_running_loop() is here
        return said.pop(0)

    async with classifier(UNSURE, ALLOW) as (judge, server):
        judged = await judge.judge(question(), timeout_s=5, wanted=still)
    assert judged.result is (Result.ALLOW if sent == 2 else Result.UNAVAILABLE)
    assert len(server.requests) == len(judged.stages) == sent
    assert said == []
