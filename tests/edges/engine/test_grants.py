"""A person's approval covers exactly the call that was shown, once, and nothing else."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from uuid import UUID

import pytest

from lineclear.core.call import Key, Principal, Role
from lineclear.core.course import Answer, Result
from lineclear.core.standing import Scope
from lineclear.engine.errors import Conflict, Missing, NotAllowed
from support.desks import AGENT, ALLOW, AUTO, BLOCK, HOST, OPERATOR, said
from support.judging import ENVIRONMENT

PUSH = {"command": "git push origin main"}
LINKED = ENVIRONMENT | {"resolved_paths": {"/work/repo": "/mnt/other"}}
OPEN_QUESTIONS = AUTO + "permissions: {ask: ['Bash(git push *)', 'Bash(npm publish *)']}\n"


@pytest.fixture
def asked(opened):
    """Opens a deployment in which a push was asked about, and gives the question."""

    async def ask(*lines, tool_input=PUSH, scope=Scope.ONCE, approve=True, **more):
        desk = opened(*lines, organisation=more.pop("organisation", AUTO))
        question = await desk.decide(tool_input, **more)
        assert question["verdict"] == "ask", question
        if approve:
            await desk.answers.answer(UUID(question["decision_id"]), Answer.APPROVED, scope, OPERATOR)
        return desk, question

    return ask


async def test_an_approved_call_passes_once(asked):
    desk, _ = await asked()
    assert said(await desk.decide(PUSH)) == "allow human_grant"
    assert said(await desk.decide(PUSH)) == "ask ask_rule"


async def test_a_retry_under_the_same_id_passes_once_and_before_its_approval_it_is_the_same_question(asked):
    desk, question = await asked(approve=False, tool_use_id="t-1")
    again = await desk.decide(PUSH, tool_use_id="t-1")
    assert (again["decision_id"], again["replayed"]) == (question["decision_id"], True)
    await desk.answers.answer(UUID(question["decision_id"]), Answer.APPROVED, Scope.ONCE, OPERATOR)
    assert said(await desk.decide(PUSH, tool_use_id="t-1")) == "allow human_grant"
    assert said(await desk.decide(PUSH, tool_use_id="t-1")) == "ask ask_rule"


async def test_of_parallel_retries_one_passes(asked):
    desk, _ = await asked()
    answers = await asyncio.gather(*(desk.decide(PUSH, tool_use_id=f"t-{n % 4}") for n in range(8)))
    assert sorted(said(answer) for answer in answers) == ["allow human_grant"] + ["ask ask_rule"] * 7


@pytest.mark.parametrize(
    "other",
    [
        {"tool_input": {"command": "git push origin main && rm -rf ~"}},
        {"tool_input": {"command": "git push origin main "}},
        {"tool_input": PUSH | {"timeout": 5}},
        {"tool_input": {"command": "git push --force origin main"}},
        {"cwd": "/work/repo/sub"},
        {"cwd": None},
        {"agent": {"type": "explore"}},
        {"agent": {"host": "codex"}},
        {"tool_name": "mcp__shell__run"},
        {"environment": LINKED},
        {"session_id": "another"},
        {"key": replace(HOST, principal=Principal("another laptop"))},
        {"key": AGENT},
    ],
    ids=lambda other: next(iter(other)),
)
async def test_no_other_call_passes(asked, other):
    desk, _ = await asked()
    call = {"tool_input": PUSH} | other
    assert (await desk.decide(call.pop("tool_input"), **call))["code"] != "human_grant"
    assert said(await desk.decide(PUSH)) == "allow human_grant", "and the approval is still there"


async def test_it_does_not_pass_after_its_time(asked):
    desk, _ = await asked()
    desk.clock.advance(minutes=15, seconds=1)
    assert said(await desk.decide(PUSH)) == "ask ask_rule"


async def test_it_does_not_pass_once_the_policy_denies_it_not_even_when_it_no_longer_does(asked):
    desk, _ = await asked()
    desk.rule(AUTO + "permissions: {deny: ['Bash(git push *)']}\n")
    assert said(await desk.decide(PUSH)) == "deny deny_rule"
    desk.rule(AUTO)
    assert said(await desk.decide(PUSH)) == "ask ask_rule"


async def test_it_does_not_pass_when_a_question_is_new(asked):
    desk, _ = await asked(organisation=OPEN_QUESTIONS)
    desk.rule(OPEN_QUESTIONS + "rules: [{id: release-freeze, effect: ask, command: ['git push *']}]\n")
    answer = await desk.decide(PUSH)
    assert said(answer) == "ask ask_rule"
    assert [finding["rule"] for finding in answer["findings"]] == ["organisation:release-freeze"]


async def test_an_approval_outside_of_plan_mode_is_none_in_it(asked):
    desk, _ = await asked()
    assert said(await desk.decide(PUSH, permission_mode="plan")) == "deny plan_mode"


async def test_a_grant_for_the_session_holds_until_it_is_closed(asked):
    desk, _ = await asked(scope=Scope.SESSION)
    desk.clock.advance(hours=5)
    for _ in range(3):
        assert said(await desk.decide(PUSH)) == "allow human_grant"
    await desk.sessions.close("s", HOST)
    assert said(await desk.decide(PUSH)) == "ask ask_rule"


@pytest.mark.parametrize("command", ["rm -rf /work/repo", "echo x > .git/hooks/pre-commit"])
async def test_for_the_session_nothing_critical_or_protected_is_approved(asked, command):
    desk, question = await asked(tool_input={"command": command}, approve=False)
    decision = UUID(question["decision_id"])
    with pytest.raises(Conflict, match="only be approved `once`"):
        await desk.answers.answer(decision, Answer.APPROVED, Scope.SESSION, OPERATOR)
    await desk.answers.answer(decision, Answer.APPROVED, Scope.ONCE, OPERATOR)
    assert (await desk.decide({"command": command}))["code"] == "human_grant"


@pytest.mark.parametrize(
    "key",
    [
        Key("k-other", Role.OPERATOR, HOST.principal),
        Key(HOST.id, Role.OPERATOR, Principal("anna")),
    ],
    ids=["the same principal", "the same key"],
)
async def test_whoever_asked_approves_nothing(asked, key):
    desk, question = await asked(approve=False)
    with pytest.raises(NotAllowed):
        await desk.answers.answer(UUID(question["decision_id"]), Answer.APPROVED, Scope.ONCE, key)
    assert said(await desk.decide(PUSH)) == "ask ask_rule"


async def test_an_agent_answers_for_nobody_and_another_host_sees_nothing(asked):
    desk, question = await asked(approve=False)
    decision = UUID(question["decision_id"])
    with pytest.raises(NotAllowed):
        await desk.answers.answer(decision, Answer.APPROVED, Scope.ONCE, AGENT)
    stranger = replace(HOST, principal=Principal("stranger"))
    with pytest.raises(Missing):
        await desk.answers.answer(decision, Answer.APPROVED, Scope.ONCE, stranger)


@pytest.mark.parametrize(
    "command",
    [
        "git push https://anna:hunter22@git.example.org/r.git main",
        "git push origin main # " + "x" * 20_000,
    ],
    ids=["redacted", "cut"],
)
async def test_what_was_not_shown_whole_is_not_approved(asked, command):
    desk, question = await asked(tool_input={"command": command}, approve=False)
    with pytest.raises(Conflict, match="redacted or cut"):
        await desk.answers.answer(UUID(question["decision_id"]), Answer.APPROVED, Scope.ONCE, OPERATOR)


async def test_the_first_answer_counts(asked):
    desk, question = await asked(approve=False)
    decision = UUID(question["decision_id"])
    answers = await asyncio.gather(
        *(
            desk.answers.answer(decision, answer, Scope.ONCE, OPERATOR)
            for answer in [Answer.REJECTED, Answer.APPROVED] * 4
        ),
        return_exceptions=True,
    )
    assert [type(answer).__name__ for answer in answers].count("Conflict") == 7
    assert len(desk.told.answers) == 1


async def test_a_rejected_question_is_asked_again_and_cannot_be_approved_any_more(asked):
    desk, question = await asked(approve=False, tool_use_id="t-1")
    decision = UUID(question["decision_id"])
    await desk.answers.answer(decision, Answer.REJECTED, Scope.ONCE, OPERATOR)
    with pytest.raises(Conflict, match="answered already: rejected"):
        await desk.answers.answer(decision, Answer.APPROVED, Scope.ONCE, OPERATOR)
    again = await desk.decide(PUSH, tool_use_id="t-1")
    assert said(again) == "ask ask_rule"
    assert not again["replayed"]


async def test_an_expired_question_counts_as_rejected(asked):
    desk, question = await asked(approve=False)
    desk.clock.advance(minutes=16)
    with pytest.raises(Conflict, match="expired"):
        await desk.answers.answer(UUID(question["decision_id"]), Answer.APPROVED, Scope.ONCE, OPERATOR)


@pytest.mark.parametrize(("command", "interactive"), [("git status", True), ("make x", True), ("git push", False)])
async def test_only_a_question_is_answered(opened, command, interactive):
    desk = opened(BLOCK)
    answer = await desk.decide({"command": command}, interactive=interactive)
    with pytest.raises(Conflict, match="only a question"):
        await desk.answers.answer(UUID(answer["decision_id"]), Answer.APPROVED, Scope.ONCE, OPERATOR)


async def test_a_host_s_approval_makes_no_grant(asked):
    desk, question = await asked(approve=False)
    decision = UUID(question["decision_id"])
    reported = await desk.answers.answer(decision, Answer.APPROVED, Scope.SESSION, HOST)
    assert reported.grant is None
    assert said(await desk.decide(PUSH)) == "ask ask_rule"
    await desk.answers.report(decision, Result.EXECUTED, HOST)


async def test_a_grant_goes_before_the_classifier_and_its_denial(asked):
    desk, _ = await asked(
        BLOCK, ALLOW, organisation=AUTO + "classifier: {on_block: ask}\n", tool_input={"command": "make x"}
    )
    assert await desk.run("make x") == "allow human_grant"
    assert len(desk.classifier.asked) == 1
