"""Claude Code's settings: ``permissions`` of a user's, a project's, a local or a managed file.

The rule language is nearly this one. What differs is what this module knows: older names of tools, paths that begin at
the settings file, braces, and entries that were saved out of a whole command line.
"""

from __future__ import annotations

import json
import re
from enum import StrEnum
from itertools import product
from typing import TYPE_CHECKING, Any

from lineclear.core.modes import Mode
from lineclear.core.rules.rule import Effect
from lineclear.policyfiles.importing.faults import ImportFault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.policyfiles.importing.draft import Draft


class Scope(StrEnum):
    """Whose settings a file holds."""

    USER = "user"
    PROJECT = "project"
    LOCAL = "local"
    MANAGED = "managed"


_FORM = re.compile(r"([^()]+)\((.*)\)", re.DOTALL)
_RENAMED = {"Task": "Agent", "SlashCommand": "Skill", "NotebookRead": "Read", "LS": "Glob", "BashOutput": "TaskOutput"}
_BY_PATH = frozenset({"Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "Grep", "Glob"})
_ASSIGNMENT = re.compile(r"\s*(?:[A-Za-z_]\w*=(?:'[^']*'|\"[^\"]*\"|[^\s'\"]*)\s+)+")
_KEYWORD = re.compile(r"\s*(?:for|while|until|if|then|else|elif|fi|do|done|case|esac|function)\b(?!-)")
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_QUOTED_STAR = re.compile(r"'[^']*\*[^']*'|\"[^\"]*\*[^\"]*\"")
_MOST_ALTERNATIVES = 50
_ELSEWHERE = {
    "additionalDirectories": "workspaces are what the host says of a call; bound them with `workspace.allow_roots`",
    "allowManagedPermissionRulesOnly": "there is one policy, the security team's; `team_allow` bounds the teams",
    "sandbox": "a sandbox is the host's own business",
    "hooks": "hooks are the host's own business",
}


def read(text: str, scope: Scope, where: str, draft: Draft) -> None:
    """Add what a settings file says. Raises ``ImportFault`` where it is no settings file."""
    try:
        settings = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ImportFault(f"{where}: not JSON: {error}") from None
    if not isinstance(settings, dict):
        raise ImportFault(f"{where}: settings are a JSON object")
    permissions = settings.get("permissions", {})
    if not isinstance(permissions, dict):
        raise ImportFault(f"{where}: `permissions` must be an object")
    for key, why in _ELSEWHERE.items():
        if key in permissions or key in settings:
            draft.drop(where, key, why)
    for effect in reversed(Effect):
        entries = permissions.get(effect.value, [])
        if not isinstance(entries, list):
            raise ImportFault(f"{where}: `permissions.{effect}` must be a list")
        for entry in entries:
            _Entry(entry, effect, scope, f"{where} permissions.{effect}", draft).carry()
    _mode(permissions, where, draft)


def _mode(permissions: dict[str, Any], where: str, draft: Draft) -> None:
    mode = permissions.get("defaultMode")
    if mode is None:
        return
    if mode not in {one.value for one in Mode}:
        draft.drop(where, f"defaultMode: {mode}", "there is no such mode here")
    elif mode == Mode.BYPASS.value:
        draft.drop(where, f"defaultMode: {mode}", "it must be allowed first, in `modes.allowed`; think twice")
    else:
        draft.default_mode = mode


class _Entry:
    """One rule on its way."""

    def __init__(self, entry: object, effect: Effect, scope: Scope, where: str, draft: Draft) -> None:
        self._entry = entry if isinstance(entry, str) else json.dumps(entry)
        self._text = entry.strip() if isinstance(entry, str) else None
        self._effect = effect
        self._scope = scope
        self._where = where
        self._draft = draft

    def carry(self) -> None:
        if self._text is None:
            self._drop("a rule is a text")
            return
        form = _FORM.fullmatch(self._text)
        name = self._name(form[1].strip() if form else self._text)
        if form is None:
            self._put(name)
        elif name in {"Bash", "PowerShell"}:
            self._command(name, form[2].strip())
        elif name in _BY_PATH:
            self._path(name, form[2].strip())
        elif name == "Skill":
            self._put(f"{name}({form[2].strip().removeprefix('/')})")
        else:
            self._put(f"{name}({form[2].strip()})")

    def _name(self, name: str) -> str:
        renamed = _RENAMED.get(name)
        if renamed is None:
            return name
        self._change(f"`{name}` is `{renamed}` here")
        return renamed

    def _command(self, name: str, command: str) -> None:
        if _KEYWORD.match(command):
            self._drop("it begins with a word of the shell, and rules match the simple commands in between")
            return
        if (assigned := _ASSIGNMENT.match(command)) is not None:
            if self._effect is Effect.ALLOW:
                self._drop("it sets a variable for the command, which no allow rule covers but for harmless names")
                return
            self._change("variables that are set for a command don't matter to a denial or a question")
            command = command[assigned.end() :]
        if self._effect is Effect.ALLOW and _QUOTED_STAR.search(command.removesuffix(":*")):
            self._change("a star within quotes is the character; write `*` outside of them")
        self._put(f"{name}({command})" if command not in {"*", ":*", ""} else name)

    def _path(self, name: str, path: str) -> None:
        if path.startswith("/") and not path.startswith("//") and self._scope is Scope.USER:
            self._change("`/` began at the folder of the user's settings")
            path = f"~/.claude{path}"
        elif path.startswith("/") and not path.startswith("//") and self._scope is Scope.MANAGED:
            self._change("`/` began at the folder of the managed settings; here it is each workspace")
        alternatives = list(_alternatives(path))
        if len(alternatives) > _MOST_ALTERNATIVES:
            self._drop(f"its braces stand for {len(alternatives)} paths; write what they have in common")
            return
        for one in alternatives:
            self._put(f"{name}({one})")

    def _put(self, text: str) -> None:
        self._draft.carry(self._effect, text, self._where, self._entry)

    def _change(self, why: str) -> None:
        self._draft.change(self._where, self._entry, why)

    def _drop(self, why: str) -> None:
        self._draft.drop(self._where, self._entry, why)


def _alternatives(path: str) -> Iterator[str]:
    """The paths that braces stand for, each written out; those that aren't lists stay for the loader to refuse."""
    pieces = _BRACES.split(path)
    choices = [piece.split(",") if at % 2 else [piece] for at, piece in enumerate(pieces)]
    yield from ("".join(parts) for parts in product(*choices))
