"""The two texts of a decision: ``reason`` for people, ``agent_message`` for the model; and ``next`` for machines.

The model's text never reveals rules' text or other tools' names, never teaches a way round, holds nothing that a model
wrote, and says plainly whether it was a denial, a question or an outage.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lineclear.core.decision import Next
from lineclear.core.hidden import visible
from lineclear.core.reasons import MEANING, Code
from lineclear.core.redact import redact
from lineclear.core.verdict import Verdict

if TYPE_CHECKING:
    from lineclear.core.decision import Decision

MAX_CHARS = 1000
"""Longest text, in characters, that an answer holds."""
MAX_PART = 200
"""Longest quotation of a call's part, in characters."""

_AGENT: dict[Code, str] = {
    Code.TOOL_UNAVAILABLE: "This tool is not available to you in this call.",
    Code.INPUT_INVALID: "The tool's input is not valid, so the call was not run. Correct the input.",
    Code.DENY_RULE: "This call was denied by policy. Don't try to reach the same end another way; ask the user.",
    Code.PROTECTED_PATH: "This call touches a protected path.",
    Code.PLAN_MODE: "This session is in plan mode, which only reads.",
    Code.CRITICAL_PATH: "This call would destroy something that can't be replaced.",
    Code.HIDDEN_CHARACTERS: "The call holds characters that a person can't see.",
    Code.DENY_RULE_POSSIBLE: "It can't be told whether policy denies this. A call with literal words can be judged.",
    Code.DESTRUCTIVE_TOOL: "This tool is destructive.",
    Code.SCHEMA_CHANGED: "This tool has changed since it was accepted.",
    Code.ASK_RULE: "Policy wants a person to decide this call.",
    Code.REPEATED_DENIAL: "This call was denied before, and nothing has changed since.",
    Code.UNANALYSABLE: "What this text would do can't be told. A simpler call can be judged.",
    Code.DEFAULT_MODE: "This call needs a person's approval.",
    Code.DONT_ASK_MODE: "This call is not allowed in advance, and this session asks nobody.",
    Code.BREAKER_OPEN: "After too many denials a person decides what this session does.",
    Code.CLASSIFIER_BLOCK: "This call was denied after review. Ask the user how to go on.",
    Code.CLASSIFIER_UNAVAILABLE: "No model is there to judge this call; this is not a denial.",
    Code.CLASSIFIER_UNSURE: "The call could not be judged with certainty.",
}
_OUTAGE = "No model could be asked to judge this call: this is an outage, not a denial."
_REVIEWED = "After review, this call needs a person's decision."
_OPEN = frozenset({Code.DEFAULT_MODE, Code.DONT_ASK_MODE})
_AFTER_DENIAL = {
    Code.DONT_ASK_MODE: Next.STOP,
    Code.CLASSIFIER_BLOCK: Next.ASK_USER,
    Code.REPEATED_DENIAL: Next.ASK_USER,
    Code.CLASSIFIER_UNAVAILABLE: Next.STOP,
    Code.CLASSIFIER_UNSURE: Next.STOP,
}
_ASKED = "A person decides this; wait for the answer."
_NOBODY = "Nobody can be asked here, so the call was not run."


@dataclass(frozen=True, slots=True)
class Texts:
    """What an answer says in words, cut to ``MAX_CHARS`` and cleaned of characters that can't be seen."""

    reason: str
    agent_message: str
    next: Next


def texts(decision: Decision) -> Texts:
    """The words for a decision; ``reason`` may quote the call and must be redacted before it leaves.

    Raises ``RedactionError``.
    """
    return Texts(_clean(_reason(decision)), _clean(_agent_message(decision)), _next(decision))


def _reason(decision: Decision) -> str:
    finding = decision.primary
    sentences = [MEANING[finding.code]]
    if finding.reason:
        sentences.append(finding.reason)
    if finding.rule:
        where = f", {finding.source}" if finding.source else ""
        sentences.append(f"decided by `{finding.rule}`{where}")
    if finding.part:
        sentences.append(f"the part is `{_cut(finding.part, MAX_PART)}`")
    if finding.code in _OPEN:
        sentences.append("an allow rule for it, or a person, can let it pass")
    if decision.downgraded_from is not None:
        sentences.append("nobody can be asked, so the question became a denial")
    if len(decision.findings) > 1:
        sentences.append(f"{len(decision.findings) - 1} more in the findings")
    return " ".join(_sentence(text) for text in sentences)


def _sentence(text: str) -> str:
    """A clause as a sentence: a capital where it begins with a word, and one full stop."""
    text = text.rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."


def _agent_message(decision: Decision) -> str:
    if decision.verdict is Verdict.ALLOW:
        return "Allowed."
    message = decision.primary.agent_message or _plain(decision)
    if decision.verdict is Verdict.ASK:
        return f"{message} {_ASKED}"
    return f"{message} {_NOBODY}" if decision.downgraded_from is not None else message


def _plain(decision: Decision) -> str:
    if decision.outage:
        return _OUTAGE
    if decision.code is Code.CLASSIFIER_BLOCK and decision.primary.verdict is Verdict.ASK:
        return _REVIEWED
    return _AGENT[decision.code]


def _next(decision: Decision) -> Next:
    if decision.verdict is Verdict.ALLOW:
        return Next.CONTINUE
    if decision.verdict is Verdict.ASK:
        return Next.ASK_USER
    if decision.downgraded_from is not None:
        return Next.RETRY if decision.outage else Next.STOP
    return _AFTER_DENIAL.get(decision.code, Next.CONTINUE)


def _clean(text: str) -> str:
    flat = " ".join(visible(text).split())
    return _cut(flat, MAX_CHARS)


def _cut(text: str, limit: int) -> str:
    """The beginning of a text that is too long; without its secrets, since nobody recognises half of one."""
    kept = text if len(text) <= limit else str(redact(text)[0])
    return kept if len(kept) <= limit else kept[: limit - 1] + "…"
