"""``lineclear policy import``: another system's permission lists as a policy file, with notes on what differs."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path  # noqa: TC003 - the framework reads the annotations
from typing import Annotated

import typer

from lineclear import resources
from lineclear.cli.failure import Failure
from lineclear.cli.policy_folder import told
from lineclear.policyfiles.compiling import Beneath
from lineclear.policyfiles.importing import claude_code, codex, gemini, opencode
from lineclear.policyfiles.importing.claude_code import Scope
from lineclear.policyfiles.importing.draft import Draft, Fate
from lineclear.policyfiles.importing.faults import ImportFault


class Host(StrEnum):
    """Whose files are imported."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    GEMINI_CLI = "gemini-cli"
    OPENCODE = "opencode"


class Output(StrEnum):
    """What is printed."""

    YAML = "yaml"
    JSON = "json"


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("import")(import_lists)


def import_lists(
    host: Annotated[Host, typer.Argument(help="Whose files they are.")],
    files: Annotated[list[Path], typer.Argument(help="The files, taken together.")],
    scope: Annotated[
        Scope | None, typer.Option(help="Whose settings a file of Claude Code is; by its place if not given.")
    ] = None,
    output: Annotated[Output, typer.Option(help="What to print.")] = Output.YAML,
) -> None:
    """Print a policy file of other systems' permission lists; entries that change meaning or are dropped are noted."""
    with told():
        draft = Draft(Beneath.read(resources.builtin()).vocabulary)
    for file in files:
        try:
            _read(host, file, file.read_text("utf-8"), scope, draft)
        except (OSError, UnicodeDecodeError) as error:
            raise Failure(f"`{file}` can't be read: {error}") from None
        except ImportFault as fault:
            raise Failure(str(fault)) from None
    if output is Output.JSON:
        print(json.dumps(draft.as_json(), indent=2, ensure_ascii=False))
    else:
        print(draft.as_yaml(), end="")
    carried = sum(len(texts) for texts in draft.rules.values())
    counts = ", ".join(f"{sum(note.fate is fate for note in draft.notes)} {fate}" for fate in Fate)
    print(f"{carried} rules carried over; {counts}", file=sys.stderr)


def _read(host: Host, file: Path, text: str, scope: Scope | None, draft: Draft) -> None:
    match host:
        case Host.CLAUDE_CODE:
            claude_code.read(text, scope or _scope(file), file.name, draft)
        case Host.CODEX:
            codex.read(text, file.name, draft)
        case Host.GEMINI_CLI:
            gemini.read(text, file.name, draft)
        case Host.OPENCODE:
            opencode.read(text, file.name, draft)


def _scope(file: Path) -> Scope:
    """Whose settings a file is by its place, a project's if it could be anybody's."""
    if file.name.startswith("managed-settings"):
        return Scope.MANAGED
    if file.name == "settings.local.json":
        return Scope.LOCAL
    return Scope.USER if file.resolve().parent == (file.home() / ".claude").resolve() else Scope.PROJECT
