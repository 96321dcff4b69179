"""The answers that several hosts share: `hookSpecificOutput`, its two decisions, and the empty document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.hosts.abilities import Moment
from lineclear.hosts.host import Reply
from lineclear.hosts.ruling import Say

if TYPE_CHECKING:
    from lineclear.core.call import JSON
    from lineclear.hosts.abilities import Abilities
    from lineclear.hosts.ruling import Ruling

SILENCE = Reply({})


def told(ruling: Ruling) -> str:
    """The one text of an answer that has one: a denial's is read by the model, any other's by the person."""
    return ruling.agent_message if ruling.say is Say.DENY else ruling.reason


def silent(abilities: Abilities, event: str, ruling: Ruling) -> bool:
    """Whether there is nothing to say: no objection, or an event that no call waits for."""
    moment = abilities.events.get(event)
    return ruling.say is Say.NOTHING or moment is None or not moment.gates


def pre_tool_use(event: str, ruling: Ruling) -> Reply:
    """The answer before a tool is used."""
    return Reply(
        {
            "hookSpecificOutput": {
                "hookEventName": event,
                "permissionDecision": ruling.say.value,
                "permissionDecisionReason": told(ruling),
            }
        }
    )


def permission_request(event: str, ruling: Ruling) -> Reply:
    """The answer where the host is about to ask its person: an ask has nothing to add to that."""
    decision: dict[str, JSON]
    match ruling.say:
        case Say.ALLOW:
            decision = {"behavior": "allow"}
        case Say.DENY:
            decision = {"behavior": "deny", "message": ruling.agent_message}
        case _:
            return SILENCE
    return Reply({"hookSpecificOutput": {"hookEventName": event, "decision": decision}})


def familiar(abilities: Abilities, event: str, ruling: Ruling) -> Reply:
    """The answer of a host that has both."""
    if silent(abilities, event, ruling):
        return SILENCE
    if abilities.events[event] is Moment.PERMISSION:
        return permission_request(event, ruling)
    return pre_tool_use(event, ruling)
