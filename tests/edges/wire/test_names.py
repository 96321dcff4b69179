"""What is stored as it is has no secret in it, or the request is malformed."""

from __future__ import annotations

import json

import pytest

from lineclear.wire import bodies
from lineclear.wire.errors import Malformed
from lineclear.wire.names import session_name
from lineclear.wire.request import decode

SECRETS = [
    "sk-ant-api03-" + "A1b2C3d4" * 6,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefgh",
    "session-AKIAIOSFODNN7EXAMPLE",
    "https://me:x1Y2z3@host/session",
    "ghp_" + "a1B2c3D4" * 5,
    "password=x1Y2z3w4",
]
HARMLESS = [
    "s-42",
    "550e8400-e29b-41d4-a716-446655440000",
    "01981f00a1b2c3d4e5f60718293a4b5c",
    "toolu_01ABCdefGHIjklMNOpqrSTUv",
    "call_abcDEFghiJKLmnoPQRstuVWX",
    "ses_6a8f9d9e0ffeK9mQ2xYz",
    "mcp__github__get_secret_scanning_alert",
    "agent:main:main",
    "projects/x/locations/y/sessions/123",
    "読む",
]
REQUEST = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}}


def problems(read, *arguments):
    with pytest.raises(Malformed) as caught:
        read(*arguments)
    return [(found.pointer, found.code) for found in caught.value.problems], str(caught.value)


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("name", ["session_id", "tool_name", "tool_use_id"])
def test_a_name_that_looks_like_a_secret_is_malformed_and_not_told_again(name, secret):
    found, told = problems(decode, json.dumps(REQUEST | {name: secret}).encode())
    assert found == [(f"/{name}", "secret")]
    assert secret not in told


def test_each_such_name_is_named():
    request = REQUEST | {"tool_use_id": SECRETS[0], "agent": {"host": SECRETS[1]}}
    assert problems(decode, json.dumps(request).encode())[0] == [("/tool_use_id", "secret"), ("/agent/host", "secret")]


@pytest.mark.parametrize("secret", SECRETS)
def test_so_is_that_of_a_message(secret):
    message = {"role": "user", "content": "hi", "message_id": secret}
    body = json.dumps({"messages": [{"role": "user", "content": "hi"}, message]}).encode()
    assert problems(bodies.messages, body)[0] == [("/messages/1/message_id", "secret")]
    assert problems(decode, json.dumps(REQUEST | {"messages": [message]}).encode())[0][0][1] == "secret"


@pytest.mark.parametrize("name", HARMLESS)
def test_names_as_hosts_give_them_are_names(name):
    assert decode(json.dumps(REQUEST | {"session_id": name, "tool_use_id": name, "tool_name": name}).encode())
    assert session_name(name) == name


@pytest.mark.parametrize("name", ["", "x" * 257, "a\0b"], ids=["empty", "long", "NUL"])
def test_a_session_in_a_path_is_named_as_in_a_body(name):
    assert problems(session_name, name)[0] == [("/session_id", "invalid")]
    assert problems(session_name, SECRETS[0])[0] == [("/session_id", "secret")]
