"""``lineclear policy lint``: what can't be loaded, and what loads and doesn't do what it seems to."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lineclear import resources
from lineclear.cli.counted import counted
from lineclear.cli.failure import FOUND
from lineclear.cli.output import as_json
from lineclear.cli.policy_folder import named
from lineclear.policyfiles.checking import checked
from lineclear.policyfiles.lint import report
from lineclear.policyfiles.lint.finding import Level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.policyfiles.lint.finding import Finding
    from lineclear.policyfiles.problems import Problem


class Output(StrEnum):
    """How findings are printed."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


class FailOn(StrEnum):
    """The lowest level of a finding that makes the exit status 1."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"
    NEVER = "never"


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("lint")(find)


def find(
    policies: Annotated[Path | None, typer.Option(help="Folder of the policies.")] = None,
    output: Annotated[Output, typer.Option(help="How to print what is found.")] = Output.TEXT,
    fail_on: Annotated[FailOn, typer.Option(help="The lowest level that makes the exit status 1.")] = FailOn.ERROR,
) -> None:
    """Print what is wrong with the policies and what in them doesn't mean what it seems to."""
    place = named(policies)
    found = checked(place, resources.builtin(), datetime.now(UTC).date())
    findings, problems = found.findings, found.problems
    match output:
        case Output.TEXT:
            known = f", {len(found.ignored)} ignored" if found.ignored else ""
            print("\n".join([*report.as_text(findings, problems), _summary(findings, problems) + known]))
        case Output.JSON:
            as_json(report.as_json(findings, problems))
        case Output.SARIF:
            as_json(report.as_sarif(findings, problems, found.ignored, folder=_seen_from_here(place)))
    if problems or any(_counts(one.level, fail_on) for one in findings):
        raise typer.Exit(FOUND)


def _seen_from_here(place: Path) -> str:
    """The folder as a repository's own tools name it, if they run where this does; nothing where it lies elsewhere."""
    try:
        return place.resolve().relative_to(Path.cwd()).as_posix().removeprefix(".")
    except ValueError:
        return ""


def _counts(level: Level, fail_on: FailOn) -> bool:
    levels = list(Level)
    return fail_on is not FailOn.NEVER and levels.index(level) <= levels.index(Level(fail_on.value))


def _summary(findings: Sequence[Finding], problems: Sequence[Problem]) -> str:
    if problems:
        return f"the policies can't be loaded: {len(problems)} to correct"
    counts = [(level, sum(one.level is level for one in findings)) for level in Level]
    return ", ".join(counted(count, level) for level, count in counts)
