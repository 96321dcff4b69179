"""What is measured: everyday calls that need no model, and a hundred rules of a team on top of what is shipped."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

from benchmarks.service import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SESSIONS = 1000
RULES = 100
DENIED = "bench-tool-0 destroy now"
"""A command that the first of the added rules denies."""
PLACE = "0" * 12
"""Where the number of a call stands in its body, so that every body of a kind is equally long."""

_TOOLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Bash", {"command": "git status --short"}),
    ("Bash", {"command": "cd src && grep -rn TODO . | head -20"}),
    ("Read", {"file_path": "/work/repo/src/app.py"}),
    ("Bash", {"command": "ls -la src 2>/dev/null"}),
    ("Grep", {"pattern": "def main", "path": "/work/repo/src"}),
    ("Bash", {"command": "bench-tool-7 build --release"}),
    ("Edit", {"file_path": "/work/repo/src/app.py", "old_string": "a = 1", "new_string": "a = 2"}),
    ("Bash", {"command": "npm test"}),
)
_NEW: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Bash", {"command": f"git show --stat v{PLACE}"}),
    ("Bash", {"command": f"cd src && grep -rn TODO-{PLACE} . | head -20"}),
    ("Read", {"file_path": f"/work/repo/src/app-{PLACE}.py"}),
    ("Bash", {"command": f"ls -la src/{PLACE} 2>/dev/null"}),
    ("Grep", {"pattern": f"def main_{PLACE}", "path": "/work/repo/src"}),
    ("Bash", {"command": f"bench-tool-7 build --release {PLACE}"}),
    ("Edit", {"file_path": f"/work/repo/src/app-{PLACE}.py", "old_string": "a = 1", "new_string": "a = 2"}),
    ("Bash", {"command": f"npm test -- --grep {PLACE}"}),
)
"""The same, and none of them ever comes a second time."""

Body = tuple[bytes, ...]
"""A request's body, cut where its number goes."""


def bodies(sessions: int = SESSIONS) -> list[Body]:
    """Requests in turns over tools and sessions."""
    return [cut(_call(*_TOOLS[number % len(_TOOLS)], f"s-{number % sessions}")) for number in range(SESSIONS)]


def bodies_each_new() -> list[Body]:
    """Requests whose commands, paths and patterns are new each time."""
    return [cut(_call(*_NEW[number % len(_NEW)], f"s-{number}")) for number in range(SESSIONS)]


def bodies_each_in_a_session() -> list[Body]:
    """Requests that each begin a session."""
    return [cut(_call(*tool, f"s-{PLACE}")) for tool in _TOOLS]


def bodies_for_a_model() -> list[Body]:
    """Requests in auto mode that no rule decides."""
    call = _call("Bash", {"command": f"make -C build target-{PLACE}"}, f"auto-{PLACE}")
    return [cut(call | {"permission_mode": "auto"})]


def policies(folder: Path, rules: int = RULES) -> Path:
    """A folder of policies: the shipped one with so many rules more."""
    shutil.copytree(ROOT / "policies", folder)
    (folder / "organisation" / "bench.yaml").write_text(organisation(rules))
    return folder


def organisation(rules: int) -> str:
    """The file with so many rules: denials, questions and allowances of commands, paths, addresses and servers."""
    lists: dict[str, list[str]] = {"deny": [], "ask": [], "allow": []}
    for number in range(rules):
        effect, text = _RULES[number % len(_RULES)]
        lists[effect].append(text.format(number))
    return f"version: 1\npermissions: {json.dumps(lists)}\n"


def conditions(number: int) -> str:
    """A file with so many questions whose conditions are reached by `git` and aren't true."""
    rules = [
        {"id": f"bench-{one}", "effect": "ask", "command": ["git *"], "when": f"size(call.commands) > {10 + one}"}
        for one in range(number)
    ]
    return f"version: 1\nrules: {json.dumps(rules)}\n"


def calls() -> Iterator[dict[str, Any]]:
    """One request of each tool."""
    for tool, tool_input in _TOOLS:
        yield _call(tool, tool_input, "s")


_RULES = (
    ("deny", "Bash(bench-tool-{} destroy *)"),
    ("ask", "Bash(bench-tool-{} deploy * --env prod*)"),
    ("allow", "Bash(bench-tool-{} build *)"),
    ("deny", "Read(vault-{}/**)"),
    ("ask", "mcp__bench{}__*"),
    ("allow", "Edit(docs/part-{}/**)"),
    ("deny", "WebFetch(domain:*.bench-{}.example)"),
    ("allow", "Bash(npm run bench-{})"),
    ("ask", "Bash(git * bench-{})"),
    ("deny", "Bash(rm -rf bench-{})"),
)


def cut(body: dict[str, Any]) -> Body:
    """A body of JSON, cut where its number goes."""
    return tuple(part.encode() for part in json.dumps(body).split(PLACE))


def _call(tool: str, tool_input: dict[str, Any], session: str) -> dict[str, Any]:
    return {
        "session_id": session,
        "tool_use_id": f"toolu-{PLACE}",
        "tool_name": tool,
        "tool_input": tool_input,
        "permission_mode": "default",
        "cwd": "/work/repo",
        "environment": {
            "workspace_roots": ["/work/repo"],
            "home": "/home/dev",
            "platform": "linux",
            "shell": "bash",
            "repository_trusted": True,
        },
        "agent": {"host": "claude-code", "type": "main"},
    }
