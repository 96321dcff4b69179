"""One rule of Claude Code on its way: carried over, with what it means there and not here told or made up for.

The rule language is nearly this one. What differs is what this module knows: older names of tools, paths that begin at
the settings file, braces, entries that were saved out of a whole command line, and what Claude Code itself takes out of
a wildcard. Source: "Configure permissions", the sections "Permission rule syntax", "Bash" and "Read and Edit".
"""

from __future__ import annotations

import json
import re
from enum import StrEnum
from itertools import product
from typing import TYPE_CHECKING

from lineclear.core.rules.rule import Effect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.policyfiles.importing.draft import Draft


class Scope(StrEnum):
    """Whose settings a file holds, the weakest first."""

    USER = "user"
    PROJECT = "project"
    LOCAL = "local"
    MANAGED = "managed"


_FORM = re.compile(r"([^()]+)\((.*)\)", re.DOTALL)
_RENAMED = {"Task": "Agent", "SlashCommand": "Skill", "NotebookRead": "Read", "LS": "Glob", "BashOutput": "TaskOutput"}
_SHELLS = frozenset({"Bash", "PowerShell"})
_BY_PATH = frozenset({"Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "Grep", "Glob"})
_CONSULTED = frozenset({"Read", "Edit"})
"""The tools whose path rules Claude Code goes by; those of the others are taken and never looked at."""
_OWN_FIELD = {
    "Bash": "command", "PowerShell": "command", "Read": "file_path", "Edit": "file_path", "Write": "file_path",
    "Grep": "path", "Glob": "path", "NotebookEdit": "notebook_path", "WebFetch": "url",
}  # fmt: skip
"""Fields that a rule can't name there: they have a form of their own."""
_FIELDS = {
    "Bash": frozenset({"description", "timeout", "run_in_background", "dangerouslyDisableSandbox"}),
    "PowerShell": frozenset({"description", "timeout", "run_in_background"}),
}
"""The other fields of tools whose brackets hold something else here."""
_ASSIGNMENT = re.compile(r"\s*(?:[A-Za-z_]\w*=(?:'[^']*'|\"[^\"]*\"|[^\s'\"]*)\s+)+")
_KEYWORD = re.compile(r"\s*(?:for|while|until|if|then|else|elif|fi|do|done|case|esac|function)\b(?!-)")
_ALWAYS_ASKED = frozenset({"watch", "setsid", "ionice", "flock", "find"})
"""Programs that run others, of which no wildcard approves any call there: of `find` those with -exec and -delete."""
_PARAMETER = re.compile(r"([A-Za-z_]\w*)\s*:\s*(?!//)(.+)", re.DOTALL)
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_QUOTED_STAR = re.compile(r"'[^']*\*[^']*'|\"[^\"]*\*[^\"]*\"")
_MOST_ALTERNATIVES = 50


class Entry:
    """One rule as it was written; ``carry`` puts what it means into the draft."""

    def __init__(self, entry: object, effect: Effect, scope: Scope, where: str, draft: Draft) -> None:
        self._entry = entry if isinstance(entry, str) else json.dumps(entry)
        self._text = entry.strip() if isinstance(entry, str) else None
        self._effect = effect
        self._scope = scope
        self._where = where
        self._draft = draft

    def carry(self) -> None:
        """Put it into the draft, or note why it can't be."""
        if self._text is None:
            self._drop("a rule is a text")
            return
        form = _FORM.fullmatch(self._text)
        name = self._name(form[1].strip() if form else self._text)
        argument = form[2].strip() if form else ""
        if form is None or argument == "*":
            self._put(name)
        elif self._names_a_field(name, argument):
            return
        elif name in _SHELLS:
            self._command(name, argument)
        elif name in _BY_PATH:
            self._path(name, argument)
        elif name.startswith("mcp__"):
            self._server(name, argument)
        elif name == "Skill":
            named = argument if self._effect is Effect.ALLOW else argument.removeprefix("skill:")
            self._put(f"{name}({named.strip().removeprefix('/')})")
        elif argument == "domain:*":
            self._put(name)
        else:
            self._put(f"{name}({argument})")

    def drop(self, why: str) -> None:
        """Note that it isn't carried over, for a reason that isn't its own."""
        self._drop(why)

    def _name(self, name: str) -> str:
        renamed = _RENAMED.get(name)
        if renamed is None:
            return name
        self._change(f"`{name}` is `{renamed}` here")
        return renamed

    def _names_a_field(self, name: str, argument: str) -> bool:
        """Whether it is about a field of the input in a form that means another thing here, or nothing there."""
        form = _PARAMETER.fullmatch(argument)
        if form is None:
            return False
        key, value = form[1], form[2].strip()
        if _OWN_FIELD.get(name) == key:
            self._drop(f"Claude Code goes past rules about `{key}`; write what is meant in the form of `{name}`")
        elif key in _FIELDS.get(name, ()):
            self._drop(f"write a rule of the long form with `tools: [{name}]` and `input: {{{key}: {value}}}`")
        elif name == "Agent":
            self._put(f"{name}({key}:{value})")
        else:
            return False
        return True

    def _server(self, name: str, argument: str) -> None:
        if self._effect is not Effect.ALLOW and _PARAMETER.fullmatch(argument):
            self._change("Claude Code goes past rules for servers' tools with brackets in settings; here it holds")
        self._put(f"{name}({argument})")

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
        if command in {":*", ""}:
            self._put(name)
        elif self._effect is Effect.ALLOW:
            self._allowed(name, command)
        else:
            self._put(f"{name}({command})")

    def _allowed(self, name: str, command: str) -> None:
        program = command.split(maxsplit=1)[0].removesuffix(":*")
        if program in _ALWAYS_ASKED and "*" in command:
            reads = "; what of it only reads needs no rule" if program == "find" else ""
            self._drop(f"Claude Code approves no wildcard over what `{program}` runs or removes: name each call{reads}")
            return
        body = command.removesuffix(":*")
        if _QUOTED_STAR.search(body):
            self._change("a star within quotes is the character; write `*` outside of them")
        if command.endswith(" *") and "*" in command[:-2]:
            self._change("behind another star the last one is a word that must be there, so it is written twice")
            command += " *"
        self._put(f"{name}({command})")

    def _path(self, name: str, path: str) -> None:
        if name not in _CONSULTED:
            if self._effect is Effect.ALLOW:
                tool = "Read" if name in {"Grep", "Glob"} else "Edit"
                self._drop(f"Claude Code goes by path rules of `Read` and `Edit` only; write `{tool}({path})`")
                return
            self._change("Claude Code goes by path rules of `Read` and `Edit` only; here it holds")
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
