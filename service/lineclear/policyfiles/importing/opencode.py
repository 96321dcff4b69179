"""OpenCode's ``permission``: for each tool an action, or patterns of which the last that fits wins.

Here deny beats ask beats allow, whatever the order: what stands behind a stricter entry for the same tool and is looser
isn't carried over, since it would mean nothing. Source: "Permissions" of OpenCode's manual.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from lineclear.core.rules.rule import Effect
from lineclear.policyfiles.importing import opencode_patterns
from lineclear.policyfiles.importing.faults import ImportFault
from lineclear.policyfiles.importing.opencode_patterns import NoCounterpart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.policyfiles.importing.draft import Draft

_ACTIONS = {"allow": Effect.ALLOW, "ask": Effect.ASK, "deny": Effect.DENY}
_TOOLS = {
    "bash": "Bash", "edit": "Edit", "write": "Edit", "patch": "Edit", "multiedit": "Edit", "read": "Read",
    "grep": "Grep", "glob": "Glob", "list": "Glob", "webfetch": "WebFetch", "websearch": "WebSearch", "task": "Agent",
    "skill": "Skill",
}  # fmt: skip
_BY_PATH = frozenset({"edit", "write", "patch", "multiedit", "read", "list"})
_STRICTNESS = {Effect.ALLOW: 0, Effect.ASK: 1, Effect.DENY: 2}
_TEXT = r'"(?:\\.|[^"\\])*"'
_COMMENT = re.compile(rf"({_TEXT})|//[^\n]*|/\*.*?\*/", re.DOTALL)
_LAST_COMMA = re.compile(rf"({_TEXT})|,(?=\s*[}}\]])", re.DOTALL)
_ANYWAY = "what no rule settles is asked anyway, or as the session's mode says"


def read(text: str, where: str, draft: Draft) -> None:
    """Add what a configuration says. Raises ``ImportFault`` where it is none."""
    try:
        settings = json.loads(_without_comments(text))
    except (ValueError, RecursionError) as error:
        raise ImportFault(f"{where}: not JSON: {error}") from None
    permission = settings.get("permission", {}) if isinstance(settings, dict) else None
    if isinstance(permission, str):
        permission = {"*": permission}
    if not isinstance(permission, dict):
        raise ImportFault(f"{where}: `permission` must be an object, or one action")
    for tool, wanted in permission.items():
        _tool(tool, wanted, f"{where} permission.{tool}", draft)
    _switched(settings.get("tools"), where, draft)
    for agent in _with_own(settings.get("agent")):
        draft.drop(where, f"agent.{agent}", "write `agents.deny` for its type, or rules with `agent: {type}`")


def _without_comments(text: str) -> str:
    """JSON out of what people may write: comments, and commas behind the last entry."""
    return _LAST_COMMA.sub(r"\1", _COMMENT.sub(r"\1", text))


def _tool(tool: str, wanted: Any, where: str, draft: Draft) -> None:
    entries = wanted if isinstance(wanted, dict) else {"*": wanted}
    if tool == "*":
        _everything(entries, where, draft)
        return
    name = _TOOLS.get(tool)
    if name is None:
        for pattern, action in entries.items():
            draft.drop(where, f"{pattern}: {action}", "there is no such kind of tool here")
        return
    strictest = -1
    for pattern, action in entries.items():
        told = f"{pattern}: {action}"
        effect = _ACTIONS.get(str(action))
        if effect is None:
            draft.drop(where, told, "it has no action that is known")
            continue
        if pattern == "*" and effect is Effect.ASK and len(entries) > 1:
            draft.drop(where, told, _ANYWAY)
            continue
        if _STRICTNESS[effect] < strictest:
            draft.drop(where, told, "a stricter entry before it wins here; narrow that one if they overlap")
            continue
        strictest = max(strictest, _STRICTNESS[effect])
        _carry(tool, name, pattern, effect, where, draft)


def _everything(entries: dict[str, Any], where: str, draft: Draft) -> None:
    for pattern, action in entries.items():
        told = f"{pattern}: {action}"
        if action == "deny":
            draft.carry(Effect.DENY, "*", where, told)
            draft.change(
                where, told, "no later entry takes a tool out of it here; `dontAsk` as the mode leaves rules room"
            )
        else:
            draft.drop(where, told, _ANYWAY if action == "ask" else "no rule allows every tool")


def _carry(tool: str, name: str, pattern: str, effect: Effect, where: str, draft: Draft) -> None:
    told = f"{pattern}: {effect}"
    try:
        texts = [name] if pattern == "*" else list(_texts(tool, name, pattern, effect))
    except NoCounterpart as error:
        draft.drop(where, told, str(error))
        return
    if pattern != "*" and tool in {"grep", "glob"}:
        draft.drop(where, told, f"it is about what is searched for; write `{name}(path)` for where")
        return
    for text in texts:
        draft.carry(effect, text, where, told)
    if texts not in ([name], [f"{name}({pattern})"]):
        draft.change(
            where, told, "written so that it means no less where it denies or asks, and no more where it allows"
        )


def _texts(tool: str, name: str, pattern: str, effect: Effect) -> Iterator[str]:
    if tool == "bash":
        yield f"{name}({opencode_patterns.command(pattern, effect)})"
    elif tool in _BY_PATH:
        yield from (f"{name}({path})" for path in opencode_patterns.paths(pattern, effect))
    elif tool == "webfetch":
        yield f"{name}({opencode_patterns.address(pattern, effect)})"
    else:
        yield f"{name}({pattern})"


def _switched(tools: Any, where: str, draft: Draft) -> None:
    """The older list of tools that are switched on or off."""
    for tool, on in tools.items() if isinstance(tools, dict) else ():
        place = f"{where} tools.{tool}"
        if on is False and tool in _TOOLS:
            draft.carry(Effect.DENY, _TOOLS[tool], place, f"{tool}: false")
        else:
            why = "a tool that is on needs no rule" if on is True else "there is no such kind of tool here"
            draft.drop(place, f"{tool}: {json.dumps(on)}", why)


def _with_own(agents: Any) -> Iterator[str]:
    for agent, settings in agents.items() if isinstance(agents, dict) else ():
        if isinstance(settings, dict) and settings.keys() & {"permission", "tools"}:
            yield agent
