"""What a request may be, and how a bad one is named."""

from __future__ import annotations

import json

import pytest

from lineclear.core.call import Dialect, Platform
from lineclear.core.modes import Mode
from lineclear.wire.errors import Malformed
from lineclear.wire.request import decode

GOOD = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}}


def body(**more):
    return json.dumps(GOOD | more).encode()


def problem(raw):
    with pytest.raises(Malformed) as caught:
        decode(raw)
    (found,) = caught.value.problems
    return found


def test_the_least_that_is_a_request():
    stated = decode(body())
    assert (stated.session_id, stated.tool_name, stated.tool_input) == ("s", "Bash", {"command": "ls"})
    assert stated.mode is None
    assert stated.environment.roots is None
    assert stated.interactive is None


def test_every_field_arrives():
    stated = decode(
        body(
            tool_use_id="t",
            permission_mode="acceptEdits",
            cwd="/w",
            environment={
                "workspace_roots": ["/w"],
                "home": "/h",
                "platform": "darwin",
                "shell": "/bin/zsh",
                "resolved_paths": {"a": "/b"},
                "repository_trusted": True,
            },
            agent={"host": "codex", "id": "a", "type": "main", "is_async": False},
            allowed_tools=[],
            interactive=False,
            unknown_field=1,
        )
    )
    assert stated.mode is Mode.ACCEPT_EDITS
    assert stated.environment.platform is Platform.MACOS
    assert stated.environment.dialect is Dialect.ZSH
    assert stated.environment.roots == ("/w",)
    assert stated.environment.real_paths == {"a": "/b"}
    assert stated.allowed_tools == ()


@pytest.mark.parametrize(
    ("shell", "dialect"),
    [
        ("bash", "bash"),
        ("/usr/bin/sh", "sh"),
        ("pwsh", "powershell"),
        ("C:\\Windows\\System32\\cmd.exe", "cmd"),
        ("fish", "unknown"),
        ("", "unknown"),
        (None, "unknown"),
    ],
)
def test_shells(shell, dialect):
    assert decode(body(environment={"shell": shell})).environment.dialect == dialect


@pytest.mark.parametrize(
    ("raw", "pointer", "code"),
    [
        (b"", "", "not_json"),
        (b"{", "", "not_json"),
        (b"\xff\xfe", "", "not_json"),
        (b'{"session_id": "\xff"}', "", "not_json"),
        (b"[]", "", "invalid"),
        (b"{}", "", "missing"),
        (body(session_id=5), "/session_id", "invalid"),
        (body(session_id=""), "/session_id", "invalid"),
        (body(tool_name="x" * 10_000), "/tool_name", "invalid"),
        (body(tool_input=[]), "/tool_input", "invalid"),
        (body(permission_mode="yolo"), "/permission_mode", "invalid"),
        (body(environment={"workspace_roots": [1]}), "/environment/workspace_roots/0", "invalid"),
        (body(timeout_ms=0), "/timeout_ms", "invalid"),
        (body(allowed_tools=["a" * 256] * 257), "/allowed_tools", "invalid"),
        (body(tool_input={"command": "a\0b"}), "", "nul"),
        (body(session_id="a\0"), "", "nul"),
        (body(tool_input={"command": "a", "b\0": {}}), "", "nul"),
        (body(environment={"resolved_paths": {"a\0": "/a"}}), "", "nul"),
        (body(context={"b\ud800": []}), "", "not_json"),
        (b'{"session_id":"s","tool_name":"T","tool_input":{"a":"\\ud800"}}', "", "not_json"),
        (b'{"session_id":"s","tool_name":"T","tool_input":' + b'{"a":' * 100 + b"1" + b"}" * 101, "", "too_deep"),
        (
            b'{"session_id":"s","tool_name":"T","tool_input":{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}}",
            "",
            "too_deep",
        ),
    ],
)
def test_a_bad_request_is_named(raw, pointer, code):
    found = problem(raw)
    assert (found.pointer, found.code) == (pointer, code)
