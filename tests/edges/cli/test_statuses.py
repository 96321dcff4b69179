"""How each verb ends: 0 nothing to report, 1 something was found, 2 it couldn't do its work; and it makes no database.

A pipeline that takes 1 for a finding must never get it for a file that isn't there; more of what is wrong with what
was typed is in ``test_first_use.py``.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from lineclear.cli import VERBS
from support.serving import environment

FOUND, FAILED = 1, 2

POLICIES = "version: 1\npermissions:\n  ask: ['Bash(git push *)']\n"
BROKEN = 'version: 1\npermissions:\n  deyn: ["Bash(wc *)"]\n'
CASE = """
id: a
title: a push asks
request: {tool_name: Bash, tool_input: {command: git push}}
expect: {verdict: %s}
why: it must
"""
CALL = b'{"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}}\n'


@pytest.fixture
def there(tmp_path, organisation):
    """A folder with policies that load and some that don't, cases that pass and fail, and a file of each kind."""
    organisation(POLICIES, "policies")
    organisation(POLICIES, "same")
    organisation("version: 1\n", "other")
    organisation(BROKEN, "broken")
    for name, text in {
        "passes.yaml": CASE % "ask",
        "fails.yaml": CASE % "allow",
        "empty.jsonl": "",
        "no-record.jsonl": '{"decision_id": "x"}\n',
        "calls.jsonl": '{"command": "ls"}\n',
        "no-calls.jsonl": "{}\n",
        "settings.json": '{"permissions": {"deny": ["Bash(rm *)"]}}',
        "no-settings.json": "{",
        "latin.json": b"\xe4".decode("latin-1"),
    }.items():
        (tmp_path / name).write_text(text, "latin-1" if name == "latin.json" else "utf-8")
    return tmp_path


ENDS = [
    ("analyze ls", 0),
    ("analyze --jsonl calls.jsonl", 0),
    ("analyze --jsonl no-calls.jsonl", FOUND),
    ("analyze --jsonl nowhere", FAILED),
    ("analyze", FAILED),
    ("analyze ls --policies nowhere", FAILED),
    ("analyze ls --policies broken", FAILED),
    ("check --policies broken", FAILED),
    ("config show", 0),
    ("config shew", FAILED),
    ("policy lint", 0),
    ("policy lint --policies broken", FOUND),
    ("policy lint --fail-on maybe", FAILED),
    ("policy test passes.yaml", 0),
    ("policy test fails.yaml", FOUND),
    ("policy test passes.yaml --policies broken", FAILED),
    ("policy explain ls", 0),
    ("policy explain ls --policies broken", FAILED),
    ("policy show", 0),
    ("policy show --policies broken", FAILED),
    ("policy show --versions", FAILED),
    ("policy schema", 0),
    ("policy diff policies same", 0),
    ("policy diff policies other", FOUND),
    ("policy diff policies broken", FAILED),
    ("policy import claude-code settings.json", 0),
    ("policy import claude-code no-settings.json", FAILED),
    ("policy import claude-code latin.json", FAILED),
    ("policy replay --file empty.jsonl", 0),
    ("policy replay --file no-record.jsonl --fail-on any", FAILED),
    ("policy replay", FAILED),
    ("report --file empty.jsonl", 0),
    ("report --file no-record.jsonl", FAILED),
    ("report --file empty.jsonl --since never", FAILED),
    ("report", FAILED),
    ("audit verify", FAILED),
    ("audit verify --file nowhere", FAILED),
    ("audit verify --former-secret nowhere", FAILED),
    ("audit checkpoint", FAILED),
    ("audit export", FAILED),
    ("db maintain", FAILED),
    ("db", FAILED),
    ("keys list", FAILED),
    ("keys revoke abc", FAILED),
    ("keys create --role host", FAILED),
    ("install nobody", FAILED),
    ("doctor nobody", FAILED),
    ("serve --policies nowhere", FAILED),
    ("serve --port many", FAILED),
    ("hook", FAILED),
    ("nothing", FAILED),
]


@pytest.mark.parametrize(("typed", "status"), ENDS, ids=[typed for typed, _ in ENDS])
def test_a_verb_ends(lineclear, there, typed, status):
    ended, out, err = lineclear(*typed.split(), stdin=b"")
    assert ended == status, out + err
    assert "Traceback" not in err
    assert not (there / "data" / "postgres").exists(), "nobody asked for a database"
    if status == FAILED:
        assert err or "Usage" in out


def test_each_verb_is_in_the_table():
    assert {typed.split()[0] for typed, _ in ENDS} - {"nothing"} == set(VERBS)


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize(
    "typed", ["keys list", "keys revoke abc", "db maintain", "report", "policy replay", "audit export"]
)
def test_who_looks_into_an_empty_folder_is_told_so(lineclear, tmp_path, typed):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "secret").write_text("x" * 32)
    (tmp_path / "data" / "secret").chmod(0o600)
    (status, _, err) = lineclear(*typed.split())
    assert status == FAILED
    assert f"there is no database in `{tmp_path / 'data'}`" in err
    assert "LINECLEAR_DATA_DIR" in err
    assert not (tmp_path / "data" / "postgres").exists()


@pytest.mark.parametrize(
    ("given", "status"),
    [(CALL, 0), (CALL + b"{}\n" + CALL, FOUND), (b"\xff\n", FOUND)],
    ids=["a call", "none", "no text"],
)
def test_a_check_ends(lineclear, given, status):
    assert lineclear("check", stdin=given)[0] == status


def test_a_request_that_is_none_is_no_finding(lineclear):
    assert lineclear("policy", "explain", stdin=b"{}")[0] == FAILED


@pytest.mark.parametrize("verb", VERBS)
def test_a_setting_at_fault_is_no_finding(lineclear, monkeypatch, verb):
    typed = {
        "analyze": ["ls"], "audit": ["verify"], "config": ["show"], "db": ["upgrade"], "keys": ["list"],
        "policy": ["show"], "install": ["codex"], "hook": ["codex"],
    }.get(verb, [])  # fmt: skip
    monkeypatch.setenv("LINECLEAR_PORT", "many")
    if verb != "doctor":  # it reads no settings: it starts what is installed
        assert lineclear(verb, *typed)[0] == FAILED


def test_a_fault_of_our_own_is_no_finding(lineclear, monkeypatch):
    def broken(name: str) -> None:
        raise RuntimeError(name)

    monkeypatch.setattr("lineclear.cli.import_module", broken)
    (status, _, err) = lineclear("check")
    assert status == FAILED
    assert "RuntimeError" in err


def test_a_reader_who_has_left_is_no_finding(tmp_path):
    """More than a pipe holds, so that it is the program itself that finds nobody there."""
    many = tmp_path / "calls.jsonl"
    many.write_text((json.dumps({"command": "ls " + "x" * 1000}) + "\n") * 400)
    with subprocess.Popen(
        [sys.executable, "-m", "lineclear", "analyze", "--jsonl", str(many)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(tmp_path, {}),
    ) as process:  # fmt: skip
        process.stdout.close()
        process.stderr.read()
    assert process.returncode == FAILED
