"""A program is denied however its word is spelled: by a pattern of file names, or by the place where it lies."""

from __future__ import annotations

import pytest

from support.judging import ENVIRONMENT, answer, call, in_bypass

DENIALS = """permissions:
  deny: ["Bash(git push *)", "Bash(acme *)", "Read(//srv/data/**)", "WebFetch(domain:evil.example)"]
"""
DENIED = {
    "one letter": "/usr/bin/g?t push",
    "a class of letters": "/usr/bin/gi[t] push",
    "a star": "/usr/bin/gi* push",
    "a star in the folder too": "/u*/b*/gi? push origin",
    "a wrapper": "/usr/bin/e?v A=b git push",
    "a shell": "/bin/[b]ash -c 'git push'",
    "a program that nobody described": "/opt/ac?e a",
    "a folder that is denied": "/srv/data/run",
    "a denied folder behind a wrapper": "timeout 5 /srv/data/run --fast",
    "a denied folder, by where it is entered": "cd /srv/data && ./run",
    "a host": "/usr/bin/cur? evil.example",
}


@pytest.mark.parametrize("command", DENIED.values(), ids=DENIED)
def test_what_runs_is_seen(command):
    assert in_bypass(command, DENIALS) == "deny deny_rule"


@pytest.mark.parametrize("command", ["/bin/r? -rf /", "/bin/r[m] -r ~", "/usr/bin/fin? / -delete"])
def test_what_it_destroys_is_seen(command):
    assert in_bypass(command) == "ask critical_path"


@pytest.mark.parametrize(
    "command",
    ["=git push", "sched +1 git push", "cat =/srv/data/a"],
)
@pytest.mark.parametrize("shell", ["zsh", None])
def test_what_zsh_runs_is_seen(command, shell):
    asked = call("Bash", {"command": command}, environment=ENVIRONMENT | {"shell": shell})
    assert answer(asked, f"version: 1\n{DENIALS}") == "deny deny_rule"


def test_a_pattern_that_many_programs_fit_is_too_much():
    many = "; ".join(f"/bin/?{letter}x a" for letter in "abcdefghijkl")
    assert answer(call("Bash", {"command": many}, permission_mode="default")) == "ask default_mode"
    assert in_bypass(many) == "ask unanalysable"


@pytest.mark.parametrize("command", ["./run.sh a", "scripts/build", "../tool/bin/x"])
def test_an_allow_rule_for_a_program_in_the_workspace_still_covers_it(command):
    allowed = f"version: 1\npermissions: {{allow: ['Bash({command})']}}\n"
    assert answer(call("Bash", {"command": command}), allowed) == "allow allow_rule"
