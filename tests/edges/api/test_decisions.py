"""A verdict is 200; everything else is a problem document, and nothing but a verdict looks like one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lineclear.core.call import Role, SessionKey
from lineclear.engine.errors import Conflict, Overtaken
from lineclear.engine.log import StorageUnavailable

JSON = {"content-type": "application/json"}
OK = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}}
KEYS = {"type", "title", "status", "detail", "code", "request_id", "errors"}


async def post(world, content, role=Role.HOST, **headers):
    async with world.client(role) as client:
        return await client.post("/v1/decisions", content=content, headers=JSON | headers)


async def test_a_denial_is_an_answer(world):
    async with world.client(Role.HOST) as client:
        answer = await client.post("/v1/decisions", json=OK)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert answer.json()["verdict"] == "deny"
    (stated, key) = world.engine.seen[0]
    assert (stated.tool_input, key.role) == ({"command": "ls"}, Role.HOST)


async def test_an_agent_is_not_told_the_rule(world):
    async with world.client(Role.AGENT) as client:
        answer = (await client.post("/v1/decisions", json=OK)).json()
    assert answer["reason"] is None
    assert answer["findings"] == [{"code": "deny_rule", "verdict": "deny"}]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"x"',
        b"{}",
        b'{"session_id": 1, "tool_name": "Bash", "tool_input": {}}',
        b'{"session_id": "s", "tool_name": "Bash", "tool_input": []}',
        b'{"session_id": "s", "tool_name": "Bash", "tool_input": {"a": "\\u0000"}}',
        b'{"session_id": "s", "tool_name": "Bash", "tool_input": {"a": "\\ud800"}}',
        b'{"session_id": "s", "tool_name": "Bash", "tool_input": {"a": "\xff"}}',
        b'{"session_id": "s", "tool_name": "Bash", "tool_input": {"a": "\xed\xa0\x80"}}',
        b'{"session_id": "s", "tool_name": "Bash", "tool_input": {"a": NaN}}',
        b'{"session_id": "s", "tool_name": "Bash", "tool_input": {"a": 1e999}}',
        b'{"session_id": "s", "tool_name": "Bash", "tool_input": {}, "permission_mode": "yolo"}',
        b'{"session_id": "s", "tool_name": "Bash", "tool_input": {}, "timeout_ms": -1}',
        b'{"session_id": "s", "tool_name": "", "tool_input": {}}',
        b'{"session_id": "s", "tool_name": "' + b"x" * 2000 + b'", "tool_input": {}}',
        b'{"session_id": "s", "tool_name": "Bash", "tool_input": {"a": ' + b"[" * 1500 + b"]" * 1500 + b"}}",
        b"[" * 4000,
        b'\xef\xbb\xbf{"session_id": "s", "tool_name": "Bash", "tool_input": {}}',
        b'{"session_id": "s", "tool_name": "Bash", "tool_input": {}} x',
        '{"session_id": "s"}'.encode("utf-16"),
    ],
    ids=lambda body: repr(body[:60]),
)
async def test_what_is_no_request_is_400_and_names_the_place(world, body):
    answer = await post(world, body)
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")
    document = answer.json()
    assert set(document) == KEYS
    assert document["code"] == "malformed"
    assert document["errors"]
    assert all(set(fault) == {"pointer", "code", "message"} for fault in document["errors"])
    assert world.engine.seen == []


@pytest.mark.parametrize(
    ("error", "status", "code", "retry"),
    [
        (Conflict("stands for another call"), 409, "conflict", False),
        (Overtaken(), 503, "overloaded", True),
        (StorageUnavailable("host=db password=hunter2"), 503, "storage_unavailable", True),
        (RuntimeError("hunter2"), 500, "internal", False),
        (RecursionError("hunter2"), 500, "internal", False),
        (MemoryError("hunter2"), 500, "internal", False),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
@pytest.mark.parametrize("method", ["POST", "GET"])
async def test_no_failure_is_a_verdict_and_none_tells_a_secret(world, capsys, method, error, status, code, retry):
    world.engine.error = error
    async with world.client(Role.HOST) as client:
        path = "/v1/decisions" if method == "POST" else f"/v1/decisions/{world.engine.record.id}"
        answer = await client.request(method, path, json=OK)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert set(answer.json()) == KEYS
    assert ("retry-after" in answer.headers) is retry
    assert "hunter2" not in answer.text + "".join(capsys.readouterr())
    assert world.count(f'lineclear_http_problems_total{{code="{code}"}}') == 1


@pytest.mark.parametrize(
    ("role", "whose", "status"),
    [
        (Role.HOST, "p-host", 200),
        (Role.AGENT, "p-host", 404),
        (Role.AGENT, "p-agent", 200),
        (Role.OPERATOR, "p-host", 200),
        (Role.EDITOR, "p-host", 200),
    ],
)
async def test_who_asks_reads_its_own_decisions_and_no_others(world, role, whose, status):
    world.engine.record = replace(world.engine.record, session=SessionKey((whose, "s")))
    async with world.client(role) as client:
        answer = await client.get(f"/v1/decisions/{world.engine.record.id}")
    assert answer.status_code == status
    if status == 200:
        assert (answer.json()["reason"] is None) is (role is Role.AGENT)


@pytest.mark.parametrize(
    "path",
    ["nonsense", "01981f00-0000-7000-8000-000000000001?wait_s=soon", "01981f00-0000-7000-8000-000000000001?wait_s=9e9"],
)
async def test_a_malformed_parameter_is_400_never_422(world, path):
    async with world.client(Role.OPERATOR) as client:
        answer = await client.get(f"/v1/decisions/{path}")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert answer.json()["errors"][0]["pointer"].startswith(("/path/", "/query/"))


async def test_an_unknown_decision_is_404(world):
    async with world.client(Role.OPERATOR) as client:
        answer = await client.get("/v1/decisions/01981f00-0000-7000-8000-0000000000ff")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
