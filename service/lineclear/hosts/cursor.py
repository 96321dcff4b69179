"""Cursor: one hook for each kind of tool, which can ask, and a general one that fires for the same call too."""

from __future__ import annotations

from hashlib import sha256
from json import dumps
from typing import TYPE_CHECKING

from lineclear.hosts import familiar
from lineclear.hosts.abilities import Abilities, AllowMeans, Basis, Checked, MessagesFrom, Moment, OnFailure
from lineclear.hosts.decisions import SILENCE, silent
from lineclear.hosts.events import Call, Ended, Event, Other, Prompt, Unreadable
from lineclear.hosts.host import Host, Reply
from lineclear.hosts.nested import arguments_in_text
from lineclear.hosts.payload import arguments, maybe, named, request, text
from lineclear.hosts.ruling import Say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineclear.core.call import JSON
    from lineclear.hosts.ruling import Ruling

ABILITIES = Abilities(
    name="cursor",
    title="Cursor",
    events={
        "beforeShellExecution": Moment.CALL,
        "beforeMCPExecution": Moment.CALL,
        "beforeReadFile": Moment.CALL,
        "preToolUse": Moment.CALL,
        "beforeSubmitPrompt": Moment.PROMPT,
        "sessionEnd": Moment.END,
    },
    gate="beforeShellExecution",
    can_ask=True,
    allow_means=AllowMeans.SKIPS_PROMPT,
    on_failure=OnFailure.OPEN,
    block_setting="failClosed",
    deadline_s=30,
    unique_ids=False,
    messages=MessagesFrom.PROMPT_EVENT,
    checked=Checked("hooks of 2026-09-07", "2026-11-29", Basis.DOCUMENTATION),
)
ASKS = frozenset({"beforeShellExecution", "beforeMCPExecution"})
"""The hooks at which an ask is known to be shown; at the others it is a denial."""
_TOOLS = {"Shell": "Bash", "Delete": "Write"}
"""Names of the general hook that stand for another tool here; the others are known as they are."""


def read(payload: Mapping[str, JSON], event: str) -> Event:
    """The event of a payload."""
    session, cwd = "conversation_id", maybe(payload, "cwd")
    given: dict[str, JSON]
    match event:
        case "beforeShellExecution":
            tool, given = "Bash", {"command": payload.get("command")}
        case "beforeReadFile":
            tool, given = "Read", {"file_path": payload.get("file_path")}
        case "beforeMCPExecution":
            tool, given = f"mcp__{_server(payload)}__{text(payload, 'tool_name')}", arguments_in_text(payload)
        case "preToolUse":
            its = text(payload, "tool_name")
            tool, given = _TOOLS.get(its, its), dict(arguments(payload, "tool_input"))
            if its == "Shell":
                given = named(given, "cwd", "working_directory")
                given, cwd = {"command": given.get("command")}, maybe(given, "cwd") or cwd
        case "beforeSubmitPrompt":
            typed = familiar.message(text(payload, "prompt"), maybe(payload, "generation_id"))
            return Prompt(event, text(payload, session), typed)
        case "sessionEnd":
            return Ended(event, text(payload, session))
        case _:
            return Other(event)
    roots = payload.get("workspace_roots")
    cwd = cwd or _first(roots)
    made = request(
        payload,
        ABILITIES.name,
        session_id=text(payload, session),
        tool_name=tool,
        tool_input=given,
        tool_use_id=_call_id(payload, [tool, given, cwd]),
        cwd=cwd,
        roots=roots if isinstance(roots, list) and roots else None,
    )
    return Call(event, made)


def answer(event: str, ruling: Ruling) -> Reply:
    """The document that the host reads."""
    if silent(ABILITIES, event, ruling):
        return SILENCE
    said = Say.DENY if ruling.say is Say.ASK and event not in ASKS else ruling.say
    return Reply({"permission": said.value, "user_message": ruling.reason, "agent_message": ruling.agent_message})


def _server(payload: Mapping[str, JSON]) -> str:
    """A name for the server of an MCP call: only its address or command is told."""
    where = maybe(payload, "server", "url", "command")
    if where is None:
        raise Unreadable("the payload names no MCP server")
    kept = "".join(char if char.isascii() and char.isalnum() else "-" for char in where.rstrip("/").split("/")[-1])
    return kept[:64] or "unnamed"


def _call_id(payload: Mapping[str, JSON], call: JSON) -> str | None:
    """An id for the two hooks of one call, which share none: the answer that it is part of, with the call itself."""
    part_of = maybe(payload, "generation_id")
    if part_of is None:
        return None
    return f"{part_of[:128]}:{sha256(dumps(call, sort_keys=True).encode()).hexdigest()[:32]}"


def _first(roots: JSON) -> str | None:
    return roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else None


HOST = Host(ABILITIES, read, answer, familiar.event_of)
