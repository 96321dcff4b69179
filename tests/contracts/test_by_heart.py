"""What was decided on a session as it was remembered is written only if the session is still that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from contracts.books import STORES, opened
from contracts.records import KEY, an_entry
from lineclear.core.breaker import Limits
from lineclear.engine.log import Outcome

WRITTEN, LOST = Outcome.WRITTEN, Outcome.LOST


@pytest.fixture(params=STORES)
def log(request):
    return opened(request).log


def by_heart(known, **more):
    return replace(an_entry(known, **more), by_heart=True)


def a_step(known):
    session = known.session
    stepped = replace(session, breaker=session.breaker.denied(Limits()), steps=session.steps + 1)
    return replace(an_entry(known), session=stepped)


async def met(log):
    await log.commit([an_entry(tool_use_id="t-1")])
    return await log.known(KEY, None)


async def test_a_session_that_is_the_same(log):
    known = await met(log)
    assert list(await log.commit([by_heart(known, tool_use_id="t-2"), by_heart(known)])) == [WRITTEN, WRITTEN]
    assert (await log.known(KEY, None)).session == known.session


async def test_a_session_in_which_the_classifier_spoke(log):
    known = await met(log)
    await log.commit([a_step(known)])
    assert list(await log.commit([by_heart(known), an_entry(known)])) == [LOST, WRITTEN]
    assert list(await log.commit([by_heart(await log.known(KEY, None))])) == [WRITTEN]


async def test_a_session_whose_roots_were_narrowed(log):
    known = await met(log)
    await log.commit([an_entry(known, roots=("/work/repo/a",))])
    assert list(await log.commit([by_heart(known)])) == [LOST]


async def test_a_session_that_there_is_not(log):
    known = await met(log)
    nobody = replace(known, session=replace(known.session, key=("installation-1", "s-gone")))
    entry = by_heart(nobody, key=nobody.session.key)
    assert list(await log.commit([entry])) == [LOST]


async def test_a_call_that_was_decided_elsewhere(log):
    known = await met(log)
    assert list(await log.commit([by_heart(known, tool_use_id="t-1")])) == [LOST]
    assert (await log.known(KEY, "t-1")).earlier is not None
