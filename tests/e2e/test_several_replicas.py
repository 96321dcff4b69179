"""Several processes on one database: a key ends on all, each tells which policy it runs, their metrics add up."""

from __future__ import annotations

import asyncio
import re
import shutil
import signal
import time
from urllib.parse import quote

import asyncpg
import httpx
import pytest
import pytest_asyncio
from benchmarks.chaos.stage import DENIED, staged

from support.serving import ROOT

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]

REVOKED_WITHIN_S = 5.0
TOLD_WITHIN_S = 15.0
"""A heartbeat every 5 seconds, and one until the other has heard of it."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage():
    async with staged(2) as made:
        yield made


def call(session, command="ls", mode="default"):
    tool = {"tool_name": "Bash", "tool_input": {"command": command}}
    return {"session_id": session, "permission_mode": mode, "cwd": "/work/repo"} | tool


async def decided(client, replica, **more):
    return await client.post(f"{replica.url}/v1/decisions", json=call(**more))


async def samples(stage, replica):
    """The values of a process's metrics, each the sum over its labels."""
    async with httpx.AsyncClient(headers=stage.headers("metrics"), timeout=20) as client:
        text = (await client.get(f"{replica.url}/metrics")).text
    found = {}
    for name, value in re.findall(r"^(\w+)(?:\{.*\})? (\S+)$", text, re.MULTILINE):
        found[name] = found.get(name, 0.0) + float(value)
    return found


async def until(check, within_s):
    deadline = time.monotonic() + within_s
    while not await check():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.1)


async def test_a_revoked_key_stops_everywhere_within_five_seconds_under_load(stage):
    answered = {replica.port: [] for replica in stage.replicas}

    async def ask(replica):
        async with httpx.AsyncClient(headers=stage.headers("agent"), timeout=20) as client:
            while True:
                begun = time.monotonic()
                status = (await decided(client, replica, session="keys")).status_code
                answered[replica.port].append((begun, status))
                await asyncio.sleep(0.02)

    asking = [asyncio.create_task(ask(replica)) for replica in stage.replicas]
    await asyncio.sleep(0.5)
    assert await stage.verb("keys", "revoke", "k-agent") == (True, "revoked k-agent")
    revoked_at = time.monotonic()
    await asyncio.sleep(REVOKED_WITHIN_S + 1)
    for task in asking:
        task.cancel()
    await asyncio.gather(*asking, return_exceptions=True)
    for answers in answered.values():
        assert {status for _, status in answers} == {200, 401}
        last = max(begun for begun, status in answers if status == 200)
        assert last - revoked_at < REVOKED_WITHIN_S
        assert {status for begun, status in answers if begun > last} == {401}


async def test_counters_add_up_to_the_log_and_gauges_of_the_database_are_the_same(stage):
    before = [await samples(stage, replica) for replica in stage.replicas]
    async with httpx.AsyncClient(headers=stage.headers(), timeout=20) as client:
        for n in range(10):
            for replica in stage.replicas:
                await decided(client, replica, session=f"count{n % 3}")
        for n in range(3):
            await decided(client, stage.replicas[n % 2], session="opens", command=f"make {DENIED}{n}", mode="auto")
    after = [await samples(stage, replica) for replica in stage.replicas]

    def grown(name):
        return [there.get(name, 0.0) - here.get(name, 0.0) for here, there in zip(before, after, strict=True)]

    assert sum(grown("lineclear_decisions_total")) == 23
    assert min(grown("lineclear_decisions_total")) >= 10
    assert sum(grown("lineclear_breaker_openings_total")) == 1
    connection = await asyncpg.connect(stage.postgres.url)
    logged = await connection.fetchval("SELECT count(*) FROM decisions WHERE session_id ~ '^(count|opens)'")
    await connection.close()
    assert logged == 23

    async def same():
        gauges = [await samples(stage, replica) for replica in stage.replicas]
        return [one["lineclear_breaker_open_sessions"] for one in gauges] == [1.0, 1.0]

    await until(same, within_s=12)


async def test_each_tells_which_policy_it_runs_and_that_they_disagree(stage, tmp_path):
    policies = tmp_path / "policies"
    shutil.copytree(ROOT / "policies" / "organisation", policies / "organisation")
    (policies / "organisation" / "x.yaml").write_text('version: 1\npermissions:\n  deny: ["Bash(wc *)"]\n')
    one, other = stage.replicas
    await one.end(signal.SIGTERM)
    one.settings["policies"] = str(policies)
    await one.start()

    async def versions(replica):
        async with httpx.AsyncClient(headers=stage.headers("operator"), timeout=20) as client:
            return (await client.get(f"{replica.url}/v1/policy")).json()

    async def told():
        shown = [await versions(replica) for replica in stage.replicas]
        known = [{told["policy_version"] for told in one["replicas"]} for one in shown]
        return known == [{one["version"] for one in shown}] * 2 and len(known[0]) == 2

    await until(told, TOLD_WITHIN_S)

    async def warned():
        disagreeing = [
            (await samples(stage, replica))["lineclear_policy_replicas_disagreeing"] for replica in (one, other)
        ]
        return disagreeing == [1.0, 1.0]

    await until(warned, TOLD_WITHIN_S)
    async with httpx.AsyncClient(headers=stage.headers(), timeout=20) as client:
        decisions = [(await decided(client, r, session="p", command="wc -l x")).json() for r in stage.replicas]
    assert [decision["verdict"] for decision in decisions] == ["deny", "allow"]
    assert [decision["policy_version"] for decision in decisions] == [
        (await versions(replica))["version"] for replica in stage.replicas
    ]


async def test_a_second_process_shares_the_embedded_database_of_the_first(start, folders):
    first = await asyncio.to_thread(start)
    socket = quote(str(first.data / "postgres"), safe="")
    shared = {
        "database_url": f"postgresql://lineclear@/postgres?host={socket}",
        "secret": (first.data / "secret").read_text().strip(),
    }
    second = await asyncio.to_thread(start, data=folders(), **shared)
    assert second.process.poll() is None, second.logged()
    assert "NOT READY" not in second.said
    with first.client() as one:
        first_answer = one.post("/v1/decisions", json=call("s") | {"tool_use_id": "t-1"}).json()
        again = one.post(f"{second.url}/v1/decisions", json=call("s") | {"tool_use_id": "t-1"}).json()
    assert (again["decision_id"], again["replayed"]) == (first_answer["decision_id"], True)
    assert [running.end() for running in (second, first)] == [0, 0]
