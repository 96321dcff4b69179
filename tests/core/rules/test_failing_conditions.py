"""A condition that can't be told of a call is named with its rule, if all else of the rule holds."""

from __future__ import annotations

import pytest

from support.rulings import policy, shell

MISSING = "context.ticket == 'x'"


def failing(rule, command="git push", *, suspended=False):
    by = policy(rules=[{"id": "r", "command": ["git push *"], **rule}])
    return [one.name for one in by.rules.failing(shell(by, command), suspended=suspended)]


@pytest.mark.parametrize("effect", ["deny", "ask", "allow"])
def test_what_cant_be_told_is_named(effect):
    assert failing({"effect": effect, "when": MISSING}) == ["organisation:r"]


@pytest.mark.parametrize("when", ["true", "false", "call.tool == 'Bash'", "has(context.ticket)"])
@pytest.mark.parametrize("effect", ["deny", "allow"])
def test_what_can_be_told_is_not(effect, when):
    assert failing({"effect": effect, "when": when}) == []


@pytest.mark.parametrize("effect", ["deny", "allow"])
def test_a_rule_of_which_something_else_misses_was_never_asked(effect):
    assert failing({"effect": effect, "when": MISSING}, "git pull") == []
    assert failing({"effect": effect, "when": MISSING, "tools": ["Agent"]}) == []


def test_a_number_that_overflows_and_kinds_that_cant_be_compared_fail():
    for when in (
        "call.input.command > 3",
        "9223372036854775807 + call.paths.size() + 1 > 0",
        "call.input.no.such == 1",
    ):
        assert failing({"effect": "deny", "when": when}) == ["organisation:r"]


def test_what_is_on_trial_or_unconditional_never_fails():
    assert failing({"effect": "deny", "when": MISSING, "dry_run": True}) == []
    assert failing({"effect": "deny"}) == []


def test_a_suspended_allowance_was_never_asked():
    rule = {"effect": "allow", "command": ["make *"], "when": MISSING}
    assert failing(rule, "make x") == ["organisation:r"]
    assert failing(rule, "make x", suspended=True) == []
