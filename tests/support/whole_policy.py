"""Policy files in which every key that there is stands once: the organisation's, and a team's."""

from __future__ import annotations

from typing import Any

_CALL = {
    "tool": "mcp__pg__query",
    "input": {"database": "prod"},
    "principal": {"id": "p", "groups": ["dba"]},
    "agent": {"host": "claude-code", "type": "main", "async": False},
    "mode": "default",
    "cwd": "/work/repo",
}
_FLAGS = {
    "read_only": True,
    "destructive": False,
    "concurrency_safe": True,
    "open_world": False,
    "deferrable": False,
    "max_result_chars": 8192,
}
_USES = {
    "command": "/a",
    "directory": "/b",
    "reads": "/c",
    "writes": ["/d"],
    "path": "/e",
    "url": "/f",
    "urls_in_text": "/g",
    "patch": "/h",
    "agent_type": "/i",
    "skill": "/j",
    "prose": "/k",
    "data": "/l",
}
_TOOL = {"kind": "other", "language": "python", **_USES, **_FLAGS}
_PROSE = {"id": "org.x", "text": "what is meant", "examples": {"match": ["this"], "no_match": ["that"]}}

ORGANISATION: dict[str, Any] = {
    "version": 1,
    "permissions": {"allow": ["Bash(npm test)"], "ask": ["Bash(make *)"], "deny": ["Read(secrets/**)"]},
    "rules": [
        {
            "id": "all-but-input",
            "effect": "ask",
            "tools": ["Bash"],
            "command": ["cp *"],
            "path": ["/docs/**"],
            "access": "write",
            "domain": ["*.example.com"],
            "when": "call.tool == 'Bash'",
            "agent": {"host": ["claude-code"], "type": ["main"], "async": False, "main": True},
            "modes": ["default"],
            "reason": "for people",
            "agent_message": "for the model",
            "dry_run": True,
            "expires": "2030-12-31",
        },
        {
            "id": "input",
            "effect": "deny",
            "tools": [
                {
                    "source": "mcp",
                    "server": "pg",
                    "tool": "query",
                    "kind": "other",
                    "read_only": True,
                    "destructive": False,
                    "open_world": False,
                }
            ],
            "input": {"database": ["prod", 1, True, None]},
            "absent": "match",
            "examples": {"match": [_CALL], "no_match": [{**_CALL, "input": {"database": "dev"}}]},
        },
    ],
    "modes": {"default": "default", "allowed": ["default", "plan", "acceptEdits", "auto", "dontAsk"]},
    "enforcement": "enforce",
    "headless": "deny",
    "safe_tools": ["Grep", {"tool": "Read", "agent": {"type": ["explore"]}}],
    "protected_paths": [
        {"id": "org.schema", "path": "schema.sql", "access": "write", "effect": "ask", "exceptions": ["/x/schema.sql"]}
    ],
    "workspace": {
        "allow_roots": ["~/src/**"],
        "reads": "anywhere",
        "trust_repositories": "listed",
        "trusted_repositories": ["~/src/ours"],
        "edits_in_auto": "classify",
        "recursive_reads": "allow",
    },
    "agents": {
        "deny_all": ["Agent"],
        "deny": {"explore": ["Edit"]},
        "async_allow": ["Read"],
        "coordinators": {"types": ["lead"], "tools": ["Agent"]},
    },
    "tools": {
        "extra": [
            {
                "name": "own_tool",
                "description": "does it",
                **_TOOL,
                "required": ["/a"],
                "unsandboxed": "/m",
                "typed": "/n",
                "variants": [{"when": {"/o": "view"}, **_TOOL}],
            }
        ],
        "overrides": [{"tool": "mcp__pg__query", **_TOOL, "required": ["/a"]}],
    },
    "disable": [{"id": "builtin.ask-git-push", "reason": "reviewed elsewhere"}],
    "classifier": {
        "environment": [{**_PROSE, "id": "org.a"}],
        "allow": [{**_PROSE, "id": "org.b"}],
        "soft_block": [{**_PROSE, "id": "org.c"}],
        "hard_block": [{**_PROSE, "id": "org.d"}],
        "on_block": "deny",
        "on_unavailable": "ask",
        "fast_block": "final",
        "recent_calls": 10,
    },
    "data": {"oncall": ["alice"], "limits": {"a": 1}},
    "team_allow": {
        "tools": ["WebSearch"],
        "commands": ["npm run *"],
        "paths": ["docs/**"],
        "domains": ["*.python.org"],
    },
    "lint": {"ignore": [{"id": "organisation:x", "findings": ["suspended"], "reason": "known"}]},
    "mcp": {"unregistered": "judge", "changes": "any", "first_sight": "accept"},
    "breaker": {"consecutive": 3, "total": 20},
    "approvals": {"trust_host": True, "ttl": "15m"},
    "hosts": {"claude-code": {"authority": "beside"}},
}
"""All but ``programs``, whose form is described with the programs."""

TEAM: dict[str, Any] = {
    "version": 1,
    "applies_to": {"groups": ["g"], "principals": ["p"], "hosts": ["claude-code"], "repositories": ["//src/**"]},
    "permissions": {"deny": ["Read(ledger/**)"]},
}
