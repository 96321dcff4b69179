"""What every ``Classifier`` keeps to, the one that ships and the fake."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import pytest

from lineclear.engine.classify import Judged, Result, State
from lineclear.engine.scripted import Scripted
from support.plays import ALLOW, UNSURE, Hang, block, error
from support.questions import SOFT, question

LINES = {
    "allow": (Judged(Result.ALLOW), (ALLOW,)),
    "block": (Judged(Result.BLOCK, rule=SOFT), (block(SOFT),)),
    "unavailable": (Judged(Result.UNAVAILABLE, reason="down"), (error(529),)),
    "unsure": (Judged(Result.UNSURE, reason="unclear"), (UNSURE, UNSURE)),
}


@pytest.fixture(params=["two stages", "scripted"])
def adapter(request, classifier):
    """``async with adapter(name, …)``: a classifier that will say this; of ``hang`` it never hears."""

    @asynccontextmanager
    async def opened(*names):
        if request.param == "scripted":
            hanging = names == ("hang",)
            yield Scripted(
                [LINES[name][0] for name in names if name != "hang"], gate=asyncio.Event() if hanging else None
            )
            return
        plays = [play for name in names for play in (LINES[name][1] if name != "hang" else (Hang(),))]
        async with classifier(*plays) as (judge, _):
            yield judge

    return opened


async def test_it_says_what_it_was_made_to_say_in_order(adapter):
    async with adapter(*LINES) as judge:
        assert judge.state is State.OK
        for name, (line, _) in LINES.items():
            judged = await judge.judge(question(), timeout_s=5)
            assert (judged.result, judged.rule) == (line.result, line.rule), name
            assert judged.result in {Result.ALLOW, Result.BLOCK} or judged.reason


async def test_behind_the_deadline_there_is_no_verdict(adapter):
    async with adapter("hang") as judge:
        judged = await judge.judge(question(), timeout_s=0.05)
    assert judged.result is Result.UNAVAILABLE
    assert judged.reason


async def test_it_can_be_cancelled(adapter):
    async with adapter("hang") as judge:
        asking = asyncio.ensure_future(judge.judge(question(), timeout_s=5))
        await asyncio.sleep(0.05)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking


async def test_with_nothing_left_to_say_there_is_no_verdict(adapter):
    async with adapter() as judge:
        assert (await judge.judge(question(), timeout_s=5)).result is Result.UNAVAILABLE


@pytest.mark.parametrize("names", [("allow",), ("unsure",)], ids=" ".join)
async def test_who_is_not_wanted_any_more_is_not_asked(adapter, names):
    async def no():
        return False

    async with adapter(*names) as judge:
        judged = await judge.judge(question(), timeout_s=5, wanted=no)
        assert (judged.result, judged.stages) == (Result.UNAVAILABLE, ())
        assert (await judge.judge(question(), timeout_s=5)).result.value == names[0]
