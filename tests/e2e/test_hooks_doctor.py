"""`install`, `doctor` and `hook` as a person types them: tried against a service that is there, and one that is not."""

from __future__ import annotations

import json
import stat

import pytest

from lineclear.hosts.registry import HOSTS


@pytest.fixture
def typed(lineclear, service, tmp_path, monkeypatch):
    """Types a verb in a home of its own."""
    monkeypatch.setenv("HOME", str(tmp_path))

    def run(*words: str, stdin: str = "", port: str | None = None):
        port = port or service.url.rpartition(":")[2]
        return lineclear(*words, data=service.data, cwd=tmp_path, stdin=stdin, port=port)

    return run


@pytest.mark.parametrize("host", HOSTS)
def test_switched_on_seen_to_work_and_off_again(typed, host, tmp_path):
    assert "wrote" in typed("install", host).stdout
    assert typed("install", host).stdout.startswith("it is set up already")
    seen = typed("doctor", host)
    assert seen.returncode == 0, seen.stdout + seen.stderr
    assert "a call that must be denied: denied" in seen.stdout
    assert "a call that may pass: goes on" in seen.stdout
    down = "asked" if HOSTS[host].abilities.can_ask else "denied"
    assert f"the service down: {down}" in seen.stdout
    assert typed("install", host, "--uninstall").returncode == 0
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_key_of_its_own_that_only_its_user_reads(typed, service):
    typed("install", "codex")
    file = service.data / "keys" / "host-codex.key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert ":codex" in typed("keys", "list").stdout


def test_print_writes_nothing(typed, tmp_path):
    shown = typed("install", "claude-code", "--print").stdout
    assert '"onFailure": "block"' in shown
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_what_was_not_set_up_is_said(typed):
    seen = typed("doctor", "codex")
    assert seen.returncode == 1
    assert "lineclear install codex" in seen.stderr


def test_a_hook_that_lets_all_pass_is_found_out(typed):
    typed("install", "claude-code", "--fail", "open", port="9")
    seen = typed("doctor", "claude-code")
    assert seen.returncode == 1
    assert "a call that must be denied: goes on  <- NOT AS IT SHOULD BE" in seen.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("install", "nobody"),
        ("install", "codex", "--scope", "managed"),
        ("install", "codex", "--http"),
        ("install", "claude-code", "--fail", "maybe"),
        ("doctor", "nobody"),
    ],
    ids=" ".join,
)
def test_what_there_is_not(typed, words):
    ended = typed(*words)
    assert ended.returncode == 2
    assert ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_broken_configuration_is_left_alone(typed, tmp_path):
    file = tmp_path / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text('{"hooks": [}')
    ended = typed("install", "claude-code")
    assert ended.returncode == 2
    assert "settings.json: line 1" in ended.stderr
    assert file.read_text() == '{"hooks": [}'


def test_the_shim_by_name(typed, service):
    call = {"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": "/"}
    payload = json.dumps(call | {"tool_input": {"command": "lineclear keys list"}})
    key = str(service.data / "keys" / "host.key")
    for words in (("--url", service.url, "--key-file", key), ()):
        ended = typed("hook", "claude-code", *words, stdin=payload)
        assert json.loads(ended.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"
