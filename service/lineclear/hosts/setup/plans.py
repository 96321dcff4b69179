"""What goes into which file of a host, by scope: entries that are merged, or files that are ours alone."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from lineclear.hosts import cursor
from lineclear.hosts.abilities import Moment
from lineclear.hosts.registry import HOSTS
from lineclear.hosts.setup.opencode_plugin import plugin

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lineclear.core.call import JSON
    from lineclear.hosts.abilities import Abilities

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """How the hook reaches the service.

    ``shim`` are the words that start the shim, without its arguments; ``reach`` its arguments that tell the way.
    ``url`` is the service's address for hosts that post by themselves, with ``key_variable`` for the key's name in
    their environment; None to use the shim. ``fail`` is what the shim does without an answer: ask, block or open.
    """

    shim: tuple[str, ...]
    reach: tuple[str, ...]
    fail: str
    url: str | None = None
    key_variable: str = "LINECLEAR_KEY"

    def start(self, host: str) -> tuple[str, ...]:
        """The words that every command of a host begins with."""
        return (*self.shim, host, *self.reach)

    def command(self, host: str, event: str) -> str:
        """The command of one event's hook, for a shell. Where nothing waits for an answer, a failure passes."""
        moment = HOSTS[host].abilities.events[event]
        waited = moment is Moment.CALL or (moment is Moment.PERMISSION and self.fail == "block")
        return shlex.join((*self.start(host), "--event", event, "--fail", self.fail if waited else "pass"))


@dataclass(frozen=True, slots=True)
class Merge:
    """Entries for a file that may hold much else: one for the end of the list at each path."""

    file: str
    entries: Mapping[Path, JSON]
    extra: Mapping[str, JSON] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Whole:
    """A file that is ours alone."""

    file: str
    content: str
    executable: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What ``install`` writes; ``advice`` is what its person must still do or know."""

    steps: tuple[Merge | Whole, ...]
    advice: tuple[str, ...] = ()


def scopes(host: str) -> tuple[str, ...]:
    """The scopes of a host, the usual one first."""
    return tuple(_FILES[host])


def files(host: str, gate: str) -> tuple[tuple[str, str], ...]:
    """The file of each scope that holds the hook before a tool, whose event is ``gate``."""
    ending = f"/{gate}" if host == "cline" else ""
    return tuple((scope, file + ending) for scope, file in _FILES[host].items())


def plan(host: str, scope: str, way: Way) -> Plan:
    """The plan for a host. ``~`` in its files stands for the home, ``.`` for the project's folder."""
    abilities, file = HOSTS[host].abilities, _FILES[host][scope]
    if host in _WHOLE:
        return _WHOLE[host](abilities, file, way)
    make, extra = _MERGED[host]
    entries: dict[Path, JSON] = {
        ("hooks", event): make(abilities, event, way)
        for event, moment in abilities.events.items()
        if (host, event) not in _LEFT_OUT and moment is not Moment.START
    }
    return Plan((Merge(file, entries, extra),), _ADVICE.get(host, ()))


def _claude_code(abilities: Abilities, event: str, way: Way) -> JSON:
    hook: dict[str, JSON]
    if way.url is None:
        hook = {"type": "command", "command": way.command(abilities.name, event)}
    else:
        hook = {
            "type": "http",
            "url": f"{way.url}/v1/hooks/{abilities.name}?event={event}",
            "headers": {"Authorization": f"Bearer ${way.key_variable}"},
            "allowedEnvVars": [way.key_variable],
        }
    hook["timeout"] = int(abilities.deadline_s)
    if abilities.events[event].gates and way.fail != "open":
        hook["onFailure"] = "block"
    matched: dict[str, JSON] = {"matcher": "*"} if abilities.events[event] in _OF_TOOLS else {}
    return matched | {"hooks": [hook]}


def _codex(abilities: Abilities, event: str, way: Way) -> JSON:
    hook: dict[str, JSON] = {"type": "command", "command": way.command(abilities.name, event)}
    hook["timeout"] = int(abilities.deadline_s)
    matched: dict[str, JSON] = {"matcher": "*"} if abilities.events[event] in _OF_TOOLS else {}
    return matched | {"hooks": [hook]}


def _gemini_cli(abilities: Abilities, event: str, way: Way) -> JSON:
    hook: dict[str, JSON] = {"name": "lineclear", "type": "command", "command": way.command(abilities.name, event)}
    hook["timeout"] = int(abilities.deadline_s * 1000)
    matched: dict[str, JSON] = {"matcher": "*"} if abilities.events[event] in _OF_TOOLS else {}
    return matched | {"hooks": [hook]}


