"""A call that must be denied and one that must pass, as each host would send them, and how its answer is read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lineclear.core.call import JSON

DENIED = "lineclear keys list"
"""No policy lets an agent have Lineclear's keys."""
PASSED = "ls"


class Outcome(StrEnum):
    """What a host does after an answer."""

    DENIED = "denied"
    ASKED = "asked"
    ON = "goes on"


def canary(host: str, command: str, cwd: str, session: str) -> dict[str, JSON]:
    """The payload of a host's hook before it runs a command."""
    match host:
        case "opencode":
            return {"event": "tool.execute.before", "sessionID": session, "tool": "bash", "args": {"command": command}}
        case "cursor":
            return {
                "hook_event_name": "beforeShellExecution",
                "conversation_id": session,
                "command": command,
                "cwd": cwd,
                "workspace_roots": [cwd],
            }
        case "copilot-cli":
            return {"sessionId": session, "cwd": cwd, "toolName": "bash", "toolArgs": json.dumps({"command": command})}
        case "windsurf":
            info: JSON = {"command_line": command, "cwd": cwd}
            return {"agent_action_name": "pre_run_command", "trajectory_id": session, "tool_info": info}
        case "cline":
            use: JSON = {"toolName": "execute_command", "parameters": {"command": command, "requires_approval": False}}
            return {"hookName": "PreToolUse", "taskId": session, "workspaceRoots": [cwd], "preToolUse": use}
        case "gemini-cli":
            return _familiar("BeforeTool", "run_shell_command", command, cwd, session)
        case "kiro":
            return _familiar("PreToolUse", "execute_bash", command, cwd, session)
        case _:
            return _familiar("PreToolUse", "Bash", command, cwd, session)


def outcome(status: int, output: str, error: str) -> Outcome:
    """What any of the hosts makes of a hook's exit status and output.

    Exit status 2 blocks only with a text; anything that isn't understood is a go-ahead, as it is for them.
    """
    if status != 0:
        return Outcome.DENIED if status == 2 and error.strip() else Outcome.ON  # noqa: PLR2004 - the hosts' number
    try:
        document = json.loads(output or "{}")
    except ValueError:
        return Outcome.ON
    if not isinstance(document, Mapping):
        return Outcome.ON
    inner = document.get("hookSpecificOutput")
    said = {document.get("permission"), document.get("permissionDecision"), document.get("decision")}
    if isinstance(inner, Mapping):
        said.add(inner.get("permissionDecision"))
    if "deny" in said or document.get("cancel") is True or document.get("deny"):
        return Outcome.DENIED
    return Outcome.ASKED if "ask" in said else Outcome.ON


def _familiar(event: str, tool: str, command: str, cwd: str, session: str) -> dict[str, JSON]:
    return {
        "session_id": session,
        "hook_event_name": event,
        "cwd": cwd,
        "tool_name": tool,
        "tool_input": {"command": command},
    }
