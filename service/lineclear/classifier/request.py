"""From a question to what a model is sent: pure, redacted, quoted, within limits, the call never cut.

The prefix (instructions, policy, user messages) is the same, byte for byte, for each call of a session until a message
is added; what changes with every call comes behind it, the call itself last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lineclear.classifier.budget import fitting, latest, shortened
from lineclear.classifier.fence import as_json, fence_of, quoted
from lineclear.classifier.guidance import guidance_text
from lineclear.classifier.prompts import INSTRUCTIONS, task
from lineclear.classifier.redactions import conceals
from lineclear.classifier.shown import shown
from lineclear.classifier.summary import summary
from lineclear.core.call import SessionKey
from lineclear.core.messages import UserMessage
from lineclear.core.redact import redact

if TYPE_CHECKING:
    from lineclear.classifier.config import Limits
    from lineclear.core.call import JSON
    from lineclear.engine.classify import PastCall, Question, Stage


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent: ``system`` and ``session`` are the prefix, ``call`` is the rest, without a stage's task.

    ``allowable`` is false where a redaction may hide what would be executed: no allow counts then.
    """

    system: str
    session: str
    call: str
    allowable: bool

    def for_stage(self, stage: Stage) -> str:
        """The part behind the prefix, for one stage."""
        return f"{task(stage)}\n{self.call}"


@dataclass(frozen=True, slots=True)
class TooLong:
    """The call doesn't fit into the limit, and is never cut: no model is asked."""

    chars: int
    limit: int


def prompt_of(question: Question, fence_key: bytes, limits: Limits) -> Prompt | TooLong:
    """Put a question into words; raises what ``redact`` raises, so that nothing leaves unredacted."""
    facts = question.facts
    call = facts.call
    arguments = shown(facts.tool, call.tool_input)
    hidden, marks = redact(arguments)
    tool_name, _ = redact(call.tool_name)
    quoted_call = {"tool": tool_name, "arguments": hidden}
    if (chars := len(as_json(quoted_call))) > limits.call:
        return TooLong(chars, limits.call)
    fence = fence_of(SessionKey((call.principal.id, call.session_id)), fence_key)
    known, _ = redact(summary(facts))
    return Prompt(
        system=f"{INSTRUCTIONS}\n{guidance_text(question.guidance)}",
        session=_session(question, fence, limits),
        call=quoted(fence, "facts", known)
        + quoted(fence, "recent_calls", _recent(question, limits))
        + quoted(fence, "call", quoted_call),
        allowable=not conceals(facts, arguments, hidden, marks),  # type: ignore[arg-type]  # redaction keeps JSON
    )


def _session(question: Question, fence: str, limits: Limits) -> str:
    """The user's messages; secrets are taken out before any cut, so that no cut can split one."""
    redacted = [_redacted(message) for message in question.messages]
    fit = fitting(redacted, total=limits.messages, each=limits.message)
    said: list[JSON] = [_message(message) for message in fit.messages]
    if missing := question.missing + fit.dropped:
        said.insert(1, {"missing": f"{missing} messages were left out here"})
    data = quoted(fence, "user_messages", {"consent_counts": missing == 0, "messages": said})
    return f"This session's fence is {fence}\n{data}"


def _redacted(message: UserMessage) -> UserMessage:
    text, _ = redact(message.text)
    return UserMessage(str(text), message.doubtful, message.answer)


def _message(message: UserMessage) -> JSON:
    said: dict[str, JSON] = {"text": message.text}
    if message.answer:
        said["host_answer"] = True
    if message.doubtful:
        said["may_only_forbid"] = True
    return said


def _recent(question: Question, limits: Limits) -> JSON:
    """The latest calls, each as a text of its own that may be cut, none of them as a precedent."""
    skipped = max(0, len(question.recent) - question.guidance.recent_calls)
    texts = [_past(call, limits.recent_call) for call in question.recent[skipped:]]
    return list(latest(texts, total=limits.recent))


def _past(call: PastCall, limit: int) -> str:
    hidden, _ = redact({"tool": call.tool.name, "arguments": shown(call.tool, call.tool_input)})
    return shortened(as_json(hidden), limit)
