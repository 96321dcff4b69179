"""OpenCode's ``permission``: for each tool an action, or patterns of which the last that fits wins.

Here deny beats ask beats allow, whatever the order: what stands behind a stricter entry for the same tool and is looser
isn't carried over, since it would mean nothing.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from lineclear.core.rules.rule import Effect
from lineclear.policyfiles.importing.faults import ImportFault

if TYPE_CHECKING:
    from lineclear.policyfiles.importing.draft import Draft

_ACTIONS = {"allow": Effect.ALLOW, "ask": Effect.ASK, "deny": Effect.DENY}
_TOOLS = {
    "bash": "Bash", "edit": "Edit", "write": "Edit", "read": "Read", "grep": "Grep", "glob": "Glob", "list": "Glob",
    "webfetch": "WebFetch", "websearch": "WebSearch", "task": "Agent", "skill": "Skill",
}  # fmt: skip
_STRICTNESS = {Effect.ALLOW: 0, Effect.ASK: 1, Effect.DENY: 2}


def read(text: str, where: str, draft: Draft) -> None:
    """Add what a configuration says. Raises ``ImportFault`` where it is none."""
    try:
        settings = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ImportFault(f"{where}: not JSON: {error}") from None
    permission = settings.get("permission", {}) if isinstance(settings, dict) else None
    if not isinstance(permission, dict):
        raise ImportFault(f"{where}: `permission` must be an object")
    for tool, wanted in permission.items():
        _tool(tool, wanted, f"{where} permission.{tool}", draft)


def _tool(tool: str, wanted: Any, where: str, draft: Draft) -> None:
    name = _TOOLS.get(tool)
    if name is None:
        draft.drop(where, tool, "there is no such kind of tool here")
        return
    entries = wanted if isinstance(wanted, dict) else {"*": wanted}
    strictest = -1
    for pattern, action in entries.items():
        told = f"{pattern}: {action}"
        effect = _ACTIONS.get(str(action))
        if effect is None:
            draft.drop(where, told, "it has no action that is known")
            continue
        if pattern == "*" and effect is Effect.ASK and len(entries) > 1:
            draft.drop(where, told, "what no rule settles is asked anyway, or as the session's mode says")
            continue
        if _STRICTNESS[effect] < strictest:
            draft.drop(where, told, "a stricter entry before it wins here; narrow that one if they overlap")
            continue
        strictest = max(strictest, _STRICTNESS[effect])
        draft.carry(effect, name if pattern == "*" else _pattern(name, pattern), where, told)


def _pattern(name: str, pattern: str) -> str:
    if name == "WebFetch":
        return f"{name}(domain:{pattern})"
    return f"{name}({pattern})"
