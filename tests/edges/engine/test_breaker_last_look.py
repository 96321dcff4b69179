"""A breaker that opens after a call was looked at, while its prompt is made, is seen before a model is asked."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from lineclear.engine.log import StorageUnavailable
from support.desks import ALLOW, AUTO, BLOCK

PLENTY = AUTO + "breaker: {consecutive: 3, total: 20}\n"


class Slow:
    """A log whose reading for the prompt takes until it is let go; ``broken`` then knows of no session any more."""

    def __init__(self, log):
        self._log = log
        self.reading, self.go, self.broken = asyncio.Event(), asyncio.Event(), False

    def __getattr__(self, name):
        return getattr(self._log, name)

    async def recent(self, session, limit):
        found = await self._log.recent(session, limit)
        self.reading.set()
        await self.go.wait()
        return found

    async def known(self, session, tool_use_id):
        if self.broken:
            raise StorageUnavailable("gone")
        return await self._log.known(session, tool_use_id)


def elsewhere(desk):
    """Another process of the same deployment, whose reading for prompts takes a while."""
    slow = Slow(desk.engine.log)
    return replace(desk, engine=replace(desk.engine, bench=replace(desk.engine.bench, log=slow))), slow


@pytest.fixture
async def waiting(opened):
    """A call that was looked at when the breaker was one denial away from opening, and is about to ask a model."""

    async def begin(organisation=PLENTY):
        desk = opened(BLOCK, BLOCK, BLOCK, ALLOW, organisation=organisation)
        for number in range(2):
            await desk.run(f"make denied{number}")
        other, slow = elsewhere(desk)
        asking = asyncio.create_task(other.run("make late"))
        await slow.reading.wait()
        return desk, slow, asking

    return begin


async def test_no_model_is_asked_once_it_is_open(waiting):
    desk, slow, asking = await waiting()
    assert await desk.run("make denied2") == "deny classifier_block"
    slow.go.set()
    assert await asking == "ask breaker_open"
    assert len(desk.classifier.asked) == 3
    assert desk.told.openings == ["consecutive"]
    assert desk.told.models == [True, True, True, False]


async def test_one_that_stays_closed_changes_nothing(waiting):
    desk, slow, asking = await waiting()
    slow.go.set()
    assert await asking == "deny classifier_block"
    assert len(desk.classifier.asked) == 3


async def test_where_decisions_are_only_observed_none_counts(waiting):
    desk, slow, asking = await waiting(PLENTY + "enforcement: observe\n")
    await desk.run("make denied2")
    slow.go.set()
    assert await asking == "allow classifier_allow"


async def test_one_that_can_not_be_read_is_not_closed(waiting):
    desk, slow, asking = await waiting()
    slow.broken = True
    slow.go.set()
    with pytest.raises(StorageUnavailable):
        await asking
    assert len(desk.classifier.asked) == 2
