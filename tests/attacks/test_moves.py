"""Whatever changes the shell's directory moves what follows, and may have failed; a default counts as a value."""

from __future__ import annotations

import pytest

from support.judging import answer, call

ORGANISATION = """version: 1
modes: {allowed: [default, plan, acceptEdits, auto, dontAsk, bypassPermissions]}
permissions: {deny: ["Bash(git push --force *)"]}
"""
PROTECTED = [
    "command cd .git && cp ../x config",
    "builtin cd .git && cp ../x config",
    "builtin cd .git; cp ../x config",
    "eval 'cd .git' && cp ../x config",
    "eval cd .git; cp ../x config",
    "command pushd .git && cp ../x config",
    "cp x ${x:-.git}/config",
    "cp x ${x-.git}/config",
    "cp x ${x:+.git}/config",
    'cp x "${x:-.git}/config"',
    "cat $(echo .env)",
    "cat `echo .env`",
    'cat "$(printf %s .env)"',
    "cp x $(printf .git)/config",
    "cp x $(echo a .git)/config",
]
DENIED = ["git $(echo push) -f", "git push $(echo -f)", 'git push "$(printf %s -f)"', "git $(echo push -f)"]
OUTSIDE = [
    "{ cd src/a/b; :; } && touch ../../../x",
    "{ cd src/a/b; :; } 2>/dev/null && touch ../../../x",
    "if cd src/a/b; then :; fi && touch ../../../x",
    "(cd src/a/b) && touch ../x",
]
INSIDE = ["cd src/a/b && touch ../../../x", "cd src/a/b 2>/dev/null && touch ../../../x", "{ cd src; } && touch x"]


def judged(command, mode):
    return answer(call("Bash", {"command": command}, permission_mode=mode), ORGANISATION)


@pytest.mark.parametrize("command", PROTECTED)
def test_a_protected_path_is_a_question(command):
    assert judged(command, "bypassPermissions") == "ask protected_path"


@pytest.mark.parametrize("command", DENIED)
def test_what_a_substitution_prints_is_a_word(command):
    assert judged(command, "bypassPermissions") == "deny deny_rule"


@pytest.mark.parametrize("command", OUTSIDE)
def test_a_change_that_may_have_failed_leaves_the_old_directory(command):
    assert judged(command, "acceptEdits").startswith("ask")


@pytest.mark.parametrize("command", INSIDE)
def test_one_that_has_succeeded_does_not(command):
    assert judged(command, "acceptEdits") == "allow workspace_edit"
