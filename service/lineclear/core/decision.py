"""A decision: the verdict, the code that gave it, and everything that was found on the way."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from lineclear.core.modes import Mode
    from lineclear.core.reasons import Code
    from lineclear.core.verdict import Verdict


class Next(StrEnum):
    """What the agent does now, for machines."""

    CONTINUE = "continue"
    """Allowed; or denied, and another way is open."""
    ASK_USER = "ask_user"
    RETRY = "retry"
    """An outage that may pass."""
    STOP = "stop"


class Finding(Struct, frozen=True):
    """One thing that a check found.

    ``rule`` names the rule or the entry that it rests on, ``source`` where that was written, ``part`` the part of the
    call that matched, as the caller wrote it (unredacted: it must not leave the service as it is).
    """

    code: Code
    verdict: Verdict
    rule: str | None = None
    layer: str | None = None
    source: str | None = None
    part: str | None = None
    reason: str | None = None
    agent_message: str | None = None


class Decision(Struct, frozen=True):
    """The outcome of the checks for one call.

    ``findings`` begins with the one that gave the code. ``downgraded_from`` is the verdict that was meant where
    nobody could be asked. ``objection`` is false where a host with prompts of its own may go on as it would have.
    """

    verdict: Verdict
    code: Code
    mode: Mode
    findings: tuple[Finding, ...] = ()
    downgraded_from: Verdict | None = None
    held: bool = False
    """Whether the question waits for a person although the caller has nobody to ask."""
    enforced: bool = True
    outage: bool = False
    """Whether it is so because a model couldn't be asked, which may pass."""
    trials: tuple[Finding, ...] = ()
    """What the rules on trial would have said; it had no effect."""

    @property
    def primary(self) -> Finding:
        """The finding that gave the code."""
        return self.findings[0]
