"""Two processes on one database: whoever races, the breaker opens once, and no model is asked once it is open."""

from __future__ import annotations

import asyncio
import signal
import time
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import asyncpg
import pytest
import pytest_asyncio

from support.messages_server import MessagesServer
from support.plays import ALLOW, Say
from support.replicas import SECRET, Replicas, a_database, replicas

pytestmark = pytest.mark.asyncio(loop_scope="module")

BLOCK = '{"verdict": "block", "rule": "builtin.exfiltration"}'
IN_FLIGHT = 4
"""Calls of one session that one process has in flight, by the design."""
SESSION = ["s"]


def call(command, **more):
    return {
        "session_id": SESSION[0],
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "permission_mode": "auto",
        "cwd": "/work/repo",
        "timeout_ms": 60_000,
    } | more


@asynccontextmanager
async def two(start, folders, url):
    """Two services and their model's server."""
    async with MessagesServer() as model:
        both = await replicas(2, start, folders(), url, model)
        yield both, model
        for one in both.running:
            if one.process.poll() is None:
                await asyncio.to_thread(one.end)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(start, folders, postgres, migrated):
    """Two services for the tests that leave them as they are: each has a session of its own."""
    async with a_database(postgres, migrated) as url, two(start, folders, url) as (both, model):
        yield both, model, url


@pytest_asyncio.fixture(loop_scope="module")
async def pair(shared):
    """The same, with nothing left of other tests: whose open breakers would send new sessions to a person."""
    both, model, url = shared
    connection = await asyncpg.connect(url)
    await connection.execute("UPDATE sessions SET opened_by = NULL")
    await connection.close()
    model.requests.clear()
    return both, model


@pytest.fixture
def database_url(shared):
    return shared[2]


@pytest_asyncio.fixture(loop_scope="module")
async def doomed(start, folders, postgres, migrated):
    """Two services of the test's own, and their database."""
    async with a_database(postgres, migrated) as url, two(start, folders, url) as (both, model):
        yield both, model, url


@pytest.fixture(autouse=True)
def session(request):
    """A session of the test's own."""
    SESSION[0] = request.node.name[:60]
    return SESSION[0]


async def race(both, calls):
    """Every call at once, by turns to either process; verdict and code of each."""
    async with both.client(replica=0) as first, both.client(replica=1) as second:
        asked = [(first, second)[n % 2].post("/v1/decisions", json=body) for n, body in enumerate(calls)]
        answers = [answer.json() for answer in await asyncio.gather(*asked)]
    return [f"{answer['verdict']} {answer['code']}" for answer in answers]


async def openings(both):
    return sum([await both.metric("lineclear_breaker_openings_total{", n) for n in (0, 1)])


async def breaker(database_url):
    connection = await asyncpg.connect(database_url)
    query = "SELECT consecutive, total, opened_by, opening FROM sessions WHERE session_id = $1"
    row = await connection.fetchrow(query, SESSION[0])
    await connection.close()
    return tuple(row)


async def test_fifty_racing_calls_open_it_once_at_three_in_a_row(pair, database_url):
    both, model = pair
    before = await openings(both)
    model.judge = lambda _: Say(BLOCK, delay_s=0.05)
    answers = await race(both, [call(f"make it{n}") for n in range(50)])
    assert await breaker(database_url) == (3, 3, "consecutive", 1)
    asked = len(model.requests)
    assert 3 <= asked <= 2 * IN_FLIGHT + 2
    assert answers.count("deny classifier_block") == asked
    assert answers.count("ask breaker_open") == 50 - asked
    assert await openings(both) == before + 1
    later = await race(both, [call(f"make later{n}") for n in range(6)])
    assert later == ["ask breaker_open"] * 6
    assert len(model.requests) == asked


async def test_no_model_call_starts_after_it_has_opened(pair, database_url):
    both, model = pair
    starts = []

    def judge(_):
        starts.append(datetime.now(UTC))
        return Say(BLOCK, delay_s=0.1)

    model.judge = judge
    await race(both, [call(f"make it{n}") for n in range(50)])
    connection = await asyncpg.connect(database_url)
    # A record carries the time when it was judged for the last time, just before it was committed.
    opened_at = await connection.fetchval(
        "SELECT min(decided_at) FROM decisions WHERE episode = 1 AND session_id = $1", SESSION[0]
    )
    await connection.close()
    assert [start for start in starts if (start - opened_at).total_seconds() > 0.15] == []


