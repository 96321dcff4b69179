"""Deadlines, cancellation and hanging servers, over a real socket."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import pytest

from lineclear.classifier.config import StageConfig
from lineclear.engine.classify import Result, State
from support.plays import ALLOW, UNSURE, Hang
from support.questions import question

SLOW = replace(ALLOW, delay_s=0.4)
IMPATIENT = StageConfig("fast-model", max_tokens=64, timeout_s=0.15)


async def until(condition, seconds=2.0):
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - the server's counter is no event
            await asyncio.sleep(0.01)


async def test_a_stage_that_takes_too_long_is_an_outage(classifier):
    async with classifier(Hang(), ALLOW, fast=IMPATIENT) as (judge, server):
        judged = await judge.judge(question(), timeout_s=5)
        await until(lambda: server.abandoned == 1)
    assert (judged.result, judged.stages[0].outcome.value) == (Result.UNAVAILABLE, "timed_out")
    assert "0.15 s" in judged.reason


async def test_the_deadline_of_the_caller_bounds_both_stages_together(classifier):
    begun = time.monotonic()
    async with classifier(replace(UNSURE, delay_s=0.2), Hang()) as (judge, _):
        judged = await judge.judge(question(), timeout_s=0.4)
        took = time.monotonic() - begun
    assert (judged.result, [report.outcome.value for report in judged.stages]) == (
        Result.UNAVAILABLE,
        ["unsure", "timed_out"],
    )
    assert took < 1.5


async def test_without_time_nobody_is_asked(classifier):
    async with classifier(ALLOW) as (judge, server):
        judged = await judge.judge(question(), timeout_s=0)
    assert (judged.result, server.requests) == (Result.UNAVAILABLE, [])


@pytest.mark.parametrize("script", [(Hang(),), (UNSURE, Hang())], ids=["fast", "thinking"])
async def test_cancelling_cancels_upstream_and_is_told_to_the_watcher(classifier, script):
    ended = []

    class Watcher:
        def stage_began(self, stage): ...

        def stage_ended(self, report):
            ended.append(report.outcome.value)

        def state_changed(self, state): ...

    async with classifier(*script, watcher=Watcher()) as (judge, server):
        asking = asyncio.ensure_future(judge.judge(question(), timeout_s=5))
        await until(lambda: len(server.requests) == len(script))
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await until(lambda: server.abandoned == 1)
    assert ended[-1] == "cancelled"


async def test_short_deadlines_of_one_caller_do_not_open_the_circuit_for_others(classifier):
    async with classifier(*[SLOW] * 8, ALLOW) as (judge, _):
        for _ in range(8):
            assert (await judge.judge(question(), timeout_s=0.05)).result is Result.UNAVAILABLE
        assert judge.state is State.OK
        assert (await judge.judge(question(), timeout_s=5)).result is Result.ALLOW


async def test_closing_ends_what_is_in_flight(classifier):
    async with classifier(Hang()) as (judge, server):
        asking = asyncio.ensure_future(judge.judge(question(), timeout_s=5))
        await server.arrived.wait()
    with pytest.raises(asyncio.CancelledError):
        await asking


async def test_the_loop_that_decides_is_not_held_up(classifier):
    async with classifier(*[ALLOW] * 50) as (judge, _):
        await judge.judge(question(), timeout_s=5)
        longest, running = 0.0, True

        async def tick():
            nonlocal longest
            while running:
                begun = time.perf_counter()
                await asyncio.sleep(0)
                longest = max(longest, time.perf_counter() - begun)

        ticking = asyncio.create_task(tick())
        await asyncio.gather(*(judge.judge(question(), timeout_s=5) for _ in range(20)))
        running = False
        await ticking
    assert longest < 0.5
