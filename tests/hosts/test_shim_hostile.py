"""The shim in hostile surroundings: it ends in time, and never with a status that hosts take for a go-ahead."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time

import pytest

from lineclear.hosts.setup.canaries import Outcome
from support.shim import made_of, run, words

NOWHERE = ("--socket", "/nonexistent")
CALL = {"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}}


@pytest.fixture
def key(tmp_path):
    (tmp_path / "key").write_text("lck_x\n")
    return tmp_path / "key"


@pytest.fixture
def down(key):
    return (*NOWHERE, "--key-file", key, "--fail", "block")


@pytest.mark.parametrize("closed", ["<&-", ">&-", ">&- 2>&-", ">/dev/full", ">/dev/full 2>/dev/full"])
@pytest.mark.parametrize("fail", ["ask", "block"])
def test_without_a_stream_it_ends_with_the_status_that_blocks(key, closed, fail):
    command = " ".join(words("claude-code", *NOWHERE, "--key-file", key, "--fail", fail))
    sent = json.dumps(CALL).encode()
    ended = subprocess.run(["/bin/sh", "-c", f"{command} {closed}"], input=sent, capture_output=True, check=False)
    asked = closed == "<&-" and fail == "ask"  # what was written could be read
    assert ended.returncode == (0 if asked else 2)
    assert ended.stdout if asked else "2>" in closed or ended.stderr


def test_nobody_reads_the_answer(key):
    reading, writing = os.pipe()
    os.close(reading)
    ended = run(
        "claude-code", *NOWHERE, "--key-file", key, stdout=writing, stderr=subprocess.PIPE, capture_output=False
    )
    os.close(writing)
    assert (ended.returncode, b"no verdict" in ended.stderr) == (2, True)


FOLDERS = {
    "two slashes": "//",
    "below two slashes": "//nope/a",
    "endless": "/a" * 4_000_000,
    "nothing": "",
    "NUL": "/\0",
}


@pytest.mark.parametrize("folder", FOLDERS.values(), ids=FOLDERS)
def test_a_folder_that_is_none_costs_no_time(down, folder):
    began = time.monotonic()
    assert made_of(run("codex", *down, payload=json.dumps({**CALL, "cwd": folder}))) is Outcome.DENIED
    assert time.monotonic() - began < 5


MANY = {
    "one path": ["a/b"] * 1_000_000,
    "options": ["-x"] * 1_000_000,
    "a long text": "y/ " * 4_000_000,
    "keys": {f"k{number}": "a/b" for number in range(300_000)},
}


@pytest.mark.parametrize("given", MANY.values(), ids=MANY)
def test_what_a_model_wrote_costs_little_time(down, given):
    """Hosts without a setting that blocks let a call go ahead whose hook takes too long."""
    payload = json.dumps({**CALL, "cwd": "/tmp", "tool_input": given})
    began = time.monotonic()
    assert made_of(run("codex", *down, payload=payload)) is Outcome.DENIED
    assert time.monotonic() - began < 5


def test_a_payload_that_never_ends_is_answered_in_time(down):
    process = subprocess.Popen(
        words("codex", *down, "--timeout", "0.3"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdin.write(b'{"cwd":')
    process.stdin.flush()
    assert process.wait(10) == 2
    assert b"in time" in process.stderr.read()
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=str)
def test_one_that_is_stopped_blocks(down, number):
    """Any program of the same user may do that; only of a kill nothing can be told."""
    with subprocess.Popen(words("codex", *down), stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdin.write(b'{"cwd":')
        process.stdin.flush()
        time.sleep(0.5)
        process.send_signal(number)
        assert process.wait(10) == 2
        assert b"was stopped" in process.stderr.read()


def test_its_alarm_rings_where_the_host_has_blocked_it(down):
    def deaf():
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])

    reading, writing = os.pipe()
    hurried = words("codex", *down, "--timeout", "0.3")
    ended = subprocess.run(hurried, stdin=reading, capture_output=True, timeout=10, preexec_fn=deaf, check=False)
    os.close(reading)
    os.close(writing)
    assert (ended.returncode, b"in time" in ended.stderr) == (2, True)


ENVIRONMENTS = {
    "none": {},
    "no home": {"PATH": "/bin"},
    "a home that is no text": {"HOME": os.fsdecode(b"/tmp/\xff\xfe")},
    "huge": {f"A{number}": "x" * 100_000 for number in range(15)},
    "Python's": {"PYTHONHOME": ".", "PYTHONPATH": ".", "PYTHONSTARTUP": "json.py", "PYTHONINSPECT": "1"},
    "encodings": {"PYTHONIOENCODING": "utf-16", "LC_ALL": "tr_TR.ISO-8859-9", "PYTHONUTF8": "0"},
    "proxies": {"http_proxy": "http://127.0.0.1:1", "ALL_PROXY": "socks5://127.0.0.1:1"},
    "git's": {"GIT_DIR": "/nonexistent", "GIT_CONFIG_PARAMETERS": "'core.pager'='x'"},
}


@pytest.mark.parametrize("environment", ENVIRONMENTS.values(), ids=ENVIRONMENTS)
def test_no_environment_and_no_folder_changes_the_answer(down, tmp_path, environment):
    for module in ("json", "os", "_json", "_socket", "posixpath", "sitecustomize", "lineclear_hook"):
        (tmp_path / f"{module}.py").write_text("raise SystemExit(0)\n")
    ended = run("codex", *down, cwd=tmp_path, env=environment)
    assert made_of(ended) is Outcome.DENIED
    assert b"can't be reached" in ended.stderr


@pytest.mark.parametrize("fail", ["ask", "open"])
@pytest.mark.parametrize(
    "payload", ['{"a":' * 90_000 + "1" + "}" * 90_000, '{"tool_input": {"command": "ls"}'], ids=len
)
def test_what_a_model_can_make_unreadable_nobodys_choice_lets_pass(key, payload, fail):
    assert made_of(run("claude-code", "--key-file", key, "--fail", fail, payload=payload)) is Outcome.DENIED


HALF = '{"type":"event_msg","payload":{"type":"user_message","message":"go"}}\n'


@pytest.mark.parametrize("end", ['{"type":"user_message","a":"b', '{"type":"user_message",', '{"type":"user_message"]'])
def test_a_transcript_that_is_half_written_stops_no_call(tmp_path, key, end):
    (tmp_path / "transcript").write_text(HALF + end)
    payload = json.dumps({**CALL, "cwd": "/", "transcript_path": str(tmp_path / "transcript")})
    ended = run("codex", *NOWHERE, "--key-file", key, payload=payload)
    assert b"can't be reached" in ended.stderr, "it came as far as asking"