async def test_at_twenty_in_all_with_allows_in_between(pair, database_url):
    both, model = pair
    model.judge = lambda request: ALLOW if "fine" in str(request.data("call")) else Say(BLOCK)
    for number in range(25):
        kind = "fine" if number % 2 else "denied"
        answers = await race(both, [call(f"make {kind}{number}-{n}") for n in range(2)])
        if answers == ["ask breaker_open"] * 2:
            break
    consecutive, total, opened_by, opening = await breaker(database_url)
    assert (total, opened_by, opening) == (20, "total", 1)
    assert consecutive < 3


async def test_twins_at_two_processes_are_judged_once(pair, database_url):
    both, model = pair
    model.judge = lambda _: Say(BLOCK, delay_s=0.3)
    answers = await race(both, [call("make it", tool_use_id="t-1") for _ in range(10)])
    assert answers == ["deny classifier_block"] * 10
    assert len(model.requests) == 1
    assert await breaker(database_url) == (1, 1, None, 0)


async def test_an_open_breaker_outlives_its_processes(doomed, start):
    both, model, database_url = doomed
    model.judge = lambda _: Say(BLOCK)
    for number in range(3):
        await race(both, [call(f"make it{number}")])
    for one in both.running:
        await asyncio.to_thread(one.end, signal.SIGKILL)
    again = await replicas_again(both, start, database_url, model)
    assert await race(again, [call("make a"), call("make b")]) == ["ask breaker_open"] * 2
    assert await breaker(database_url) == (3, 3, "consecutive", 1)
    assert len(model.requests) == 3
    for one in again.running:
        await asyncio.to_thread(one.end)


async def replicas_again(both, start, database_url, model):
    settings = {"database_url": database_url, "secret": SECRET}
    settings |= {"classifier__api_key": "any", "classifier__base_url": model.base_url}
    folder = both.running[0].data
    running = await asyncio.gather(*(asyncio.to_thread(start, data=folder, **settings) for _ in range(2)))
    return Replicas(list(running), both.keys)


async def test_one_that_dies_while_it_asks_leaves_its_twin_waiting_only_for_its_lease(doomed):
    both, model, database_url = doomed
    model.judge = lambda _: Say(BLOCK, delay_s=30)
    body = call("make it", tool_use_id="t-1", timeout_ms=1500)
    async with both.client(replica=0) as first, both.client(replica=1) as second:
        lost = asyncio.create_task(first.post("/v1/decisions", json=body | {"timeout_ms": 2000}))
        await asyncio.wait_for(model.arrived.wait(), 10)
        both.running[0].process.kill()
        await asyncio.gather(lost, return_exceptions=True)
        assert (await second.post("/v1/decisions", json=body)).status_code == 503, "nobody knows what became of it"
        model.judge = lambda _: Say(BLOCK)
        begun = time.monotonic()
        answer = await second.post("/v1/decisions", json=body | {"timeout_ms": 20_000})
        assert answer.json()["code"] == "classifier_block"
        assert time.monotonic() - begun < 8
    assert await breaker(database_url) == (1, 1, None, 0)


async def test_a_database_that_is_gone_gives_no_verdict(doomed):
    both, model, database_url = doomed
    model.judge = lambda _: Say(BLOCK)
    for number in range(3):
        await race(both, [call(f"make it{number}")])
    name = database_url.partition("?")[0].rpartition("/")[2]
    server = await asyncpg.connect(database_url.replace(f"/{name}?", "/postgres?"))
    try:
        await server.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        await server.fetch("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name)
        async with both.client() as client:
            for body in (call("make it0", tool_use_id="t-9"), call("git status"), call("make it0")):
                answer = await client.post("/v1/decisions", json=body)
                assert (answer.status_code, answer.json()["code"]) == (503, "storage_unavailable")
    finally:
        await server.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
        await server.close()
    assert await race(both, [call("make other")]) == ["ask breaker_open"]
