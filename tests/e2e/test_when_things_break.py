"""Whatever breaks between a service and its database: 503 with `Retry-After` in time, no verdict; then it heals."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import time
from collections import Counter
from contextlib import asynccontextmanager

import asyncpg
import httpx
import pytest
import pytest_asyncio
from benchmarks.chaos.client import Client
from benchmarks.chaos.stage import staged

pytestmark = pytest.mark.asyncio(loop_scope="module")

IN_TIME_S = 10.0
"""A few deadlines of 2 seconds for a connection, a statement, a lock, on a busy machine; not one for each caller."""
AT_ONCE = 100
MOST, EXTRA = 512, 100
"""Requests that are served at once, by the setting's default; and some more."""
CONNECTIONS = 16
"""What one service opens at most: a dozen, and a few while it is asked whether it is ready."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage():
    async with staged(1) as made:
        yield made


@asynccontextmanager
async def asking(stage):
    async with httpx.AsyncClient(
        base_url=stage.replicas[0].url, headers=stage.headers(), timeout=30, limits=httpx.Limits(max_connections=None)
    ) as client:
        yield client


def call(number=0, session="s", command="ls"):
    return {"session_id": f"{session}{number}", "tool_name": "Bash", "tool_input": {"command": command}}


async def burst(client, count=AT_ONCE, session="s"):
    """So many calls at once, and the seconds that the slowest took."""
    begun = time.monotonic()
    answers = await asyncio.gather(*(client.post("/v1/decisions", json=call(n, session)) for n in range(count)))
    return answers, time.monotonic() - begun


async def metric(stage, name):
    async with httpx.AsyncClient(base_url=stage.replicas[0].url, headers=stage.headers("metrics")) as client:
        return float(re.search(rf"^{name} (\S+)$", (await client.get("/metrics")).text, re.MULTILINE)[1])


@asynccontextmanager
async def sql(stage):
    connection = await asyncpg.connect(stage.postgres.url)
    try:
        yield connection
    finally:
        await connection.close()


@asynccontextmanager
async def gone(stage):
    """Nobody listens, and what was connected is reset."""
    line = stage.replicas[0].line
    line.refusing = True
    line.cut()
    try:
        yield
    finally:
        line.refusing = False


@asynccontextmanager
async def silent(stage):
    """The network swallows everything."""
    line = stage.replicas[0].line
    line.stall()
    try:
        yield
    finally:
        line.cut()
        line.resume()


@asynccontextmanager
async def far(stage):
    """Every piece takes longer than a statement may."""
    line = stage.replicas[0].line
    line.delay_s = 2.5
    try:
        yield
    finally:
        line.delay_s = 0.0


@asynccontextmanager
async def frozen(stage):
    """The server's processes stand still."""
    pids = [*await stage.backends(), stage.postmaster]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


@asynccontextmanager
async def locked(stage):
    """Somebody holds the log."""
    async with sql(stage) as connection, connection.transaction():
        await connection.execute("LOCK TABLE decisions IN EXCLUSIVE MODE")
        yield


@asynccontextmanager
async def full_of_others(stage):
    """Other clients have all of the server's connections."""
    stage.replicas[0].line.cut()
    held = []
    try:
        while True:
            try:
                held.append(await asyncpg.connect(stage.postgres.url))
            except asyncpg.TooManyConnectionsError:
                break
        yield
    finally:
        for connection in held:
            await connection.close()


@asynccontextmanager
async def read_only(stage):
    """A server that became a standby takes no writes."""
    async with sql(stage) as connection:
        await connection.execute("ALTER SYSTEM SET default_transaction_read_only = on")
        await connection.execute("SELECT pg_reload_conf()")
    try:
        yield
    finally:
        async with sql(stage) as connection:
            await connection.execute("ALTER SYSTEM RESET default_transaction_read_only")
            await connection.execute("SELECT pg_reload_conf()")


QUICK = (gone,)
SLOW = (silent, far, frozen, locked, full_of_others, read_only)


@pytest.mark.parametrize(
    "broken",
    [*QUICK, *(pytest.param(one, marks=pytest.mark.slow) for one in SLOW)],
    ids=[one.__name__ for one in (*QUICK, *SLOW)],
)
async def test_without_its_log_no_verdict_leaves_and_the_service_heals(stage, broken):
    await stage.recovered()
    async with asking(stage) as client:
        async with broken(stage):
            await asyncio.sleep(0.2)
            for _ in range(2):
                answers, seconds = await burst(client)
                assert {(one.status_code, one.json()["code"]) for one in answers} == {(503, "storage_unavailable")}
                assert {one.headers["retry-after"] for one in answers} == {"1"}
                assert seconds < IN_TIME_S
            assert (await client.get("/livez")).status_code == 200
            assert stage.replicas[0].line.live <= CONNECTIONS
            assert (await client.get("/readyz")).status_code == 503
        await stage.recovered()
        answers, _ = await burst(client)
        assert {one.status_code for one in answers} == {200}
    assert await metric(stage, "lineclear_commit_queue_length") == 0
    assert stage.replicas[0].line.live <= CONNECTIONS


@pytest.mark.slow
async def test_what_is_too_much_is_turned_away_at_once(stage):
    await stage.recovered()
    took, codes = [], Counter()

    async def ask(number):
        client, begun = Client(stage.replicas[0].port), time.monotonic()
        answer = await client.decide(call(number), stage.keys["host"])
        client.close()
        assert (answer.status, answer.headers["retry-after"]) == (503, "1")
        codes[answer.body["code"]] += 1
        if answer.body["code"] == "overloaded":
            took.append(time.monotonic() - begun)

    async with silent(stage), asking(stage) as client:
        asked = [asyncio.create_task(ask(number)) for number in range(MOST + EXTRA)]
        await asyncio.sleep(1)
        assert (await client.get("/livez")).status_code == 200
        await asyncio.gather(*asked)
    assert codes["overloaded"] >= EXTRA
    assert codes["storage_unavailable"] > 0
    assert max(took) < 2
    assert await metric(stage, "lineclear_requests_shed_total") >= EXTRA
    await stage.recovered()
