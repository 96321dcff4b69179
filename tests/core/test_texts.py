from __future__ import annotations

import pytest

from lineclear.core.decision import Decision, Finding
from lineclear.core.modes import Mode
from lineclear.core.reasons import Code
from lineclear.core.texts import MAX_CHARS, texts
from lineclear.core.verdict import Verdict
from support.judging import call, outcome

PUSH = call("Bash", {"command": "git push origin main"})
RULE = """version: 1
rules:
  - id: no-push
    effect: deny
    command: ["git push *"]
    reason: Releases go through the pipeline.
    agent_message: Pushing is not possible here.
"""


def test_people_learn_the_rule_its_place_and_the_part():
    reason = texts(outcome(PUSH, RULE)).reason
    assert "Releases go through the pipeline." in reason
    assert "`organisation:no-push`" in reason
    assert ":3:9" in reason
    assert "`git push origin main`" in reason


def test_the_model_learns_the_rule_s_own_message_and_no_rule():
    said = texts(outcome(PUSH, RULE))
    assert said.agent_message == "Pushing is not possible here."
    assert said.next == "continue"


@pytest.mark.parametrize(
    ("more", "next_"),
    [({}, "ask_user"), ({"interactive": False}, "stop"), ({"permission_mode": "dontAsk"}, "stop")],
)
def test_next_says_whether_anybody_can_be_asked(more, next_):
    assert texts(outcome(call("Bash", {"command": "npm install"}) | more)).next == next_


def test_texts_are_cut_and_cleaned():
    finding = Finding(Code.DENY_RULE, Verdict.DENY, reason="x\u200b\u202e\n" * 2000, part="y" * 5000)
    said = texts(Decision(Verdict.DENY, Code.DENY_RULE, Mode.DEFAULT, (finding,)))
    assert len(said.reason) <= MAX_CHARS
    assert not {"\u200b", "\u202e", "\n"} & set(said.reason)


@pytest.mark.parametrize("before", [0, 150, 165, 180, 195])
@pytest.mark.parametrize("reason", ["", "x" * 600], ids=["the part is cut", "all of it is cut"])
def test_no_cut_leaves_half_a_secret(before, reason):
    part = f"echo {'x' * before} {'ghp_' + 'Zq7' * 13} and {'y' * 200}"
    finding = Finding(Code.DENY_RULE, Verdict.DENY, reason=reason or None, rule="r" * 90, source="s" * 90, part=part)
    said = texts(Decision(Verdict.DENY, Code.DENY_RULE, Mode.DEFAULT, (finding,)))
    assert "Zq7" not in said.reason


@pytest.mark.parametrize(
    "code",
    [
        code
        for code in Code
        if code.value
        not in {
            "human_grant",
            "bypass_mode",
            "safe_tool",
            "read_only_command",
            "workspace_edit",
            "allow_rule",
            "classifier_allow",
        }
    ],
)
def test_every_refusal_has_words_for_the_model(code):
    for verdict in (Verdict.ASK, Verdict.DENY):
        said = texts(Decision(verdict, code, Mode.DEFAULT, (Finding(code, verdict),)))
        assert len(said.agent_message) > 20
