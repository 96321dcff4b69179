"""At a hook's address every refusal is 200 and the host's own denial: hosts take an error for a go-ahead."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor

import httpx  # noqa: TC002 - fixtures and helpers are typed with it
import pytest

from lineclear.hosts.registry import HOSTS
from lineclear.hosts.setup.canaries import DENIED, Outcome, canary, outcome
from support.messages_server import MessagesServer
from support.plays import Say

JSON = {"content-type": "application/json"}


def call(command: str = "touch x", *, use: str | None = None, session: str = "s", **more):
    payload = {
        "session_id": session,
        "hook_event_name": "PreToolUse",
        "cwd": "/work/repo",
        "tool_name": "Bash",
        "tool_input": {"command": command},
    }
    return payload | ({} if use is None else {"tool_use_id": use}) | more


def told(answer: httpx.Response) -> str:
    """The reason of a denial in Claude Code's form."""
    assert answer.status_code == 200
    assert answer.headers["lineclear-hook"] == "claude-code"
    inner = answer.json()["hookSpecificOutput"]
    assert (inner["hookEventName"], inner["permissionDecision"]) == ("PreToolUse", "deny")
    return inner["permissionDecisionReason"]


def post(service, body, *, role: str | None = "host", host: str = "claude-code", query: str = "", **headers):
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    with service.client(role) as client:
        return client.post(f"/v1/hooks/{host}{query}", content=content, headers=JSON | headers)


REFUSED = {
    "nothing": (b"", "no JSON object"),
    "half": (b'{"session_id"', "no JSON object"),
    "a list": (b"[]", "no JSON object"),
    "no UTF-8": (b'{"a": "\xff"}', "no JSON object"),
    "nesting": (b'{"a":' * 10_000 + b"1" + b"}" * 10_000, "no JSON object|nested too deeply"),
    "nested input": (json.dumps(call(deep=1)).replace("1}", "[" * 90 + "]" * 90 + "}").encode(), None),
    "no session": (call() | {"session_id": None}, "no `session_id`"),
    "no input": ({key: value for key, value in call().items() if key != "tool_input"}, "no `tool_input`"),
    "a number for a name": (call() | {"tool_name": 7}, "`tool_name` is no text"),
    "a mode that isn't known": (call(permission_mode="yolo"), "permission_mode"),
    "NUL": (call("ls\x00"), "NUL"),
    "half a surrogate pair": (json.dumps(call("XX")).replace("XX", "\\ud800").encode(), "JSON|surrogate"),
    "a name that is too long": (call(session="x" * 300), "session_id"),
    "a renamed event": (call() | {"hook_event_name": "BeforeToolUse2", "tool_input": None}, "no `tool_input`"),
}


@pytest.mark.parametrize(("body", "why"), REFUSED.values(), ids=REFUSED)
def test_malformed(service, body, why):
    answer = post(service, body)
    if why is None:
        assert answer.status_code == 200
        return
    reason = told(answer)
    assert reason.startswith("Lineclear gave no verdict, so the call is denied: ")
    assert any(word in reason for word in why.split("|")), reason


def test_a_command_padded_to_eleven_megabytes(service):
    body = json.dumps(call("touch x # " + "x" * 11_000_000)).encode()
    assert "larger than" in told(post(service, body))
    assert "larger than" in told(_streamed(service, body))


def _streamed(service, body: bytes) -> httpx.Response:
    """Without a length, so that it is counted while it arrives."""
    pieces = (body[at : at + 65_536] for at in range(0, len(body), 65_536))
    with service.client("host") as client:
        return client.post("/v1/hooks/claude-code", content=pieces, headers=JSON)


def test_an_id_that_stands_for_another_call(service):
    post(service, call("ls", use="t-1", session="ids"))
    assert "another tool, input" in told(post(service, call("rm -rf x", use="t-1", session="ids")))


@pytest.mark.parametrize(
    ("role", "headers"),
    [
        (None, {}),
        ("operator", {}),
        ("host", {"origin": "https://evil.example"}),
        ("host", {"Host": "evil.example"}),
        ("host", {"content-type": "text/plain"}),
        ("host", {"content-encoding": "gzip"}),
        ("host", {"authorization": "Bearer lck_wrong"}),
    ],
    ids=str,
)
def test_who_may_not_ask_is_denied_too(service, role, headers):
    assert told(post(service, call("ls"), role=role, **headers))


@pytest.mark.parametrize("host", HOSTS)
def test_each_host_understands_a_refusal_and_a_denial(service, host):
    for body in (b"{", json.dumps(canary(host, DENIED, "/work/repo", "refusals")).encode()):
        answer = post(service, body, host=host)
        status = int(answer.headers["lineclear-exit"])
        out, err = (answer.text, "") if status == 0 else ("", answer.text)
        assert (answer.status_code, outcome(status, out, err)) == (200, Outcome.DENIED)


def test_the_address_names_the_event_that_a_broken_payload_does_not(service):
    answer = post(service, b"{", query="?event=PermissionRequest")
    assert answer.json()["hookSpecificOutput"]["decision"]["behavior"] == "deny"
    assert post(service, b"{", query="?event=UserPromptSubmit").json() == {}


def test_a_host_that_is_not_known_is_no_hook(service):
    assert post(service, call("ls"), host="nobody").status_code == 404


def test_a_flood_is_answered_with_denials(start):
    crowded = start("--port", "0", max_in_flight="2")
    with ThreadPoolExecutor(24) as many:
        answers = list(many.map(lambda n: post(crowded, call(f"touch {n}", use=f"t{n}")), range(96)))
    assert {answer.status_code for answer in answers} == {200}
    shed = [told(answer) for answer in answers if answer.json()]
    assert shed
    assert all("too many requests" in reason and "outage" in reason for reason in shed)


def test_the_database_gone_is_a_denial_that_says_outage(start):
    lame = start("--port", "0")
    post(lame, call("ls"))
    stop_database(lame)
    reason = told(post(lame, call("ls", use="t-9")))
    assert "outage" in reason
    assert post(lame, {"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "x"}).json() == {}


def stop_database(service) -> None:
    """End this service's own embedded server, by the id in its folder."""
    (pid_file,) = service.data.rglob("postmaster.pid")
    os.kill(int(pid_file.read_text().split()[0]), signal.SIGINT)


@pytest.mark.slow
async def test_a_model_slower_than_the_hook_waits_is_a_denial(start):
    async with MessagesServer(judge=lambda _: Say('{"verdict": "allow"}', delay_s=60)) as model:
        settings = {"classifier__api_key": "k", "classifier__base_url": model.base_url}
        settings["classifier__fast__timeout_s"] = "300"
        judged = await asyncio.to_thread(start, "--port", "0", **settings)
        answer = await asyncio.to_thread(slowly, judged)
    assert "outage" in told(answer)


def slowly(service) -> httpx.Response:
    with service.client("host") as client:
        body = call("make deploy", permission_mode="auto", use="slow")
        return client.post("/v1/hooks/claude-code", json=body, timeout=40)
