"""Kiro: the familiar payload without sessions and ids; its only answer is an exit status with a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.hosts import familiar
from lineclear.hosts.abilities import Abilities, AllowMeans, Basis, Checked, MessagesFrom, Moment, OnFailure
from lineclear.hosts.decisions import SILENCE, silent, told
from lineclear.hosts.events import Call, Event, Other, Prompt
from lineclear.hosts.host import BLOCKED, Host, Reply
from lineclear.hosts.payload import arguments, maybe, named, request, text
from lineclear.hosts.ruling import Say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineclear.core.call import JSON
    from lineclear.hosts.ruling import Ruling

ABILITIES = Abilities(
    name="kiro",
    title="Kiro",
    events={
        "preToolUse": Moment.CALL,
        "PreToolUse": Moment.CALL,
        "userPromptSubmit": Moment.PROMPT,
        "UserPromptSubmit": Moment.PROMPT,
    },
    gate="preToolUse",
    can_ask=False,
    allow_means=AllowMeans.ABSTAINS,
    on_failure=OnFailure.OPEN,
    block_setting=None,
    deadline_s=25,
    unique_ids=False,
    messages=MessagesFrom.PROMPT_EVENT,
    checked=Checked("CLI 2, hook files v1", "2026-11-29", Basis.DOCUMENTATION),
    by_exit=True,
)
_TOOLS = {
    "execute_bash": "Bash",
    "executeBash": "Bash",
    "shell": "Bash",
    "fs_read": "Read",
    "read": "Read",
    "fs_write": "Write",
    "write": "Write",
}
"""Its own names of tools that are known here by others."""


def read(payload: Mapping[str, JSON], event: str) -> Event:
    """The event of a payload. It names no session: all that happens in one folder is taken for one."""
    session = maybe(payload, "session_id") or f"kiro in {maybe(payload, 'cwd') or 'no folder'}"[-256:]
    match ABILITIES.events.get(event):
        case Moment.CALL:
            its = text(payload, "tool_name")
            tool, given = _TOOLS.get(its, its), dict(arguments(payload, "tool_input"))
            if tool in {"Read", "Write"}:
                given = named(given, "file_path", "path")
            cwd = maybe(payload, "cwd")
            return Call(event, request(payload, "kiro", session_id=session, tool_name=tool, tool_input=given, cwd=cwd))
        case Moment.PROMPT:
            return Prompt(event, session, familiar.message(text(payload, "prompt"), None))
        case _:
            return Other(event)


def answer(event: str, ruling: Ruling) -> Reply:
    """Exit status 2 blocks, and its text goes to the model; anything else doesn't."""
    if silent(ABILITIES, event, ruling) or ruling.say is not Say.DENY:
        return SILENCE
    return Reply(exit_status=BLOCKED, text=told(ruling))


HOST = Host(ABILITIES, read, answer, familiar.event_of)
