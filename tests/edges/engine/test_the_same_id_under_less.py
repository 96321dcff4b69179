"""A stored decision answers for its ``tool_use_id`` only where the checks wouldn't be stricter by now."""

from __future__ import annotations

import pytest

from support.desks import ALLOW, UNSURE, said

EDIT = {"file_path": "/work/repo/a", "content": "a"}
ROOTS = {"workspace_roots": ["/work/repo"], "repository_trusted": True, "home": "/home/dev", "platform": "linux"}
GIVEN = {"tool_name": "Write", "tool_use_id": "t-1", "permission_mode": "acceptEdits", "environment": ROOTS}

LESS = {
    "a stricter mode": ({}, {"permission_mode": "default"}),
    "a plan": ({}, {"permission_mode": "plan"}),
    "fewer roots": ({}, {"environment": ROOTS | {"workspace_roots": ["/work/repo/b"]}}),
    "fewer tools": ({}, {"allowed_tools": ["Read"]}),
    "nobody to ask": ({"permission_mode": "default"}, {"permission_mode": "default", "interactive": False}),
    "a question for a model": ({}, {"permission_mode": "auto"}),
}


@pytest.mark.parametrize(("first", "then"), LESS.values(), ids=LESS.keys())
async def test_under_less_a_call_is_decided_anew(opened, first, then):
    desk = opened(UNSURE, UNSURE)
    before = await desk.decide(EDIT, **(GIVEN | first))
    after = await desk.decide(EDIT, **(GIVEN | then))
    alone = await desk.decide(EDIT, **(GIVEN | then | {"tool_use_id": "t-2"}))
    assert said(after) == said(alone) != said(before)
    assert not after["replayed"]


async def test_under_more_the_stored_decision_stays(opened):
    desk = opened()
    assert (await desk.decide(EDIT, **(GIVEN | {"permission_mode": "default"})))["verdict"] == "ask"
    again = await desk.decide(EDIT, **GIVEN)
    assert (again["verdict"], again["replayed"]) == ("ask", True)


async def test_roots_that_another_call_narrowed_hold_for_a_call_that_comes_again(opened):
    desk = opened()
    assert said(await desk.decide(EDIT, **GIVEN)) == "allow workspace_edit"
    narrow = {"environment": ROOTS | {"workspace_roots": ["/work/repo/b"]}}
    await desk.decide({"command": "ls"}, **narrow)
    assert said(await desk.decide(EDIT, **GIVEN)) == "ask default_mode"


async def test_what_a_model_allowed_is_given_again(opened):
    desk = opened(ALLOW)
    first, again = [await desk.decide(EDIT, **(GIVEN | {"permission_mode": "auto"})) for _ in range(2)]
    assert (again["code"], again["replayed"]) == ("classifier_allow", True)
    assert again["decision_id"] == first["decision_id"]
