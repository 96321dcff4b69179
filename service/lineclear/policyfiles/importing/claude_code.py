"""Claude Code's settings: ``permissions`` of a user's, a project's, a local or a managed file, taken together.

Lists of all files are joined, and what one denies no other allows; of a mode the strongest file's counts; and a managed
file can say that only its own rules do. Source: "Configure permissions", the sections "Settings precedence" and
"Managed settings"; "Settings", the section on permissions.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lineclear.core.modes import Mode
from lineclear.core.rules.rule import Effect
from lineclear.policyfiles.importing.claude_rules import Entry, Scope
from lineclear.policyfiles.importing.faults import ImportFault

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lineclear.policyfiles.importing.draft import Draft

_ELSEWHERE = {
    "additionalDirectories": "workspaces are what the host says of a call; bound them with `workspace.allow_roots`",
    "allowManagedPermissionRulesOnly": "there is one policy, the security team's; `team_allow` bounds the teams",
    "blockReadsOutsideWorkingDirectories": "write `workspace: {reads: inside}`",
    "disableAutoMode": "list the modes that there shall be in `modes.allowed`",
    "disableBypassPermissionsMode": "`modes.allowed` holds it only where the organisation lists it",
    "sandbox": "a sandbox is the host's own business",
    "hooks": "hooks are the host's own business",
}
_ONLY_MANAGED = "allowManagedPermissionRulesOnly"
_NOT_A_PROJECT_S = frozenset({Mode.AUTO.value, Mode.BYPASS.value})
"""Modes that a project can't begin in on its own word."""


@dataclass(frozen=True, slots=True)
class File:
    """A settings file: whose it is, its text, and its name in notes."""

    scope: Scope
    text: str
    where: str


def read(files: Iterable[File], draft: Draft) -> None:
    """Add what settings files say together. Raises ``ImportFault`` where one is no settings file."""
    order = list(Scope)
    found = [(file, _settings(file)) for file in sorted(files, key=lambda file: order.index(file.scope))]
    closed = any(file.scope is Scope.MANAGED and settings.get(_ONLY_MANAGED) is True for file, settings in found)
    for file, settings in found:
        permissions = settings.get("permissions", {})
        for key, why in _ELSEWHERE.items():
            if key in permissions or key in settings:
                draft.drop(file.where, key, why)
        _rules(permissions, file, draft, ignored=closed and file.scope is not Scope.MANAGED)
        _mode(permissions, file, draft)


def _settings(file: File) -> dict[str, Any]:
    try:
        settings = json.loads(file.text)
    except (ValueError, RecursionError) as error:
        raise ImportFault(f"{file.where}: not JSON: {error}") from None
    if not isinstance(settings, dict):
        raise ImportFault(f"{file.where}: settings are a JSON object")
    if not isinstance(settings.get("permissions", {}), dict):
        raise ImportFault(f"{file.where}: `permissions` must be an object")
    return settings


def _rules(permissions: dict[str, Any], file: File, draft: Draft, *, ignored: bool) -> None:
    for effect in reversed(Effect):
        entries = permissions.get(effect.value, [])
        if not isinstance(entries, list):
            raise ImportFault(f"{file.where}: `permissions.{effect}` must be a list")
        for one in entries:
            entry = Entry(one, effect, file.scope, f"{file.where} permissions.{effect}", draft)
            if ignored:
                entry.drop(f"the managed settings say `{_ONLY_MANAGED}`")
            else:
                entry.carry()


def _mode(permissions: dict[str, Any], file: File, draft: Draft) -> None:
    mode, where = permissions.get("defaultMode"), file.where
    if mode is None:
        return
    if not isinstance(mode, str) or mode not in {one.value for one in Mode}:
        draft.drop(where, f"defaultMode: {mode}", "there is no such mode here")
    elif file.scope in {Scope.PROJECT, Scope.LOCAL} and mode in _NOT_A_PROJECT_S:
        draft.drop(where, f"defaultMode: {mode}", "Claude Code takes this mode from no project's settings")
    elif mode == Mode.BYPASS.value:
        draft.drop(where, f"defaultMode: {mode}", "it must be allowed first, in `modes.allowed`; think twice")
    else:
        draft.default_mode = mode
