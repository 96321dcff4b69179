"""The shape of a decision as clients read it, for the OpenAPI document; a test holds real answers against it."""

from __future__ import annotations

from typing import Literal

import msgspec

from lineclear.core.decision import Next  # noqa: TC001 - msgspec reads the annotations
from lineclear.core.modes import Mode  # noqa: TC001
from lineclear.core.reasons import Code  # noqa: TC001

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

    state: Literal["pending", "held"]
    expires_at: str


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
    classifier: None
    breaker: None
    approval: ApprovalDocument | None
    obligations: ObligationsDocument
    policy_version: str
    input_sha256: str
    ignored_workspace_roots: list[str]
    replayed: bool
    duration_ms: float
