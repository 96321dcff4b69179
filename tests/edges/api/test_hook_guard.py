"""At a hook's address whatever fails beneath the guard is a denial: an error would be a go-ahead."""

from __future__ import annotations

import json

import pytest

from lineclear.api import visit
from lineclear.api.hook_guard import HookGuard
from lineclear.hosts.registry import HOSTS
from lineclear.telemetry.metrics import Metrics

CALL = b'{"hook_event_name": "PreToolUse"}'
START = {"type": "http.response.start", "status": 200, "headers": [(b"x-request-id", b"r"), (b"content-length", b"2")]}


async def nothing(_):
    raise OSError("the log is full")


async def before_a_visit(*_):
    raise OSError("the log is full")


async def with_a_visit(scope, *_):
    visit.begin(scope, visit.Visit("r", 0.0, body=CALL))
    raise RuntimeError("a fault of ours")


async def midway(scope, _, send):
    visit.begin(scope, visit.Visit("r", 0.0, body=CALL))
    await send(START)
    raise OSError("the log is full")


async def out_of_depth(scope, *_):
    visit.begin(scope, visit.Visit("r", 0.0, body=b"[" * 100_000))
    raise RecursionError


async def answered(app, path="/v1/hooks/claude-code", query=b"event=PreToolUse"):
    sent = []
    scope = {"type": "http", "method": "POST", "path": path, "query_string": query, "headers": []}

    async def send(message):
        sent.append(message)

    metrics = Metrics("0")
    await HookGuard(app, metrics)(scope, nothing, send)
    return sent, metrics.exposition().decode()


@pytest.mark.parametrize("app", [before_a_visit, with_a_visit, midway, out_of_depth])
async def test_a_failure_is_a_denial(app):
    sent, counted = await answered(app)
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    assert sent[0]["status"] == 200
    said = json.loads(sent[1]["body"])["hookSpecificOutput"]
    assert said["permissionDecision"] == "deny"
    assert "gave no verdict" in said["permissionDecisionReason"]
    assert 'lineclear_hook_failures_total{cause="internal",host="claude-code"} 1.0' in counted


@pytest.mark.parametrize("host", HOSTS)
async def test_each_host_is_answered(host):
    sent, _ = await answered(before_a_visit, f"/v1/hooks/{host}", b"")
    assert sent[0]["status"] == 200
    assert sent[1]["body"] not in {b"", b"{}"}


async def test_elsewhere_a_failure_stays_one():
    with pytest.raises(OSError):
        await answered(before_a_visit, "/v1/decisions")
