"""GitHub Copilot CLI: one object in camel case, or the familiar one; its command hooks fail closed, but not in time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.hosts import familiar
from lineclear.hosts.abilities import Abilities, AllowMeans, Basis, Checked, MessagesFrom, Moment, OnFailure
from lineclear.hosts.decisions import SILENCE, silent, told
from lineclear.hosts.events import Call, Event, Other, Prompt, Result
from lineclear.hosts.host import Host, Reply
from lineclear.hosts.nested import arguments_in_text
from lineclear.hosts.payload import maybe, named, request, text
from lineclear.hosts.ruling import Say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineclear.core.call import JSON
    from lineclear.hosts.ruling import Ruling

ABILITIES = Abilities(
    name="copilot-cli",
    title="GitHub Copilot CLI",
    events={
        "preToolUse": Moment.CALL,
        "PreToolUse": Moment.CALL,
        "permissionRequest": Moment.PERMISSION,
        "postToolUse": Moment.RESULT,
        "userPromptSubmitted": Moment.PROMPT,
    },
    gate="preToolUse",
    can_ask=True,
    allow_means=AllowMeans.SKIPS_PROMPT,
    on_failure=OnFailure.CLOSED,
    block_setting=None,
    deadline_s=30,
    unique_ids=False,
    messages=MessagesFrom.PROMPT_EVENT,
    checked=Checked("1.0.102", "2026-11-29", Basis.DOCUMENTATION),
)
_TOOLS = {"bash": "Bash", "powershell": "PowerShell", "view": "Read", "create": "Write", "edit": "Edit"}
"""Its own names of tools that are known here by others."""
_PATHS = ("path", "filePath")


def event_of(payload: Mapping[str, JSON]) -> str | None:
    """The event's name: only the familiar form says it."""
    return familiar.event_of(payload)


def read(payload: Mapping[str, JSON], event: str) -> Event:
    """The event of a payload in either form."""
    if "hook_event_name" in payload:
        return familiar.read(ABILITIES, payload, event)
    match ABILITIES.events.get(event):
        case Moment.CALL:
            return Call(event, _request(payload))
        case Moment.PERMISSION:
            return Call(event, _request(payload), prompting=True)
        case Moment.RESULT:
            return Result(event, _request(payload))
        case Moment.PROMPT:
            return Prompt(event, text(payload, "sessionId"), familiar.message(text(payload, "prompt"), None))
        case _:
            return Other(event)


def answer(event: str, ruling: Ruling) -> Reply:
    """The document that the host reads."""
    if silent(ABILITIES, event, ruling):
        return SILENCE
    if ABILITIES.events[event] is Moment.PERMISSION:
        if ruling.say is Say.ASK:
            return SILENCE
        return Reply({"behavior": ruling.say.value, "message": told(ruling)})
    return Reply({"permissionDecision": ruling.say.value, "permissionDecisionReason": told(ruling)})


def _request(payload: Mapping[str, JSON]) -> dict[str, JSON]:
    its = text(payload, "toolName")
    tool, given = _TOOLS.get(its, its), arguments_in_text(payload, "toolArgs")
    if tool in {"Read", "Write", "Edit"}:
        given = named(given, "file_path", *_PATHS)
    return request(
        payload,
        ABILITIES.name,
        session_id=text(payload, "sessionId"),
        tool_name=tool,
        tool_input=given,
        cwd=maybe(payload, "cwd"),
    )


HOST = Host(ABILITIES, read, answer, event_of)
