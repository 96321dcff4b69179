"""Windsurf: one hook for each kind of action; its only answer is an exit status with a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.hosts import familiar
from lineclear.hosts.abilities import Abilities, AllowMeans, Basis, Checked, MessagesFrom, Moment, OnFailure
from lineclear.hosts.decisions import SILENCE, silent, told
from lineclear.hosts.events import Call, Event, Other, Prompt
from lineclear.hosts.host import BLOCKED, Host, Reply
from lineclear.hosts.payload import arguments, mapping, maybe, request, text
from lineclear.hosts.ruling import Say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineclear.core.call import JSON
    from lineclear.hosts.ruling import Ruling

ABILITIES = Abilities(
    name="windsurf",
    title="Windsurf",
    events={
        "pre_run_command": Moment.CALL,
        "pre_read_code": Moment.CALL,
        "pre_write_code": Moment.CALL,
        "pre_mcp_tool_use": Moment.CALL,
        "pre_user_prompt": Moment.PROMPT,
    },
    gate="pre_run_command",
    can_ask=False,
    allow_means=AllowMeans.ABSTAINS,
    on_failure=OnFailure.OPEN,
    block_setting=None,
    deadline_s=30,
    unique_ids=False,
    messages=MessagesFrom.PROMPT_EVENT,
    checked=Checked("hooks of 2026-11", "2026-11-29", Basis.DOCUMENTATION),
    by_exit=True,
)


def event_of(payload: Mapping[str, JSON]) -> str | None:
    """The event's name as the payload says it."""
    return maybe(payload, "agent_action_name")


def read(payload: Mapping[str, JSON], event: str) -> Event:
    """The event of a payload."""
    if event not in ABILITIES.events:
        return Other(event)
    info, session = mapping(payload, "tool_info"), text(payload, "trajectory_id")
    cwd, given = None, dict(info)
    match event:
        case "pre_user_prompt":
            return Prompt(event, session, familiar.message(text(info, "user_prompt"), maybe(payload, "execution_id")))
        case "pre_run_command":
            tool, cwd, given = "Bash", maybe(info, "cwd"), {"command": info.get("command_line")}
        case "pre_read_code":
            tool = "Read"
        case "pre_write_code":
            tool = "Write"
        case _:
            tool = f"mcp__{text(info, 'mcp_server_name')}__{text(info, 'mcp_tool_name')}"
            given = dict(arguments(info, "mcp_tool_arguments", absent_is_empty=True))
    made = request(payload, ABILITIES.name, session_id=session, tool_name=tool, tool_input=given, cwd=cwd)
    return Call(event, made)


def answer(event: str, ruling: Ruling) -> Reply:
    """Exit status 2 blocks, anything else doesn't."""
    if silent(ABILITIES, event, ruling) or ruling.say is not Say.DENY:
        return SILENCE
    return Reply(exit_status=BLOCKED, text=told(ruling))


HOST = Host(ABILITIES, read, answer, event_of)
