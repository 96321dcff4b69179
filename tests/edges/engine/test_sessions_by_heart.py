"""A call that is allowed on what is remembered of its session isn't looked up; whatever else there may be, is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import pytest

from lineclear.core.course import Answer
from lineclear.core.standing import Scope
from lineclear.engine import familiar
from lineclear.engine.familiar import Familiar
from lineclear.engine.log import Session
from lineclear.engine.remembered import Remembered
from support.desks import HARD, HOST, OPERATOR, Desk, desk, said

EDITS = {"permission_mode": "acceptEdits"}
ROOTS = {"workspace_roots": ["/work/repo"], "repository_trusted": True, "home": "/home/dev", "platform": "linux"}


@dataclass
class Watched:
    """A log that counts how often it is looked into."""

    log: Any
    looks: int = 0

    def __getattr__(self, name):
        return getattr(self.log, name)

    async def known(self, *call):
        self.looks += 1
        return await self.log.known(*call)


@pytest.fixture(params=["memory", "postgres"])
def here(request) -> Desk:
    made = desk(None if request.param == "memory" else request.getfixturevalue("database"), [HARD])
    made.engine = replace(made.engine, log=Watched(made.engine.log))
    return made


def elsewhere(here: Desk) -> Desk:
    """Another replica, which remembers nothing."""
    return replace(here, engine=replace(here.engine, familiar=Familiar(), recall=Remembered()))


async def test_the_second_call_is_not_looked_up(here):
    assert await here.run("ls", tool_use_id="t-1") == "allow read_only_command"
    before = here.engine.log.looks
    assert await here.run("cat README.md", tool_use_id="t-2") == "allow read_only_command"
    assert await here.run("ls") == "allow read_only_command"
    assert here.engine.log.looks == before


async def test_what_is_not_allowed_is(here):
    await here.run("ls", permission_mode="default")
    before = here.engine.log.looks
    assert await here.run("make", permission_mode="default") == "ask default_mode"
    assert await here.run("cat .env", permission_mode="default") == "ask protected_path"
    assert here.engine.log.looks == before + 2


async def test_roots_that_another_replica_narrowed_count(here):
    other, edit = elsewhere(here), {"file_path": "/work/repo/b/x", "content": "a"}
    wide = {"environment": ROOTS, **EDITS}
    narrow = {"environment": ROOTS | {"workspace_roots": ["/work/repo/a"]}, **EDITS}
    assert said(await here.decide(edit, tool_name="Write", **wide)) == "allow workspace_edit"
    assert said(await here.decide(edit, tool_name="Write", **wide)) == "allow workspace_edit"
    await other.decide({"command": "ls"}, **narrow)
    assert said(await here.decide(edit, tool_name="Write", **wide)) == "ask default_mode"
    assert said(await other.decide(edit, tool_name="Write", **wide)) == "ask default_mode"


async def test_a_call_that_another_replica_decided_is_replayed(here):
    other = elsewhere(here)
    await here.run("ls", tool_use_id="t-1")
    first = await other.decide({"command": "cat a"}, tool_use_id="t-2")
    again = await here.decide({"command": "cat a"}, tool_use_id="t-2")
    assert (again["decision_id"], again["replayed"]) == (first["decision_id"], True)


async def test_the_same_call_again_is_replayed_here(here):
    first = await here.decide({"command": "ls"}, tool_use_id="t-1")
    again = await here.decide({"command": "ls"}, tool_use_id="t-1")
    assert (again["decision_id"], again["replayed"]) == (first["decision_id"], True)


async def test_a_grant_that_was_given_elsewhere_is_found(here):
    await here.run("ls", permission_mode="default")
    asked = await here.decide(permission_mode="default")
    await elsewhere(here).answers.answer(UUID(asked["decision_id"]), Answer.APPROVED, Scope.SESSION, OPERATOR)
    assert said(await here.decide(permission_mode="default")) == "allow human_grant"


async def test_a_hard_denial_that_was_told_elsewhere_counts(here):
    await here.run("ls")
    assert said(await elsewhere(here).decide()) == "deny classifier_block"
    assert said(await here.decide()) == "deny repeated_denial"


async def test_what_an_answer_says_of_the_breaker_is_true(here):
    await here.run("ls")
    await elsewhere(here).decide()
    assert (await here.decide({"command": "ls"}, key=HOST))["breaker"]["total"] == 1


def a_session(number=0, **more):
    return Session(("p", f"s-{number}"), None, ("/work",), 0, None, **more)


def test_what_is_remembered_is_bounded(monkeypatch):
    monkeypatch.setattr(familiar, "MOST_SESSIONS", 3)
    monkeypatch.setattr(familiar, "MOST_CALLS", 3)
    kept = Familiar()
    for number in range(9):
        kept.met(a_session(number), f"t-{number}")
    assert (len(kept._sessions), len(kept._calls)) == (3, 3)
    assert kept.session(("p", "s-8"), None) == a_session(8)
    assert kept.session(("p", "s-8"), "t-8") is None
    kept.met(replace(a_session(8), roots=("/" + "a" * 5000,)), None)
    assert kept.session(("p", "s-8"), None) is None
