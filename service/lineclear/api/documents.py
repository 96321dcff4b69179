"""The shape of a decision as clients read it, for the OpenAPI document; a test holds real answers against it."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from lineclear.core.breaker import OpenedBy  # noqa: TC001 - msgspec reads the annotations
from lineclear.core.course import By  # noqa: TC001
from lineclear.core.decision import Next  # noqa: TC001
from lineclear.core.modes import Mode  # noqa: TC001
from lineclear.core.reasons import Code  # noqa: TC001
from lineclear.core.retry import Advice  # noqa: TC001
from lineclear.core.standing import Scope  # noqa: TC001
from lineclear.engine.classify import Result, Stage, StageOutcome  # noqa: TC001
from lineclear.wire.bodies import Outcome  # noqa: TC001

VerdictName = Literal["allow", "ask", "deny"]


class FindingDocument(msgspec.Struct, forbid_unknown_fields=True):
    """One thing that a check found. To a key of the role ``agent`` only code and verdict are told."""

    code: Code
    verdict: VerdictName
    rule: str | None = None
    layer: str | None = None
    source: str | None = None
    part: str | None = None


class ApprovalDocument(msgspec.Struct, forbid_unknown_fields=True):
    """Where a question stands: ``held`` waits for a person although the caller has nobody to ask."""

    state: Literal["pending", "held", "approved", "rejected", "expired"]
    expires_at: str
    by: By | None = None
    scope: Scope | None = None
    answered_at: str | None = None


class StageDocument(msgspec.Struct, forbid_unknown_fields=True):
    """One stage of the classifier."""

    stage: Stage
    outcome: StageOutcome
    model: str
    duration_ms: float
    input_tokens: int
    output_tokens: int


class ClassifierDocument(msgspec.Struct, forbid_unknown_fields=True):
    """What the classifier made of a call; ``stage`` is the one that settled it. An ``agent`` isn't told the rule."""

    stage: Stage | None
    outcome: Result
    rule: str | None
    stages: list[StageDocument]


class BreakerDocument(msgspec.Struct, forbid_unknown_fields=True):
    """The session's breaker once this was decided: denials by the classifier in a row, and in all."""

    state: Literal["open", "closed"]
    consecutive: int
    total: int
    opened_by: OpenedBy | None


class ObligationsDocument(msgspec.Struct, forbid_unknown_fields=True):
    """What the caller keeps to when it runs the call."""

    concurrency_safe: bool
    max_result_chars: int | None
    result_head_chars: int | None
    result_tail_chars: int | None


class DecisionDocument(msgspec.Struct, forbid_unknown_fields=True):
    """A decision. A client treats a verdict that it doesn't know as "do not run"."""

    decision_id: str
    verdict: VerdictName
    code: Code
    reason: str | None
    agent_message: str | None
    next: Next
    mode: Mode
    downgraded_from: VerdictName | None
    objection: bool
    enforced: bool
    findings: list[FindingDocument]
    classifier: ClassifierDocument | None
    breaker: BreakerDocument | None
    approval: ApprovalDocument | None
    obligations: ObligationsDocument
    policy_version: str
    input_sha256: str
    ignored_workspace_roots: list[str]
    replayed: bool
    duration_ms: float
    outcome: Outcome | None = None
    """What was reported of the call, where something was."""
    dry_run: list[FindingDocument] = []
    """What the rules on trial would have said; it had no effect."""


class RecordDocument(DecisionDocument, kw_only=True, forbid_unknown_fields=True):
    """A decision with its call, for those who watch.

    ``shown_whole`` is false where a part of the call is redacted or cut: such a question can't be approved.
    """

    decided_at: str
    principal: str
    session_id: str
    tool_use_id: str | None
    tool_name: str
    kind: str
    host: str
    request: dict[str, Any]
    shown_whole: bool


class RecordsDocument(msgspec.Struct, forbid_unknown_fields=True):
    """A page of decisions, newest first. One that holds few, even none, isn't the last while there is a cursor."""

    items: list[RecordDocument]
    next_cursor: str | None


class SessionDocument(msgspec.Struct, forbid_unknown_fields=True):
    """A session: what its principal calls it, and its opaque ``id`` for everybody else."""

    id: str
    principal: str
    session_id: str
    started_at: str
    closed_at: str | None
    workspace_roots: list[str] | None
    messages: int
    breaker: BreakerDocument


class SessionsDocument(msgspec.Struct, forbid_unknown_fields=True):
    """A page of sessions, newest first."""

    items: list[SessionDocument]
    next_cursor: str | None


class HeardDocument(msgspec.Struct, forbid_unknown_fields=True):
    """How many of the messages were new, and held something that a person typed."""

    added: int


class RetryDocument(msgspec.Struct, forbid_unknown_fields=True):
    """Whether the call may be tried again: it only reads; look at these paths first; or a person decides."""

    advice: Advice
    check: list[str]


class GrantDocument(msgspec.Struct, forbid_unknown_fields=True):
    """What an approval gave: for how many runs of exactly this call, and until when."""

    scope: Scope
    expires_at: str | None


class OutcomeDocument(msgspec.Struct, forbid_unknown_fields=True):
    """What came of a report. ``retry`` after a call's outcome; the others after a person's answer."""

    decision_id: str
    outcome: Outcome
    retry: RetryDocument | None
    approval: ApprovalDocument | None
    grant: GrantDocument | None
    breaker: BreakerDocument | None
