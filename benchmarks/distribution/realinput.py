"""Decision requests out of corpora that nobody wrote for us: agents' hooks, benchmarks' tool calls, agents' tools."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAYLOADS, CALLS, TOOLS = "claude_hook_payloads.jsonl", "toolcalls.jsonl", "agent_tools.jsonl"
ENVIRONMENT = {
    "workspace_roots": ["/work/repo"],
    "home": "/home/dev",
    "platform": "linux",
    "shell": "bash",
    "repository_trusted": True,
}
_ASKED = {"PreToolUse", "PermissionRequest"}
"""Hook events that ask before a call."""

_PATCH = "*** Begin Patch\n*** Update File: src/app.py\n@@\n-a = 1\n+a = 2\n*** End Patch\n"
_MADE: dict[str, Any] = {
    "code": "print(1 + 1)",
    "chars": "y\n",
    "input": _PATCH,
    "patchText": _PATCH,
    "include": ["src/**/*.py"],
    "prompt": "Summarise https://docs.example.com/guide",
    "workdir": "/work/repo",
    "pattern": "TODO",
    "query": "python dataclasses",
}
"""Values for arguments of these names, whatever the corpus says of them."""
_ALSO: dict[str, dict[str, Any]] = {
    "claude-code:Agent": {"description": "Find it", "prompt": "Find where a is set", "subagent_type": "Explore"},
    "claude-code:CronCreate": {"cron": "0 9 * * *", "prompt": "Run the tests"},
    "claude-code:Glob": {"pattern": "**/*.py"},
    "claude-code:Grep": {"pattern": "TODO"},
    "claude-code:RemoteTrigger": {"action": "list"},
    "claude-code:Skill": {"skill": "pdf"},
    "claude-code:WebFetch": {"prompt": "Summarise it"},
    "claude-code:WebSearch": {"query": "python dataclasses"},
    "gemini-cli:activate_skill": {"name": "pdf"},
    "gemini-cli:glob": {"pattern": "**/*.py"},
    "gemini-cli:google_web_search": {"query": "python dataclasses"},
    "gemini-cli:grep_search": {"pattern": "TODO"},
    "cline:attempt_completion": {"result": "Done."},
    "cline:search_files": {"regex": "TODO"},
    "cline:use_skill": {"skill_name": "pdf"},
    "cline:web_search": {"query": "python dataclasses"},
    "codex:grep_files": {"pattern": "TODO"},
    "opencode:glob": {"pattern": "**/*.py"},
    "opencode:grep": {"pattern": "TODO"},
    "opencode:skill": {"name": "pdf"},
    "opencode:task": {"description": "Find it", "prompt": "Find where a is set", "subagent_type": "explore"},
    "opencode:websearch": {"query": "python dataclasses"},
    "openhands:str_replace_editor": {"command": "view"},
    "kinetaios:glob": {"pattern": "**/*.py"},
}
"""Arguments that the corpus doesn't list, and without which a tool can't be called."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: its corpus, what of that it belongs to, its row, and the body."""

    corpus: str
    group: str
    row: str
    body: dict[str, Any]


def all_requests(where: Path) -> list[Asked]:
    """Every request. Raises ``FileNotFoundError`` where a file isn't there."""
    return [*payloads(where), *calls(where), *tools(where)]


def payloads(where: Path) -> Iterator[Asked]:
    """Claude Code's own hook inputs, as they are; rows are of unrelated tests, so each has a session of its own."""
    for row in _rows(where / PAYLOADS):
        payload = row["payload"]
        if row["kind"] == "input" and row["event"] in _ASKED and {"session_id", "tool_name"} <= payload.keys():
            body = payload | {"session_id": f"{payload['session_id']}-{row['id']}"}
            yield Asked(PAYLOADS, row["event"], row["id"], body)


def calls(where: Path) -> Iterator[Asked]:
    """Tool calls of benchmarks, with what the user said; in mode ``auto``, as their agents would run."""
    for row in _rows(where / CALLS):
        body = {
            "session_id": row["id"],
            "tool_name": row["tool_name"],
            "tool_input": row["tool_args"],
            "messages": [{"role": "user", "content": text} for text in row["user_messages"]],
            "permission_mode": "auto",
            "cwd": "/work/repo",
            "environment": ENVIRONMENT,
        }
        yield Asked(CALLS, f"{row['source']}, {row['label']}", row["id"], body)


def tools(where: Path) -> Iterator[Asked]:
    """One harmless call, made up, for each tool of each agent; in mode ``default``."""
    for row in _rows(where / TOOLS):
        body = {
            "session_id": row["agent"],
            "tool_name": row["tool"],
            "tool_input": _made_up(row),
            "permission_mode": "default",
            "cwd": "/work/repo",
            "environment": ENVIRONMENT,
            "agent": {"host": row["agent"]},
        }
        yield Asked(TOOLS, f"{row['agent']}, {row['effect']}", row["id"], body)


def _made_up(row: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = dict.fromkeys(row.get("args") or (), "x")
    made |= dict.fromkeys(row["path_args"], "/work/repo/src/app.py")
    made |= dict.fromkeys(row["command_args"], "ls -la src")
    made |= dict.fromkeys(row["url_args"], "https://docs.example.com/guide")
    made |= {name: value for name, value in _MADE.items() if name in made}
    return made | _ALSO.get(row["id"], {})


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as stream:
        yield from map(json.loads, stream)
