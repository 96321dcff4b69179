"""What a host is told: a decision, or the lack of one, in the words of hooks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineclear.hosts.abilities import Abilities

OUTAGE = "This is an outage, not a judgement of the call; try again, or tell the user."
_MARK = "Lineclear"


class Say(Enum):
    """What the answer of a hook amounts to."""

    NOTHING = "nothing"
    """No objection: the host goes on as it would have without us."""
    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


@dataclass(frozen=True, slots=True)
class Ruling:
    """``reason`` is for the person, ``agent_message`` for the model."""

    say: Say
    reason: str = ""
    agent_message: str = ""


NO_OBJECTION = Ruling(Say.NOTHING)


def ruled(decision: Mapping[str, object], abilities: Abilities, *, sole: bool, mode: str | None) -> Ruling:
    """The ruling of a decision as it is answered on the wire.

    ``sole`` says that nobody else decides at this host; else an allow, and what is only the mode's, is no objection.
    ``mode`` is the host's own. A verdict that isn't known is a denial.
    """
    if decision.get("enforced") is False or (not sole and decision.get("objection") is False):
        return NO_OBJECTION
    reason = _text(decision.get("reason")) or "no reason was given"
    message = _text(decision.get("agent_message")) or "This call was not approved."
    told = (f"{_MARK}: {reason}", f"{_MARK}: {message}")
    match decision.get("verdict"):
        case "allow":
            return Ruling(Say.ALLOW, *told)
        case "ask" if abilities.can_ask and mode not in abilities.never_asks_in:
            return Ruling(Say.ASK, *told)
        case "ask":
            return Ruling(Say.DENY, told[0], f"{told[1]} A person must decide, and this program can't ask here.")
        case _:
            return Ruling(Say.DENY, *told)


def refused(detail: str, *, outage: bool) -> Ruling:
    """The ruling where there is no decision: a denial that says what is wrong."""
    told = f"{_MARK} gave no verdict, so the call is denied: {detail}."
    return Ruling(Say.DENY, told, f"{told} {OUTAGE}" if outage else told)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
