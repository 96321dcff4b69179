"""What is remembered of a call never speaks for one that differs from it in anything that a verdict depends on."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

import pytest

from lineclear.core.breaker import Breaker, OpenedBy
from lineclear.core.call import Agent, Dialect, Key, Platform, Principal, Role
from lineclear.core.checks import Undecided
from lineclear.core.modes import Mode
from lineclear.core.own import Own
from lineclear.core.standing import Grant, Scope, Shown
from lineclear.engine import remembered
from lineclear.engine.judge import Past, judge
from lineclear.engine.remembered import Remembered
from lineclear.wire.request import from_mapping
from support.rulings import policy

OWN, TODAY = Own(), date(2026, 6, 1)
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
HOST = Key("k", Role.HOST, Principal("p", frozenset({"crew"})))
RULES = [
    {"id": "main-only", "effect": "allow", "command": ["deploy *"], "agent": {"main": True}},
    {"id": "in-edits", "effect": "allow", "command": ["tidy *"], "modes": ["acceptEdits"]},
    {"id": "till-june", "effect": "allow", "command": ["publish *"], "expires": "2026-06-01"},
    {"id": "secrets", "effect": "deny", "path": ["//vault/**"]},
]
POLICY = policy(rules=RULES)


def asked(command="deploy x", **more):
    surroundings = {"workspace_roots": ["/work/repo"], "home": "/home/dev", "platform": "linux", "shell": "bash"}
    return from_mapping(
        {
            "session_id": "s",
            "tool_name": "Bash",
            "tool_input": {"command": command},
            "cwd": "/work/repo",
            "environment": surroundings | {"repository_trusted": True},
            "agent": {"host": "claude-code", "type": "main"},
        }
        | more
    )


def around(stated, **changed):
    return replace(stated, environment=replace(stated.environment, **changed))


def judged(stated, recall=None, key=HOST, by=POLICY, today=TODAY, past=None):
    more = {} if recall is None else {"recall": recall}
    return judge(stated, key, by, OWN, today, past, now=NOW, **more)


DEPLOY, TIDY, CAT, WRITE = asked(), asked("tidy x"), asked("cat link/a"), asked("echo a > b")
DIFFER = {
    "another command": (DEPLOY, asked("deploy y; rm -rf /")),
    "true and one": (asked(tool_input={"command": "ls", "a": 1}), asked(tool_input={"command": "ls", "a": True})),
    "another tool": (DEPLOY, asked(tool_name="mcp__s__Bash")),
    "a sub-agent": (DEPLOY, replace(DEPLOY, agent=Agent("claude-code", None, "sub-agent", None))),
    "another host": (DEPLOY, replace(DEPLOY, agent=Agent("gemini-cli", None, "main", None))),
    "another mode": (replace(TIDY, mode=Mode.ACCEPT_EDITS), TIDY),
    "plan": (DEPLOY, replace(DEPLOY, mode=Mode.PLAN)),
    "nobody to ask": (TIDY, replace(TIDY, interactive=False)),
    "not an allowed tool": (DEPLOY, replace(DEPLOY, allowed_tools=("Read",))),
    "a link to what is denied": (CAT, around(CAT, real_paths={"/work/repo/link/a": "/vault/a"})),
    "not trusted": (replace(WRITE, mode=Mode.ACCEPT_EDITS), around(WRITE, repository_trusted=False)),
    "another directory": (CAT, replace(asked("cat link/a", cwd="/vault"))),
    "other roots": (WRITE, around(WRITE, roots=("/elsewhere",))),
    "another home": (asked("cat ~/a"), around(asked("cat ~/a"), home="/vault")),
    "another platform": (DEPLOY, around(DEPLOY, platform=Platform.WINDOWS)),
    "another shell": (DEPLOY, around(DEPLOY, dialect=Dialect.POWERSHELL)),
}


@pytest.mark.parametrize(("first", "second"), DIFFER.values(), ids=DIFFER)
@pytest.mark.parametrize("turned", [False, True], ids=["", "turned"])
def test_a_call_that_differs_is_judged_for_what_it_is(first, second, turned):
    first, second = (second, first) if turned else (first, second)
    recall = Remembered()
    judged(first, recall)
    assert judged(second, recall) == judged(second)


@pytest.mark.parametrize("first", [pair[1] for pair in DIFFER.values()], ids=DIFFER)
def test_the_same_call_again_is_judged_alike_and_keeps_its_own_names(first):
    recall = Remembered()
    judged(first, recall)
    again = replace(first, session_id="another", tool_use_id="later")
    assert judged(again, recall) == judged(again)
    assert judged(again, recall).facts.call.tool_use_id == "later"


def test_what_is_left_to_a_model_carries_the_facts_of_its_own_session():
    stated = replace(asked("unheard-of x"), mode=Mode.AUTO)
    recall, past = Remembered(), Past(started_at=NOW - timedelta(hours=1))
    judged(stated, recall)
    again = judged(stated, recall, past=past)
    assert isinstance(again.outcome, Undecided)
    assert again.outcome.facts == again.facts
    assert again.facts.age == timedelta(hours=1)


def _grant(stated):
    return Grant(
        uuid4(), judged(stated).fingerprint, Scope.ONCE, frozenset({Shown("default_mode", None, "unheard-of x")})
    )


@pytest.mark.parametrize("mode", [Mode.AUTO, Mode.DEFAULT])
def test_what_a_session_holds_counts_over_what_is_remembered(mode):
    stated = replace(asked("unheard-of x"), mode=mode)
    grant = _grant(stated)
    recall = Remembered()
    judged(stated, recall)
    for past in (
        Past(breaker=Breaker(3, 3, OpenedBy.CONSECUTIVE, 1)),
        Past(grants={grant.fingerprint: grant}),
        Past(denied={"anything": True}),
    ):
        assert judged(stated, recall, past=past) == judged(stated, past=past)
    assert judged(stated, recall) == judged(stated)


def test_another_day_another_policy_and_another_principal_are_told_apart():
    recall, stated = Remembered(), asked("publish x")
    for today, by in ((TODAY, POLICY), (TODAY + timedelta(1), POLICY), (TODAY, policy(rules=[])), (TODAY, POLICY)):
        assert judged(stated, recall, today=today, by=by) == judged(stated, today=today, by=by)
    agent = Key("a", Role.AGENT, Principal("p"))
    assert judged(DEPLOY, recall, key=agent) == judged(DEPLOY, key=agent)


def test_a_condition_is_asked_each_time():
    rule = {"id": "c", "effect": "deny", "command": ["deploy *"], "when": "session.id == 'second' || has(context.no)"}
    by, recall = policy(rules=[rule]), Remembered()
    for stated in (DEPLOY, replace(DEPLOY, session_id="second"), replace(DEPLOY, context={"no": 1}), DEPLOY):
        assert judged(stated, recall, by=by) == judged(stated, by=by)
    assert judged(replace(DEPLOY, session_id="second"), recall, by=by).outcome.verdict.value == "deny"


def test_what_is_remembered_is_bounded(monkeypatch):
    monkeypatch.setattr(remembered, "MOST_CALLS", 3)
    recall = Remembered()
    for number in range(10):
        judged(asked(f"ls {number}"), recall)
    assert len(recall._calls) == 3
    monkeypatch.setattr(remembered, "MOST_CHARS", 100)
    judged(asked("ls 11"), recall)
    assert 0 < recall._chars <= 100
    judged(asked("ls " + "a" * remembered.LONGEST_CHARS), recall)
    judged(replace(asked("ls 12"), allowed_tools=("Bash", "a" * remembered.LONGEST_CHARS)), recall)
    assert len(recall._calls) <= 3
    assert recall._chars <= 100
