"""Claude Code: command and HTTP hooks; an ask is shown to the person, an allow skips the host's own question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.hosts.abilities import Abilities, AllowMeans, Basis, Checked, MessagesFrom, Moment, OnFailure
from lineclear.hosts.events import Call, Ended, Event, Other, Prompt, Result
from lineclear.hosts.host import Host, Reply
from lineclear.hosts.payload import arguments, maybe, request, sub_agent, text
from lineclear.hosts.questions import answers
from lineclear.hosts.ruling import Ruling, Say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineclear.core.call import JSON

_NAME = "claude-code"
_QUESTION_TOOL = "AskUserQuestion"

ABILITIES = Abilities(
    name=_NAME,
    title="Claude Code",
    events={
        "PreToolUse": Moment.CALL,
        "PermissionRequest": Moment.PERMISSION,
        "UserPromptSubmit": Moment.PROMPT,
        "PostToolUse": Moment.RESULT,
        "PostToolUseFailure": Moment.FAILURE,
        "SessionStart": Moment.START,
        "SessionEnd": Moment.END,
    },
    gate="PreToolUse",
    can_ask=True,
    never_asks_in=frozenset({"dontAsk"}),
    allow_means=AllowMeans.SKIPS_PROMPT,
    on_failure=OnFailure.OPEN,
    block_setting="onFailure",
    deadline_s=30,
    unique_ids=True,
    messages=MessagesFrom.PROMPT_EVENT,
    checked=Checked("2.1.332", "2026-11-29", Basis.RAN),
    speaks_http=True,
)


def event_of(payload: Mapping[str, JSON]) -> str | None:
    """The event's name as the payload says it."""
    return maybe(payload, "hook_event_name")


def read(payload: Mapping[str, JSON], event: str) -> Event:
    """The event of a payload."""
    match ABILITIES.events.get(event):
        case Moment.CALL:
            return Call(event, _request(payload))
        case Moment.PERMISSION:
            return Call(event, _request(payload), prompting=True)
        case Moment.PROMPT:
            message: dict[str, JSON] = {"role": "user", "content": text(payload, "prompt")}
            if (prompt_id := maybe(payload, "prompt_id")) is not None:
                message["message_id"] = prompt_id
            return Prompt(event, text(payload, "session_id"), message)
        case Moment.RESULT | Moment.FAILURE as moment:
            asked = payload.get("tool_name") == _QUESTION_TOOL and moment is Moment.RESULT
            return Result(
                event,
                text(payload, "session_id"),
                maybe(payload, "tool_use_id"),
                _request(payload),
                failed=moment is Moment.FAILURE,
                answered=answers(payload.get("tool_response")) if asked else None,
            )
        case Moment.END:
            return Ended(event, text(payload, "session_id"))
        case _:
            return Other(event)


def answer(event: str, ruling: Ruling) -> Reply:
    """The document that the host reads for an event; what decides nothing there is ``{}``."""
    if ruling.say is Say.NOTHING or event not in ABILITIES.events or not ABILITIES.events[event].gates:
        return Reply({})
    if ABILITIES.events[event] is Moment.PERMISSION:
        return Reply(_permission(ruling))
    return Reply(
        {
            "hookSpecificOutput": {
                "hookEventName": event,
                "permissionDecision": ruling.say.value,
                # shown to the model where the call is denied, else to the person
                "permissionDecisionReason": ruling.agent_message if ruling.say is Say.DENY else ruling.reason,
            }
        }
    )


def _permission(ruling: Ruling) -> dict[str, JSON]:
    """The host is asking its person already, so an ask has nothing to add."""
    decision: dict[str, JSON]
    match ruling.say:
        case Say.ALLOW:
            decision = {"behavior": "allow"}
        case Say.DENY:
            decision = {"behavior": "deny", "message": ruling.agent_message}
        case _:
            return {}
    return {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}


def _request(payload: Mapping[str, JSON]) -> dict[str, JSON]:
    return request(
        payload,
        _NAME,
        session_id=text(payload, "session_id"),
        tool_name=text(payload, "tool_name"),
        tool_input=arguments(payload, "tool_input"),
        tool_use_id=maybe(payload, "tool_use_id"),
        mode=maybe(payload, "permission_mode"),
        cwd=maybe(payload, "cwd"),
        agent=sub_agent(maybe(payload, "agent_type"), maybe(payload, "agent_id")),
    )


HOST = Host(ABILITIES, read, answer, event_of)
