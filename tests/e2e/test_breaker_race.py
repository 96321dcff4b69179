"""Calls that the model would block race over several processes: each breaker opens once, at the right number.

No model call starts once the opening is committed, by the database's own time of the commit. What was on its way from
the last look at the breaker to the model's socket by then may still arrive; how late it may is bounded, and so is how
much. Most of the time that is measured is this process's own, which plays the model and 400 callers.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
from collections import Counter, defaultdict
from datetime import UTC, datetime

import asyncpg
import httpx
import pytest
from benchmarks.chaos.client import Client
from benchmarks.chaos.stage import RULE, staged

from support.plays import block
from support.serving import eventually

pytestmark = pytest.mark.slow

PER_SESSION = 4
"""Calls of one session that one process has in flight, by the design."""
CONNECTIONS = 100
ON_ITS_WAY_S = 2.0
PATIENCE_S = 120.0
ONCE = (3, 3, "consecutive", 1)


class Model:
    """Blocks everything, and keeps when it was asked about which session."""

    def __init__(self):
        self.asked = defaultdict(list)

    def __call__(self, request):
        (session,) = re.findall(r"make (s\d+)-", str(request.data("call")))
        self.asked[session].append(datetime.now(UTC))
        return block(RULE, delay_s=0.02)


def call(session, number):
    return {
        "session_id": f"s{session}",
        "tool_use_id": f"t{number}",
        "tool_name": "Bash",
        "tool_input": {"command": f"make s{session}-{number}"},
        "permission_mode": "auto",
        "cwd": "/work/repo",
        "timeout_ms": int(PATIENCE_S * 1000),
    }


async def raced(stage, calls):
    """Every call, over all processes at once; verdict and code by session."""
    answers = defaultdict(Counter)

    async def worker(client):
        while calls:
            body = calls.pop()
            number = int(body["session_id"][1:])
            answer = await client.decide(body, stage.hosts[number])
            assert answer.status == 200, answer.body
            answers[body["session_id"]][f"{answer.body['verdict']} {answer.body['code']}"] += 1
        client.close()

    ports = [replica.port for replica in stage.replicas for _ in range(CONNECTIONS)]
    await asyncio.gather(*(worker(Client(port, PATIENCE_S)) for port in ports))
    return answers


async def timed_commits(stage):
    """Have the server keep the time of each commit."""
    connection = await asyncpg.connect(stage.postgres.url)
    await connection.execute("ALTER SYSTEM SET track_commit_timestamp = on")
    await connection.close()
    os.kill(stage.postmaster, signal.SIGINT)
    await asyncio.to_thread(eventually, lambda: not stage.postgres.running())
    await stage.restarted()
    await stage.recovered()


async def kept(stage):
    """Each session's breaker, when its opening was committed, and how many denials were counted."""
    connection = await asyncpg.connect(stage.postgres.url)
    try:
        rows = await connection.fetch("SELECT session_id, consecutive, total, opened_by, opening FROM sessions")
        times = await connection.fetch(
            "SELECT session_id, min(pg_xact_commit_timestamp(xmin)) AS at FROM decisions WHERE episode = 1 GROUP BY 1"
        )
    finally:
        await connection.close()
    breakers = {row["session_id"]: tuple(row)[1:] for row in rows if row["session_id"] != "probe"}
    return breakers, {row["session_id"]: row["at"] for row in times}


async def openings(stage):
    """How many openings the processes counted, all together."""
    total = 0
    async with httpx.AsyncClient(headers=stage.headers("metrics"), timeout=20) as client:
        for replica in stage.replicas:
            text = (await client.get(f"{replica.url}/metrics")).text
            total += sum(map(float, re.findall(r"^lineclear_breaker_openings_total\{.*\} (\S+)$", text, re.MULTILINE)))
    return total


@pytest.mark.parametrize(
    ("processes", "sessions", "calls"),
    [(2, 5, 200), (4, 100, 10_000)],
    ids=["small", "ten thousand"],
)
async def test_each_session_opens_once_and_asks_no_model_after_it(processes, sessions, calls):
    async with staged(processes) as stage:
        await timed_commits(stage)
        stage.model.judge = model = Model()
        bodies = [call(number % sessions, number) for number in range(calls)]
        random.Random(1).shuffle(bodies)
        answers = await raced(stage, bodies)
        breakers, opened_at = await kept(stage)
        names = {f"s{n}" for n in range(sessions)}
        assert breakers == dict.fromkeys(names, ONCE)
        assert await openings(stage) == sessions
    late = []
    for name in names:
        asked = len(model.asked[name])
        assert 3 <= asked <= processes * PER_SESSION + 3
        assert answers[name] == {"deny classifier_block": asked, "ask breaker_open": calls // sessions - asked}
        late += [at - opened_at[name] for at in model.asked[name] if at > opened_at[name]]
    seconds, asked = max((one.total_seconds() for one in late), default=0.0), sum(map(len, model.asked.values()))
    print(f"{asked} model calls; {len(late)} came after their opening, {seconds:.3f} s at most")  # noqa: T201
    assert seconds < ON_ITS_WAY_S
