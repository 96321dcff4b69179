"""What the classifier said changes the session with the record, or not at all; whoever races."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from contracts.books import STORES, opened
from contracts.records import KEY, NOW, an_entry
from lineclear.core.breaker import Breaker, Limits, OpenedBy
from lineclear.core.call import SessionKey
from lineclear.core.standing import Denial
from lineclear.engine.log import Entry, Outcome

WRITTEN, LOST = Outcome.WRITTEN, Outcome.LOST
DENIAL = Denial("ab" * 32, hard=False, policy_version="sha256:1", messages=2)


@pytest.fixture(params=STORES)
def books(request):
    return opened(request)


def a_step(known, breaker=None, **more) -> Entry:
    """An entry of a call that the classifier denied."""
    entry = an_entry(known, **more)
    session = entry.session
    breaker = breaker or session.breaker.denied(Limits())
    return replace(entry, session=replace(session, breaker=breaker, denials=(DENIAL,), steps=session.steps + 1))


async def test_a_step_is_known_afterwards(books):
    await books.log.commit([an_entry()])
    entry = a_step(await books.log.known(KEY, None))
    assert list(await books.log.commit([entry])) == [WRITTEN]
    session = (await books.log.known(KEY, None)).session
    assert session == entry.session
    assert (session.breaker, session.denials, session.steps) == (Breaker(1, 1), (DENIAL,), 1)


async def test_the_first_call_of_a_session_may_be_a_step(books):
    entry = a_step(None, Breaker(3, 3, OpenedBy.CONSECUTIVE, 1), tool_use_id="t-1")
    assert list(await books.log.commit([entry])) == [WRITTEN]
    assert (await books.log.known(KEY, "t-1")).session.breaker == Breaker(3, 3, OpenedBy.CONSECUTIVE, 1)


async def test_of_two_steps_from_one_state_one_is_written(books):
    await books.log.commit([an_entry()])
    known = await books.log.known(KEY, None)
    assert list(await books.log.commit([a_step(known)])) == [WRITTEN]
    assert list(await books.log.commit([a_step(known)])) == [LOST]
    assert (await books.log.known(KEY, None)).session.breaker == Breaker(1, 1)


async def test_in_one_batch_too(books):
    await books.log.commit([an_entry()])
    known = await books.log.known(KEY, None)
    batch = [a_step(known, tool_use_id="t-1"), an_entry(known, tool_use_id="t-2"), a_step(known, tool_use_id="t-3")]
    assert list(await books.log.commit(batch)) == [WRITTEN, WRITTEN, LOST]


async def test_a_call_by_rule_is_not_lost_to_a_step_and_changes_none(books):
    await books.log.commit([an_entry()])
    known = await books.log.known(KEY, None)
    await books.log.commit([a_step(known)])
    assert list(await books.log.commit([an_entry(known)])) == [WRITTEN]
    assert (await books.log.known(KEY, None)).session.breaker == Breaker(1, 1)


async def test_roots_that_are_narrowed_leave_a_step_as_it_is(books):
    await books.log.commit([an_entry()])
    known = await books.log.known(KEY, None)
    await books.log.commit([a_step(known)])
    assert list(await books.log.commit([an_entry(known, roots=("/work/repo/a",))])) == [WRITTEN]
    session = (await books.log.known(KEY, None)).session
    assert (session.roots, session.breaker, session.steps) == (("/work/repo/a",), Breaker(1, 1), 1)


async def test_a_step_and_narrowed_roots_are_one(books):
    await books.log.commit([an_entry()])
    known = await books.log.known(KEY, None)
    entry = a_step(known, roots=("/work/repo/a",))
    assert list(await books.log.commit([entry])) == [WRITTEN]
    assert (await books.log.known(KEY, None)).session == entry.session


async def test_a_loser_of_its_tool_use_id_steps_nowhere(books):
    await books.log.commit([an_entry(tool_use_id="t-1")])
    known = await books.log.known(KEY, None)
    assert list(await books.log.commit([a_step(known, tool_use_id="t-1")])) == [LOST]
    assert (await books.log.known(KEY, None)).session.breaker == Breaker()


async def test_that_a_call_was_counted_stays_with_its_id(books):
    first = replace(an_entry(tool_use_id="t-1"), counted=True)
    await books.log.commit([first])
    known = await books.log.known(KEY, "t-1")
    assert known.counted
    await books.log.commit([an_entry(known, tool_use_id="t-1", replaces=first.record.id)])
    assert (await books.log.known(KEY, "t-1")).counted
    assert not (await books.log.known(KEY, "t-2")).counted


async def test_whoever_races_it_opens_once(books):
    await books.log.commit([an_entry()])
    openings = []

    async def denied() -> None:
        while True:
            known = await books.log.known(KEY, None)
            entry = a_step(known)
            if list(await books.log.commit([entry])) == [WRITTEN]:
                if entry.session.breaker.open and not known.session.breaker.open:
                    openings.append(entry.session.breaker)
                return

    await asyncio.gather(*(denied() for _ in range(12)))
    session = (await books.log.known(KEY, None)).session
    assert openings == [Breaker(3, 3, OpenedBy.CONSECUTIVE, 1)]
    assert (session.breaker, session.steps) == (openings[0], 12)


async def test_open_breakers_are_counted_by_principal_and_age(books):
    open_, closed = Breaker(3, 3, OpenedBy.CONSECUTIVE, 1), Breaker(2, 2)
    for n, breaker in enumerate((open_, open_, closed)):
        assert list(await books.log.commit([a_step(None, breaker, key=SessionKey((KEY[0], f"s-{n}")))])) == [WRITTEN]
    await books.log.commit([a_step(None, open_, key=SessionKey(("another", "s-1")))])
    assert await books.log.open_breakers(KEY[0], NOW) == 2
    assert await books.log.open_breakers(KEY[0], NOW + timedelta(microseconds=1)) == 0
    assert await books.log.open_breakers("nobody", NOW) == 0
