"""``lineclear policy test``: decision cases, tried without a service."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path  # noqa: TC003 - the framework reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from lineclear import resources
from lineclear.cli.policy_folder import named, told
from lineclear.policyfiles import cases
from lineclear.policyfiles.trying import Bench

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.policyfiles.trying import Report


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("test")(run_cases)


class Output(StrEnum):
    """How a report is printed."""

    TEXT = "text"
    JSON = "json"


def run_cases(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Case files, or folders of them; the policies' `tests` if none.")
    ] = None,
    policies: Annotated[Path | None, typer.Option(help="Folder of the policies.")] = None,
    output: Annotated[Output, typer.Option(help="How to print the report.")] = Output.TEXT,
) -> None:
    """Run decision cases and print those that fail; the exit status is 1 if any does, or if there are none."""
    place = named(policies)
    with told():
        found = [case for file in cases.find(paths or [place / "tests"]) for case in cases.read(file)]
        report = Bench(place, resources.builtin()).run(found)
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
