"""``lineclear policy``: the security team's own tools, which need no service and no database."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path  # noqa: TC003 - the framework reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from lineclear import resources
from lineclear.bootstrap.policies import folder
from lineclear.bootstrap.problem import CannotStart
from lineclear.cli.failure import Failure
from lineclear.cli.settled import settled
from lineclear.policyfiles import cases
from lineclear.policyfiles.problems import PolicyError
from lineclear.policyfiles.trying import Bench

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.policyfiles.trying import Report

app = typer.Typer(help="Work on policies.", no_args_is_help=True, rich_markup_mode=None)


def add(program: typer.Typer) -> None:
    """Add the verb."""
    program.add_typer(app, name="policy")


class Output(StrEnum):
    """How a report is printed."""

    TEXT = "text"
    JSON = "json"


@app.callback()
def _group() -> None:
    """Work on policies."""


@app.command("test")
def run_cases(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Case files, or folders of them; the policies' `tests` if none.")
    ] = None,
    policies: Annotated[Path | None, typer.Option(help="Folder of the policies.")] = None,
    output: Annotated[Output, typer.Option(help="How to print the report.")] = Output.TEXT,
) -> None:
    """Run decision cases and print those that fail; the exit status is 1 if any does, or if there are none."""
    settings = settled(policies=policies)
    try:
        place = folder(settings.policies)
        found = [case for file in cases.find(paths or [place / "tests"]) for case in cases.read(file)]
        report = Bench(place, resources.builtin()).run(found)
    except CannotStart as error:
        raise Failure(str(error), 2) from None
    except PolicyError as error:
        raise Failure(str(error)) from None
    if output is Output.JSON:
        print(json.dumps(report.as_json(), indent=2, ensure_ascii=False))
    else:
        print("\n".join(_lines(report)))
    if report.failed or not report.tried:
        raise typer.Exit(1)


def _lines(report: Report) -> Iterator[str]:
    for one in report.failed:
        yield f"{one.case.file}: {one.case.id}: {one.case.title}"
        yield f"  expected  {_told(one.expected)}"
        yield f"  got       {_told(one.got)}"
    if not report.tried:
        yield "there are no cases"
    yield f"{len(report.tried) - len(report.failed)} passed, {len(report.failed)} failed"


def _told(side: object) -> str:
    return json.dumps(side, ensure_ascii=False)
