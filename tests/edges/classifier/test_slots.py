"""Limits in flight: of one session, of one principal, in all; who waits is served in order, within the deadline."""

from __future__ import annotations

import asyncio

import pytest

from lineclear.core.call import SessionKey
from lineclear.engine.slots import Slots, TooManyInFlight


def session(name, principal="p"):
    return SessionKey((principal, name))


class Crowd:
    """Callers that hold a slot until told to let go."""

    def __init__(self, slots):
        self.slots, self.inside, self.most, self.go = slots, [], 0, asyncio.Event()

    async def enter(self, key, timeout_s=2.0):
        async with self.slots.slot(key, timeout_s=timeout_s):
            self.inside.append(key)
            self.most = max(self.most, len(self.inside))
            await self.go.wait()
            self.inside.remove(key)

    async def of(self, *keys):
        self.tasks = [asyncio.create_task(self.enter(key)) for key in keys]
        await asyncio.sleep(0.02)
        return len(self.inside)

    async def leave(self):
        self.go.set()
        await asyncio.gather(*self.tasks)


@pytest.mark.parametrize(
    ("keys", "inside"),
    [
        ([session("a")] * 10, 4),
        ([session(str(n)) for n in range(10)], 6),
        ([session("a", str(n)) for n in range(20)], 9),
    ],
    ids=["one session", "one principal", "all"],
)
async def test_limits_hold_and_everybody_is_served_in_the_end(keys, inside):
    slots = Slots(per_session=4, per_principal=6, total=9)
    crowd = Crowd(slots)
    assert await crowd.of(*keys) == inside
    await crowd.leave()
    assert crowd.most == inside
    assert slots._lanes == {}  # nothing is kept of sessions that are gone


async def test_a_flood_of_one_principal_leaves_room_for_others():
    crowd = Crowd(Slots(per_session=4, per_principal=6, total=9))
    await crowd.of(*[session(str(n), "flood") for n in range(50)], session("quiet", "other"))
    assert session("quiet", "other") in crowd.inside
    await crowd.leave()


async def test_who_waits_too_long_gets_no_slot_and_takes_none():
    slots = Slots(per_session=1)
    crowd = Crowd(slots)
    await crowd.of(session("a"))
    with pytest.raises(TooManyInFlight):
        await crowd.enter(session("a"), timeout_s=0.05)
    await crowd.leave()
    async with slots.slot(session("a"), timeout_s=0.05):
        assert len(slots._lanes) == 3


async def test_who_is_cancelled_while_waiting_gives_way():
    slots = Slots(per_session=1)
    crowd = Crowd(slots)
    await crowd.of(session("a"))
    waiting = asyncio.create_task(crowd.enter(session("a")))
    await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await crowd.leave()
    assert slots._lanes == {}


async def test_an_error_inside_frees_the_slot():
    slots = Slots(per_session=1)
    with pytest.raises(ZeroDivisionError):
        async with slots.slot(session("a"), timeout_s=1):
            raise ZeroDivisionError
    assert slots._lanes == {}


async def test_a_timeout_of_what_is_done_inside_is_not_taken_for_a_lack_of_room():
    with pytest.raises(TimeoutError):
        async with Slots().slot(session("a"), timeout_s=1):
            raise TimeoutError
