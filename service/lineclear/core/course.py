"""The course of a decision after it was made: a person's answer, and what became of the call. A state machine.

Each function says why something may not happen, or None where it may; the database lets only one of two who race pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from lineclear.core.standing import Scope

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime


class Answer(StrEnum):
    """What a person said to a question."""

    APPROVED = "approved"
    REJECTED = "rejected"


class Result(StrEnum):
    """What became of a call."""

    EXECUTED = "executed"
    FAILED = "failed"
    UNKNOWN = "unknown"
    """Its answer was lost: it may have run or not."""


class By(StrEnum):
    """Whose word an answer is: a host's, who showed its own prompt and ran the call, or an operator's, for a grant."""

    HOST = "host"
    OPERATOR = "operator"


@dataclass(frozen=True, slots=True)
class Course:
    """How far a decision has come."""

    answer: Answer | None = None
    by: By | None = None
    scope: Scope | None = None
    answered_at: datetime | None = None
    result: Result | None = None

    @property
    def ran_by_host(self) -> bool:
        """Whether a host has said that its own person let the call run."""
        return self.answer is Answer.APPROVED and self.by is By.HOST


NOT_FOR_THE_SESSION = frozenset(
    {
        "critical_path",
        "protected_path",
        "hidden_characters",
        "deny_rule_possible",
        "destructive_tool",
        "schema_changed",
    }
)
"""Codes of the checks 5 to 9, whose questions are asked anew each time."""


def unanswerable(verdict: str, course: Course, expires_at: datetime | None, now: datetime) -> str | None:
    """Why a decision can't be answered."""
    if verdict != "ask" or expires_at is None:
        return f"this decision is `{verdict}`, and only a question can be answered"
    if course.answer is not None:
        return f"this question was answered already: {course.answer}"
    if course.result is not None:
        return f"this call was reported as {course.result} already"
    if now >= expires_at:
        return "this question has expired, which counts as a rejection; the call must be asked about anew"
    return None


def unapprovable(scope: Scope, codes: Iterable[str], *, concealed: bool) -> str | None:
    """Why an operator's approval can't be taken: of what wasn't shown whole, or for longer than its question allows."""
    if concealed:
        return "a part of this call was redacted or cut when it was shown, so that it can't be approved"
    if scope is Scope.SESSION and not NOT_FOR_THE_SESSION.isdisjoint(codes):
        return "this question can only be approved `once`"
    return None


def unreportable(result: Result, course: Course, *, may_run: bool) -> str | None:
    """Why a call can't be reported as this; ``may_run`` says that its decision let the caller run it."""
    if not may_run and not course.ran_by_host:
        return "this call was not allowed to run, so that nothing can have become of it"
    if course.result in {None, Result.UNKNOWN, result}:
        return None
    return f"this call was reported as {course.result} already"
