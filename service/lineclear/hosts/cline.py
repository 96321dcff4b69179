"""Cline: an executable for each event; a denial cancels the tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.hosts import familiar
from lineclear.hosts.abilities import Abilities, AllowMeans, Basis, Checked, MessagesFrom, Moment, OnFailure
from lineclear.hosts.decisions import SILENCE, silent, told
from lineclear.hosts.events import Call, Event, Other, Prompt, Result
from lineclear.hosts.host import Host, Reply
from lineclear.hosts.payload import arguments, mapping, maybe, request, text
from lineclear.hosts.ruling import Say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineclear.core.call import JSON
    from lineclear.hosts.ruling import Ruling

ABILITIES = Abilities(
    name="cline",
    title="Cline",
    events={"PreToolUse": Moment.CALL, "PostToolUse": Moment.RESULT, "UserPromptSubmit": Moment.PROMPT},
    gate="PreToolUse",
    can_ask=False,
    allow_means=AllowMeans.ABSTAINS,
    on_failure=OnFailure.OPEN,
    block_setting=None,
    deadline_s=25,
    unique_ids=False,
    messages=MessagesFrom.PROMPT_EVENT,
    checked=Checked("3.0.65", "2026-11-29", Basis.DOCUMENTATION),
)
_PARTS = {Moment.CALL: "preToolUse", Moment.RESULT: "postToolUse", Moment.PROMPT: "userPromptSubmit"}


def event_of(payload: Mapping[str, JSON]) -> str | None:
    """The event's name as the payload says it."""
    return maybe(payload, "hookName")


def read(payload: Mapping[str, JSON], event: str) -> Event:
    """The event of a payload."""
    moment = ABILITIES.events.get(event)
    if moment is None:
        return Other(event)
    part, session = mapping(payload, _PARTS[moment]), text(payload, "taskId")
    if moment is Moment.PROMPT:
        return Prompt(event, session, familiar.message(text(part, "prompt"), None))
    roots = payload.get("workspaceRoots")
    folders = [root for root in roots if isinstance(root, str)] if isinstance(roots, list) else []
    made = request(
        payload,
        ABILITIES.name,
        session_id=session,
        tool_name=text(part, "toolName", "tool"),
        tool_input=arguments(part, "parameters"),
        cwd=folders[0] if folders else None,
        roots=folders or None,
    )
    return Call(event, made) if moment is Moment.CALL else Result(event, made)


def answer(event: str, ruling: Ruling) -> Reply:
    """The document that the host reads."""
    if silent(ABILITIES, event, ruling) or ruling.say is not Say.DENY:
        return SILENCE
    return Reply({"cancel": True, "errorMessage": told(ruling)})


HOST = Host(ABILITIES, read, answer, event_of)
