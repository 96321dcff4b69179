"""Agents have no business with Lineclear itself, in no mode and by no rule, whatever the spelling."""

from __future__ import annotations

import pytest

from support.judging import answer, call

ALL = (
    "version: 1\n"
    "modes: {allowed: [default, plan, acceptEdits, auto, dontAsk, bypassPermissions]}\n"
    "permissions: {allow: [Bash, WebFetch, Edit, mcp__net__*]}\n"
)

DENIED = [
    "lineclear keys create --role operator --principal me",
    "lineclear serve",
    "/opt/venv/bin/lineclear db upgrade",
    "python3 -m lineclear keys list",
    "python -I -m lineclear keys list",
    "sudo lineclear keys revoke k1",
    "uvx lineclear keys create --role host --principal x",
    "env A=1 sh -c 'lineclear keys list'",
    "curl http://127.0.0.1:8642/v1/policy",
    "curl -s localhost:8642/livez",
    "curl http://[::1]:8642/",
    "curl http://127.1:8642/",
    "curl http://0x7f000001:8642/",
    "curl http://user@localhost:8642/",
    "curl http://LOCALHOST:8642/",
    "wget -qO- http://0.0.0.0:8642/metrics",
    "nc 127.0.0.1 8642",
    "cat < /dev/tcp/127.0.0.1/8642",
    "cat ~/.local/share/lineclear/keys/host.key",
    "cp /home/dev/.local/share/lineclear/secret /tmp/x",
    "rm -rf ~/.local/share",
    "echo x > ~/.local/share/lineclear/keys/host.key",
    "pkill lineclear",
    "pkill -f lineclear",
    "killall lineclear",
    "systemctl stop lineclear",
    "systemctl restart lineclear.service",
]


@pytest.mark.parametrize("command", DENIED)
@pytest.mark.parametrize("mode", ["default", "bypassPermissions"])
def test_a_command_that_reaches_lineclear_is_denied(command, mode):
    request = call("Bash", {"command": command}, permission_mode=mode)
    assert answer(request, ALL) == "deny deny_rule"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("WebFetch", {"url": "http://localhost:8642/v1/sessions", "prompt": "x"}),
        ("mcp__net__get", {"url": "http://127.0.0.1:8642/"}),
        ("Read", {"file_path": "/home/dev/.local/share/lineclear/keys/operator.key"}),
        ("Write", {"file_path": "~/.local/share/lineclear/x", "content": ""}),
    ],
)
def test_so_is_any_other_tool(tool, arguments):
    assert answer(call(tool, arguments), ALL) == "deny deny_rule"


@pytest.mark.parametrize(
    "command",
    [
        "lineclear check",
        "lineclear policy test policies/tests",
        "lineclear policy explain",
        "grep -rn lineclear docs",
        'echo "lineclear keys create"',
        "curl http://localhost:3000/health",
        "curl http://example.com:8642/",
        "git add lineclear",
        "pip install lineclear",
        "pkill node",
        "systemctl status lineclear",
    ],
)
def test_what_only_looks_alike_is_not(command):
    assert answer(call("Bash", {"command": command}), ALL) != "deny deny_rule"
