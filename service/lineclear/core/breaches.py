"""What a call touches of the protected paths: what denies in the checks' third place, what asks in their sixth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.decision import Finding
from lineclear.core.effects import Deed
from lineclear.core.reasons import Code
from lineclear.core.tools import Kind
from lineclear.core.verdict import Verdict

if TYPE_CHECKING:
    from lineclear.core.facts import Facts
    from lineclear.core.policy import Policy


def of_entries(policy: Policy, facts: Facts, effect: Verdict) -> tuple[Finding, ...]:
    """The entries of one effect that are touched, each touch on its own; a team's only by the team."""
    return tuple(
        Finding(Code.PROTECTED_PATH, effect, entry.id, entry.layer, str(entry.origin), touch.spelled)
        for touch in facts.effects.touches
        for entry in policy.protections.breached(touch, facts.call.environment, effect)
        if entry.audience is None or entry.audience.holds(facts.call, strict=False)
    )


def of_folders(policy: Policy, facts: Facts) -> tuple[Finding, ...]:
    """What reads all that lies in a folder may come across a secret; asked where the policy wants it."""
    if not policy.workspace.ask_recursive_reads:
        return ()
    searched = facts.tool.kind is Kind.SEARCH
    reads = (touch for touch in facts.effects.touches if touch.deed is Deed.READ)
    parts = [touch.spelled for touch in reads if touch.recursive or searched]
    if not parts and not searched:
        return ()
    told = "it reads whatever lies in a folder (`workspace.recursive_reads: ask`)"
    return (Finding(Code.PROTECTED_PATH, Verdict.ASK, part=parts[0] if parts else None, reason=told),)
