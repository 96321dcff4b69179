"""Whatever changes the shell's directory moves what follows, and may have failed; a default counts as a value."""

from __future__ import annotations

import pytest

from support.judging import in_bypass, in_mode

PERMISSIONS = 'permissions: {deny: ["Bash(git push --force *)"]}'
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


@pytest.mark.parametrize("command", PROTECTED)
def test_a_protected_path_is_a_question(command):
    assert in_bypass(command, PERMISSIONS) == "ask protected_path"


@pytest.mark.parametrize("command", DENIED)
def test_what_a_substitution_prints_is_a_word(command):
    assert in_bypass(command, PERMISSIONS) == "deny deny_rule"


@pytest.mark.parametrize("command", OUTSIDE)
def test_a_change_that_may_have_failed_leaves_the_old_directory(command):
    assert in_mode("acceptEdits", command).startswith("ask")


@pytest.mark.parametrize("command", INSIDE)
def test_one_that_has_succeeded_does_not(command):
    assert in_mode("acceptEdits", command) == "allow workspace_edit"