def _cursor(abilities: Abilities, event: str, way: Way) -> JSON:
    if way.fail == "ask" and event not in cursor.ASKS:
        way = replace(way, fail="block")
    hook: dict[str, JSON] = {"command": way.command(abilities.name, event), "timeout": int(abilities.deadline_s)}
    if abilities.events[event].gates and way.fail != "open":
        hook["failClosed"] = True
    return hook


def _windsurf(abilities: Abilities, event: str, way: Way) -> JSON:
    return {"command": way.command(abilities.name, event), "show_output": True}


def _copilot_cli(abilities: Abilities, file: str, way: Way) -> Plan:
    hooks: dict[str, JSON] = {
        event: [{"type": "command", "bash": way.command(abilities.name, event), "timeoutSec": 30}]
        for event in ("preToolUse", "postToolUse", "userPromptSubmitted")
    }
    return Plan((Whole(file, _json({"version": 1, "hooks": hooks})),), _ADVICE["copilot-cli"])


def _kiro(abilities: Abilities, file: str, way: Way) -> Plan:
    hooks: list[JSON] = [
        {
            "name": f"lineclear {event}",
            "trigger": event,
            "matcher": "*",
            "action": {"type": "command", "command": way.command(abilities.name, event)},
            "timeout": 30,
        }
        for event in ("PreToolUse", "UserPromptSubmit")
    ]
    return Plan((Whole(file, _json({"version": "v1", "hooks": hooks})),))


def _cline(abilities: Abilities, file: str, way: Way) -> Plan:
    steps = tuple(
        Whole(f"{file}/{event}", f"#!/bin/sh\nexec {way.command(abilities.name, event)}\n", executable=True)
        for event in abilities.events
    )
    return Plan(steps)


def _opencode(abilities: Abilities, file: str, way: Way) -> Plan:
    return Plan((Whole(file, plugin(way.start(abilities.name), way.fail)),))


def _json(document: JSON) -> str:
    return json.dumps(document, indent=2) + "\n"


_OF_TOOLS = frozenset({Moment.CALL, Moment.PERMISSION, Moment.RESULT, Moment.FAILURE})
_LEFT_OUT = frozenset({("codex", "SessionEnd")})
"""Events that are understood where they come, and not asked for."""
_FILES: Mapping[str, Mapping[str, str]] = {
    "claude-code": {
        "user": "~/.claude/settings.json",
        "project": "./.claude/settings.json",
        "local": "./.claude/settings.local.json",
        "managed": "/etc/claude-code/managed-settings.json",
    },
    "codex": {"user": "~/.codex/hooks.json", "project": "./.codex/hooks.json"},
    "gemini-cli": {
        "user": "~/.gemini/settings.json",
        "project": "./.gemini/settings.json",
        "managed": "/etc/gemini-cli/settings.json",
    },
    "opencode": {"user": "~/.config/opencode/plugin/lineclear.js", "project": "./.opencode/plugin/lineclear.js"},
    "cursor": {
        "user": "~/.cursor/hooks.json",
        "project": "./.cursor/hooks.json",
        "managed": "/etc/cursor/hooks.json",
    },
    "copilot-cli": {"user": "~/.copilot/hooks/lineclear.json", "project": "./.github/hooks/lineclear.json"},
    "windsurf": {
        "user": "~/.codeium/windsurf/hooks.json",
        "project": "./.windsurf/hooks.json",
        "managed": "/etc/windsurf/hooks.json",
    },
    "cline": {"user": "~/Documents/Cline/Hooks", "project": "./.clinerules/hooks"},
    "kiro": {"project": "./.kiro/hooks/lineclear.json", "user": "~/.kiro/hooks/lineclear.json"},
}
_MERGED: Mapping[str, tuple[Callable[[Abilities, str, Way], JSON], Mapping[str, JSON]]] = {
    "claude-code": (_claude_code, {}),
    "codex": (_codex, {}),
    "gemini-cli": (_gemini_cli, {}),
    "cursor": (_cursor, {"version": 1}),
    "windsurf": (_windsurf, {}),
}
_WHOLE: Mapping[str, Callable[[Abilities, str, Way], Plan]] = {
    "copilot-cli": _copilot_cli,
    "kiro": _kiro,
    "cline": _cline,
    "opencode": _opencode,
}
_ADVICE: Mapping[str, tuple[str, ...]] = {
    "codex": ("Codex runs new hooks only once you trust them: start it, type /hooks, and trust Lineclear's",),
    "copilot-cli": ("Copilot CLI lets a call go ahead whose hook exceeds its time",),
}
