"""Whatever is sent over the wire: an answer, a clear problem, never a 500, and never an allow."""

from __future__ import annotations

import json

import pytest

JSON = {"content-type": "application/json"}
OK = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}}


def body(**changes):
    return json.dumps(OK | changes).encode()


def deep(levels):
    return b'{"session_id": "s", "tool_name": "Bash", "tool_input": {"a": ' + b"[" * levels + b"]" * levels + b"}}"


def pieces(total, size=65536):
    for _ in range(total // size):
        yield b" " * size


REFUSED = {
    "empty": (b"", 400),
    "broken JSON": (b'{"session_id": "s",', 400),
    "no object": (b"[1]", 400),
    "wrong types": (body(session_id=1, tool_name=[], tool_input="x"), 400),
    "deep nesting": (deep(1000), 400),
    "very deep nesting": (deep(400_000), 400),
    "NUL": (body(tool_input={"command": "ls\0"}), 400),
    "a lone surrogate": (b'{"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "\\udfff"}}', 400),
    "a surrogate as a key": (b'{"session_id": "s", "tool_name": "Bash", "tool_input": {"\\udfff": 1}}', 400),
    "invalid UTF-8": (b'{"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "\xff\xfe"}}', 400),
    "a long tool name": (body(tool_name="x" * 10_000), 400),
    "an unknown mode": (body(permission_mode="god"), 400),
    "UTF-16": (json.dumps(OK).encode("utf-16"), 400),
    "a large number of nothing": (b" " * 1_000_000, 400),
    "just too large": (body() + b" " * 1_048_577, 413),
}

JUDGED = {
    "control characters": body(tool_input={"command": "ls \x1b[31m \x07"}),
    "a long command": body(tool_input={"command": "echo " + "x" * 1_000_000}),
    "a command that isn't text": body(tool_input={"command": {"a": 1}}),
    "an unknown tool": body(tool_name="DropEverything", tool_input={"x": [None, True, 1e308, -0.0]}),
    "huge numbers": body(tool_input={"command": "ls", "n": 10**400}),
    "unknown fields": body(nonsense={"a": [1]}),
    "an empty command": body(tool_input={"command": ""}),
    "no input": body(tool_input={}),
    "bidi and tags": body(tool_input={"command": "ls \u202e\U000e0041"}),
    "noncharacters": body(tool_input={"command": "ls \ufdd0\uffff"}),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_request_gets_a_problem(service, name):
    content, status = REFUSED[name]
    with service.client() as client:
        answer = client.post("/v1/decisions", content=content, headers=JSON)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert "verdict" not in answer.json()


@pytest.mark.parametrize("name", JUDGED)
def test_what_is_odd_is_judged_and_not_allowed(service, name):
    with service.client() as client:
        answer = client.post("/v1/decisions", content=JUDGED[name], headers=JSON)
    if name in {"unknown fields", "huge numbers"}:
        assert answer.json()["verdict"] == "allow"
    elif answer.status_code == 200:
        assert answer.json()["verdict"] in {"ask", "deny"}
    else:
        assert answer.status_code in {400, 413}


@pytest.mark.parametrize("announced", [True, False], ids=["announced", "chunked"])
def test_a_hundred_megabytes_are_refused_with_an_answer(service, announced):
    total = 100 * 1024 * 1024
    headers = JSON | ({"content-length": str(total)} if announced else {})
    with service.client() as client:
        answer = client.post("/v1/decisions", content=pieces(total), headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"authorization": ""}, 401, "unauthenticated"),
        ({"authorization": "Bearer lck_wrong"}, 401, "unauthenticated"),
        ({"authorization": "OPERATOR"}, 403, "forbidden"),
        ({"origin": "https://evil.example"}, 403, "origin_refused"),
        ({"host": "evil.example"}, 403, "host_refused"),
        ({"content-type": "text/plain"}, 415, "unsupported_media_type"),
    ],
    ids=["no key", "wrong key", "another role's key", "origin", "host", "content type"],
)
def test_who_may_not_ask_gets_a_problem(service, headers, status, code):
    if headers.get("authorization") == "OPERATOR":
        headers = {"authorization": f"Bearer {service.key('operator')}"}
    with service.client() as client:
        answer = client.post("/v1/decisions", content=body(), headers=JSON | headers)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_one_id_stands_for_one_call(service):
    first = body(tool_use_id="toolu_1", session_id="ids")
    second = body(tool_use_id="toolu_1", session_id="ids", tool_input={"command": "rm -rf /"})
    with service.client() as client:
        answer = client.post("/v1/decisions", content=first, headers=JSON).json()
        again = client.post("/v1/decisions", content=first, headers=JSON).json()
        other = client.post("/v1/decisions", content=second, headers=JSON)
    assert (answer["replayed"], again["replayed"]) == (False, True)
    assert again["decision_id"] == answer["decision_id"]
    assert (other.status_code, other.json()["code"]) == (409, "conflict")


def test_after_all_of_this_it_still_decides(service):
    with service.client() as client:
        assert client.post("/v1/decisions", json=OK).json()["verdict"] == "allow"
        assert client.get("/readyz").json() == {"status": "ok"}
    assert "request_failed" not in service.logged()
