"""Replicas are replaced one by one under load, and no request fails: not ready, then calls finish, then the end."""

from __future__ import annotations

import asyncio
import signal
import time

import httpx
import pytest
from benchmarks.chaos import ledger
from benchmarks.chaos.load import loaded
from benchmarks.chaos.stage import staged

from support.balancer import Balancer
from support.plays import ALLOW, Say

pytestmark = pytest.mark.slow

CALLERS = 12
DRAIN_S = 1.0
"""Time for the balancer to notice; it looks ten times a second."""


async def test_two_replicas_are_replaced_and_no_request_fails():
    async with staged(2, drain_s=str(DRAIN_S)) as stage:
        async with (
            Balancer([replica.port for replica in stage.replicas]) as balancer,
            loaded(stage, CALLERS, seed=1, ports=[balancer.port]) as tally,
        ):
            for replica in stage.replicas:
                await asyncio.sleep(0.5)
                before = len(tally.answers)
                assert await replica.end(signal.SIGTERM) == 0
                assert len(tally.answers) > before, "the other one goes on"
                await replica.start()
            await asyncio.sleep(0.5)
        found = await ledger.found(stage.postgres.url, tally.answers)
    assert (dict(tally.problems), tally.broken, balancer.refused, tally.wrong) == ({}, 0, 0, [])
    assert found.faults == ()
    assert len(tally.answers) > 100


async def test_asked_to_stop_it_finishes_what_it_holds_and_ends():
    async with staged(1, drain_s=str(DRAIN_S)) as stage:
        (replica,) = stage.replicas
        stage.model.judge = lambda _: Say(ALLOW.text, delay_s=2.5)
        async with httpx.AsyncClient(base_url=replica.url, headers=stage.headers(), timeout=30) as client:
            question = await client.post("/v1/decisions", json=call("git push origin main", "default"))
            decision = question.json()["decision_id"]
            stage.model.arrived.clear()
            judged = asyncio.create_task(client.post("/v1/decisions", json=call("make it", "auto")))
            held = asyncio.create_task(client.get(f"/v1/decisions/{decision}?wait_s=25"))
            await stage.model.arrived.wait()
            begun = time.monotonic()
            ending = asyncio.create_task(replica.end(signal.SIGTERM))
            await asyncio.sleep(0.3)
            assert (await client.get("/readyz")).status_code == 503
            assert (await client.post("/v1/decisions", json=call("ls", "default"))).json()["verdict"] == "allow"
            answer = await held
            assert (answer.status_code, answer.json()["approval"]["state"]) == (200, "pending")
            assert time.monotonic() - begun < 5
            assert (await judged).json()["verdict"] == "allow"
            assert await ending == 0
            assert 2 < time.monotonic() - begun < 15


def call(command, mode):
    return {
        "session_id": "s",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "permission_mode": mode,
        "cwd": "/work/repo",
    }
