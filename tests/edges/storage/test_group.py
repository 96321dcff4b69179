from __future__ import annotations

import asyncio

import pytest

from lineclear.engine.log import StorageUnavailable
from lineclear.storage.group import Group


class Runs:
    """A run that waits to be let go, and remembers its batches."""

    def __init__(self):
        self.batches = []
        self.go = asyncio.Event()
        self.error = None

    async def __call__(self, items):
        self.batches.append(list(items))
        await self.go.wait()
        if self.error:
            raise self.error
        return [item * 10 for item in items]


@pytest.fixture
def runs():
    return Runs()


def group(runs, batch=4, queue=100):
    return Group(runs, "testing", batch=batch, queue=queue)


async def settle():
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_lone_call_waits_for_nobody(runs):
    runs.go.set()
    assert list(await asyncio.wait_for(group(runs).do([1, 2]), 1)) == [10, 20]
    assert runs.batches == [[1, 2]]


async def test_what_arrives_while_a_batch_runs_makes_the_next_ones(runs):
    g = group(runs)
    calls = [asyncio.create_task(g.do([n])) for n in range(2)]
    await settle()
    calls += [asyncio.create_task(g.do([n])) for n in range(2, 9)]
    await settle()
    assert runs.batches == [[0, 1]]
    assert g.queued == 7
    runs.go.set()
    assert [list(result) for result in await asyncio.gather(*calls)] == [[n * 10] for n in range(9)]
    assert runs.batches == [[0, 1], [2, 3, 4, 5], [6, 7, 8]]
    assert g.queued == 0


async def test_one_call_of_many_items_is_never_split(runs):
    runs.go.set()
    g = group(runs)
    first, second = await asyncio.gather(g.do([1, 2, 3]), g.do(list(range(6))))
    assert (len(first), len(second)) == (3, 6)
    assert runs.batches == [[1, 2, 3], list(range(6))]


async def test_more_than_may_wait_is_turned_away_at_once(runs):
    g = group(runs, queue=3)
    under_way = asyncio.create_task(g.do([0]))
    await settle()
    waiting = [asyncio.create_task(g.do([n])) for n in (1, 2, 3)]
    await settle()
    with pytest.raises(StorageUnavailable, match="too many calls wait for testing; try again"):
        await asyncio.wait_for(g.do([4]), 1)
    runs.go.set()
    assert [list(result) for result in await asyncio.gather(under_way, *waiting)] == [[0], [10], [20], [30]]


async def test_a_caller_that_gives_up_before_its_batch_takes_its_items_with_it_and_nobody_elses(runs):
    g = group(runs)
    first = asyncio.create_task(g.do([1]))
    await settle()
    quitter, other = asyncio.create_task(g.do([2])), asyncio.create_task(g.do([3]))
    await settle()
    quitter.cancel()
    await settle()
    runs.go.set()
    assert list(await first) == [10]
    assert list(await other) == [30]
    assert quitter.cancelled()
    assert runs.batches == [[1], [3]]


async def test_a_caller_that_gives_up_later_is_done_once_and_harms_nobody(runs):
    g = group(runs)
    quitter, other = asyncio.create_task(g.do([1])), asyncio.create_task(g.do([2]))
    await settle()
    quitter.cancel()
    await settle()
    runs.go.set()
    assert list(await other) == [20]
    assert runs.batches == [[1, 2]]


async def test_an_outage_reaches_those_who_wait_too_and_ends_with_the_outage(runs):
    g = group(runs)
    runs.error = StorageUnavailable("gone")
    first = asyncio.create_task(g.do([1]))
    await settle()
    second = asyncio.create_task(g.do([2]))
    await settle()
    runs.go.set()
    outcomes = await asyncio.gather(first, second, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [StorageUnavailable] * 2
    assert runs.batches == [[1]], "nobody waits for one deadline after the other"
    runs.error = None
    assert list(await g.do([3])) == [30]


async def test_any_other_failure_is_its_own_batchs(runs):
    g = group(runs)
    runs.error = RuntimeError("odd")
    first = asyncio.create_task(g.do([1]))
    await settle()
    runs.go.set()
    with pytest.raises(RuntimeError, match="odd"):
        await first
    runs.error = None
    assert list(await g.do([2])) == [20]


async def test_closing_does_what_was_taken_and_takes_no_more(runs):
    g = group(runs)
    calls = [asyncio.create_task(g.do([n])) for n in range(6)]
    await settle()
    closing = asyncio.create_task(g.close())
    await settle()
    with pytest.raises(StorageUnavailable, match="testing is stopping"):
        await g.do([9])
    assert not closing.done()
    runs.go.set()
    await closing
    assert [list(call.result()) for call in calls] == [[n * 10] for n in range(6)]
    await g.close()


async def test_a_worker_that_is_stopped_leaves_nobody_waiting(runs):
    g = group(runs, batch=1)
    calls = [asyncio.create_task(g.do([n])) for n in range(3)]
    await settle()
    [worker] = [task for task in asyncio.all_tasks() if task.get_name() == "testing"]
    worker.cancel()
    outcomes = await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), 1)
    assert [type(outcome) for outcome in outcomes] == [StorageUnavailable] * 3
