"""``lineclear policy import``: another system's permission lists as a policy file, with notes on what differs."""

from __future__ import annotations

import json
import sys
from collections import Counter
from enum import StrEnum
from pathlib import Path  # noqa: TC003 - the framework reads the annotations
from typing import Annotated

import typer

from lineclear import resources
from lineclear.cli.counted import counted
from lineclear.cli.failure import Failure
from lineclear.cli.policy_folder import told
from lineclear.policyfiles.compiling import Beneath
from lineclear.policyfiles.importing import claude_code, codex, gemini, opencode
from lineclear.policyfiles.importing.claude_rules import Scope
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
    try:
        _read(host, [(file, _text(file)) for file in files], scope, draft)
    except ImportFault as fault:
        raise Failure(str(fault)) from None
    if output is Output.JSON:
        print(json.dumps(draft.as_json(), indent=2))
    else:
        print(draft.as_yaml(), end="")
    counts = Counter(draft.fates.values())
    told_counts = ", ".join(f"{counts[fate]} {fate}" for fate in Fate)
    print(f"{counted(counts.total(), 'entry', 'entries')}: {told_counts}", file=sys.stderr)


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except UnicodeDecodeError:
        raise Failure(f"`{file}` can't be read: it isn't UTF-8; save it so") from None
    except OSError as error:
        raise Failure(f"`{file}` can't be read: {(error.strerror or 'unknown error').lower()}") from None


def _read(host: Host, files: list[tuple[Path, str]], scope: Scope | None, draft: Draft) -> None:
    match host:
        case Host.CLAUDE_CODE:
            claude_code.read((claude_code.File(scope or _scope(file), text, file.name) for file, text in files), draft)
        case Host.CODEX:
            for file, text in files:
                codex.read(text, file.name, draft)
        case Host.GEMINI_CLI:
            for file, text in files:
                gemini.read(text, file.name, draft)
        case Host.OPENCODE:
            for file, text in files:
                opencode.read(text, file.name, draft)


def _scope(file: Path) -> Scope:
    """Whose settings a file is by its place, a project's if it could be anybody's."""
    if file.name.startswith("managed-settings"):
        return Scope.MANAGED
    if file.name == "settings.local.json":
        return Scope.LOCAL
    return Scope.USER if file.resolve().parent == (file.home() / ".claude").resolve() else Scope.PROJECT
