"""A change previewed on recorded decisions is what the service then decides: real calls, over HTTP, under both."""

from __future__ import annotations

import json
from collections import Counter
from itertools import cycle

import pytest
from benchmarks import given
from benchmarks.distribution import realinput

from lineclear.core.redact import redact

CORPORA = given.corpora()
COMMANDS = "shell_verdicts.jsonl"
BEFORE = """
version: 1
permissions:
  allow: ["Bash(npm *)", "Bash(git add *)", "Edit(/src/**)"]
  deny: ["Bash(rm -rf *)", "WebFetch(domain:*.example.com)"]
"""
AFTER = """
version: 1
permissions:
  allow: ["Bash(npm *)", "Edit(/src/**)", "Bash(docker *)"]
  deny: ["Bash(rm *)", "WebFetch(domain:*.example.com)", "Read(/etc/**)"]
  ask: ["Bash(find *)", "Bash(git * main)"]
rules:
  - {id: asked, effect: ask, command: ["curl *"], when: '"payments" in principal.groups'}
"""
TEAM = """
version: 1
applies_to: {groups: [payments]}
permissions: {deny: ["Bash(grep *)", "Read(/src/app.py)"]}
"""
SAMPLE, MANY, MOST_AT_ONCE = 150, 3000, 64
pytestmark = pytest.mark.skipif(
    not (CORPORA / COMMANDS).exists(), reason=f"no corpora in {CORPORA} (LINECLEAR_CORPORA)"
)


def calls(most):
    """Calls of the corpora in which nothing is a secret, each in a session of its own; commands in mode after mode."""
    modes = cycle(("default", "acceptEdits", "auto", "dontAsk"))
    commands = [json.loads(line)["command"] for line in (CORPORA / COMMANDS).read_text().splitlines()]
    bodies = [
        {
            "tool_name": "Bash",
            "tool_input": {"command": command},
            "permission_mode": mode,
            "cwd": "/work/repo",
            "environment": realinput.ENVIRONMENT,
        }
        for command, mode in zip(commands, modes, strict=False)
        if 0 < len(command) < 5000
    ]
    bodies += [asked.body for asked in realinput.all_requests(CORPORA)]
    clean = [body for body in bodies if redact(body)[1] == () and body.get("tool_input")]
    chosen = clean[:: max(1, len(clean) // most)]
    return [body | {"session_id": f"s-{number}", "tool_use_id": f"t-{number}"} for number, body in enumerate(chosen)]


@pytest.fixture
def folder(tmp_path):
    """Makes a folder of policies."""

    def make(name, organisation, team=None):
        for path, text in (("organisation/a.yaml", organisation), ("teams/payments/a.yaml", team)):
            if text is not None:
                (tmp_path / name / path).parent.mkdir(parents=True)
                (tmp_path / name / path).write_text(text)
        return str(tmp_path / name)

    return make


def answered(running, key, bodies):
    """The verdict of each call by a service."""
    verdicts = []
    with running.client(None) as client:
        client.headers["authorization"] = f"Bearer {key}"
        for first in range(0, len(bodies), MOST_AT_ONCE):
            some = {"decisions": bodies[first : first + MOST_AT_ONCE]}
            results = client.post("/v1/decisions/batch", json=some).raise_for_status().json()["results"]
            verdicts += [result["verdict"] for result in results]
    return verdicts


@pytest.mark.parametrize("most", [SAMPLE, pytest.param(MANY, marks=pytest.mark.slow)])
def test_flips_are_what_the_new_policy_answers(start, lineclear, folders, folder, most):
    before, after = folder("before", BEFORE), folder("after", AFTER, TEAM)
    bodies, found, recorded = calls(most), [], folders()
    for place, policies in ((recorded, before), (folders(), after)):
        running = start("--port", "0", "--policies", policies, data=place)
        made = ("keys", "create", "--role", "host", "--principal", "p", "--group", "payments")
        key = lineclear(*made, data=place).stdout.split()[-1]
        found.append(answered(running, key, bodies))
        assert running.end() == 0
    flips = Counter(pair for pair in zip(*found, strict=True) if pair[0] != pair[1])
    assert len(flips) >= 3

    replay = ("policy", "replay", "--policies", after, "--since", "1h", "--output", "json")
    for more in (("--before", before), ()) if most == MANY else (("--before", before),):
        done = lineclear(*replay, *more, data=recorded)
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        assert (told["replayed"], told["inexact"]) == (len(bodies), 0)
        assert {(way["before"], way["after"]): way["count"] for way in told["ways"]} == flips
