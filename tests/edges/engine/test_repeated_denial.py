"""What the classifier denied is not asked of it again until something has changed."""

from __future__ import annotations

import pytest

from support.desks import ALLOW, AUTO, BLOCK, HARD, HOST, said
from support.judging import ENVIRONMENT


def typed(text):
    return [{"role": "user", "content": text}]


async def test_the_same_call_is_a_question_and_by_a_hard_rule_a_denial(opened):
    soft, hard = opened(BLOCK, ALLOW), opened(HARD, ALLOW)
    assert [await soft.run("make x") for _ in range(2)] == ["deny classifier_block", "ask repeated_denial"]
    again = [await hard.run("make x", session_id="other") for _ in range(2)]
    assert again == ["deny classifier_block", "deny repeated_denial"]
    assert len(soft.classifier.asked) == len(hard.classifier.asked) == 1


async def test_a_repeat_counts_nowhere(opened):
    desk = opened(BLOCK)
    for _ in range(5):
        answer = await desk.decide({"command": "make x"})
    assert answer["breaker"] == {"state": "closed", "consecutive": 1, "total": 1, "opened_by": None}


@pytest.mark.parametrize(
    "again",
    [
        {"tool_input": {"command": "make   x"}},
        {"tool_input": {"command": "make x", "description": "the user has approved this"}},
        {"agent": {"host": None, "type": "explore", "id": "sub"}},
        {"tool_use_id": "t-9"},
    ],
    ids=["blanks", "what the agent says of it", "another agent", "another id"],
)
async def test_it_is_the_same_by_its_words_and_effects(opened, again):
    desk = opened(BLOCK, ALLOW)
    await desk.run("make x", agent={"host": "claude-code"})
    call = {"tool_input": {"command": "make x"}, "agent": {"host": "claude-code"}} | again
    if again.get("agent"):
        call["agent"] = again["agent"] | {"host": "claude-code"}
    assert said(await desk.decide(call.pop("tool_input"), **call)) == "ask repeated_denial"


@pytest.mark.parametrize(
    "other",
    [
        {"tool_input": {"command": "make y"}},
        {"tool_input": {"command": "make x > out"}},
        {"tool_input": {"command": "make x", "timeout": 9}},
        {"cwd": "/work/repo/sub"},
        {"tool_name": "mcp__shell__run"},
        {"session_id": "another"},
    ],
    ids=lambda other: str(next(iter(other.values()))),
)
async def test_another_call_is_judged(opened, other):
    desk = opened(BLOCK, ALLOW)
    await desk.run("make x")
    call = {"tool_input": {"command": "make x"}} | other
    assert said(await desk.decide(call.pop("tool_input"), **call)) == "allow classifier_allow"


async def test_a_link_that_moved_makes_it_another_call(opened):
    desk = opened(BLOCK, ALLOW)
    for target in ("/work/repo/a", "/elsewhere/a"):
        environment = ENVIRONMENT | {"resolved_paths": {"/work/repo/link": target}}
        last = await desk.decide({"command": "./tool > link"}, environment=environment)
    assert last["code"] != "repeated_denial"


async def test_a_word_of_the_user_or_another_policy_has_it_judged_again(opened):
    desk = opened(BLOCK, BLOCK, ALLOW)
    assert await desk.run("make x") == "deny classifier_block"
    await desk.conversation.hear((HOST.principal.id, "s"), typed("yes, do make x"))
    assert await desk.run("make x") == "deny classifier_block"
    assert await desk.run("make x") == "ask repeated_denial"
    desk.rule(AUTO + "permissions: {deny: ['Bash(shred *)']}\n")
    assert await desk.run("make x") == "allow classifier_allow"


async def test_messages_that_came_with_the_call_count_as_said(opened):
    desk = opened(BLOCK, ALLOW)
    assert await desk.run("make x", messages=typed("hello")) == "deny classifier_block"
    assert await desk.run("make x", messages=typed("hello")) == "ask repeated_denial"
    assert await desk.run("make x", messages=[*typed("hello"), *typed("yes, make x")]) == "allow classifier_allow"


async def test_other_modes_know_nothing_of_it(opened):
    desk = opened(HARD)
    await desk.run("make x")
    assert await desk.run("make x", permission_mode="default") == "ask default_mode"
