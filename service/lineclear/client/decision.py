"""An answer as a program acts on it: what isn't clearly an *allow* doesn't run."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

Verdict = Literal["allow", "ask", "deny"]


class OnFailure(StrEnum):
    """What a call is where there is no answer. ``ALLOW`` is a choice to fail open, and nobody's default."""

    DENY = "deny"
    ASK = "ask"
    ALLOW = "allow"
    RAISE = "raise"


class NoVerdict(Exception):
    """There is no answer: the service is out of reach, too slow, or refuses. The call must not run.

    ``status`` is the answer's HTTP status, None where there was none; ``code`` the problem's, as the service names it.
    """

    def __init__(self, message: str, status: int | None = None, code: str = "unreachable") -> None:
        super().__init__(message)
        self.status = status
        self.code = code


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer to one call.

    ``agent_message`` is for the model, ``reason`` for a person. ``objection`` is false where a program with prompts of
    its own may go on as it would have without Lineclear. ``id`` is None where the service gave no answer, and
    ``verdict`` is then what was chosen for that. ``fields`` is the whole answer.
    """

    verdict: Verdict
    code: str
    agent_message: str
    reason: str | None = None
    next: str = "stop"
    objection: bool = True
    id: str | None = None
    fields: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def allowed(self) -> bool:
        """Whether the call may run."""
        return self.verdict == "allow"

    @property
    def asked(self) -> bool:
        """Whether a person must decide."""
        return self.verdict == "ask"


def read(document: object) -> Decision:
    """The decision of an answer's document. A verdict that isn't known is a denial. Raises ``NoVerdict``."""
    if not isinstance(document, dict) or "verdict" not in document:
        raise NoVerdict("the answer is no decision", code="not_understood")
    said = document["verdict"]
    verdict: Verdict = said if said in ("allow", "ask", "deny") else "deny"
    return Decision(
        verdict=verdict,
        code=str(document.get("code")),
        agent_message=document.get("agent_message") or "This call was not approved.",
        reason=document.get("reason"),
        next=document.get("next") or "stop",
        objection=document.get("objection") is not False,
        id=document.get("decision_id"),
        fields=document,
    )


def instead(failure: NoVerdict, mode: OnFailure) -> Decision:
    """What was chosen for a call without an answer. Raises the failure where that is what was chosen."""
    if mode is OnFailure.RAISE:
        raise failure
    verdict: Verdict = "allow" if mode is OnFailure.ALLOW else "ask" if mode is OnFailure.ASK else "deny"
    told = "No verdict could be had. This is an outage, not a judgement of the call; try again, or tell the user."
    return Decision(verdict, f"no_verdict:{failure.code}", told, reason=str(failure), next="retry")
