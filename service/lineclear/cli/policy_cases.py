"""``lineclear policy test``: decision cases, tried without a service."""

from __future__ import annotations

import json
import sys
from pathlib import Path  # noqa: TC003 - the framework reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer
from watchfiles import watch

from lineclear import resources
from lineclear.cli.failure import FOUND, Failure
from lineclear.cli.output import Output, as_json
from lineclear.cli.policy_folder import named, told
from lineclear.policyfiles import cases, sources
from lineclear.policyfiles.problems import PolicyError
from lineclear.policyfiles.trying import Bench
from lineclear.policyfiles.watch import LOOK_EVERY_MS, look

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.policyfiles.trying import Report


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("test")(run_cases)


def run_cases(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Case files, or folders of them; the policies' `tests` if none.")
    ] = None,
    policies: Annotated[Path | None, typer.Option(help="Folder of the policies.")] = None,
    output: Annotated[Output, typer.Option(help="How to print the report.")] = Output.TEXT,
    again: Annotated[
        bool, typer.Option("--watch", help="Run again whenever a file changes, until interrupted.")
    ] = False,
) -> None:
    """Run decision cases and print those that fail, and which rules none of them matches.

    The exit status is 1 if any case fails, or if there are none.
    """
    place = named(policies)
    given = paths or [place / "tests"]
    seen = _look(place, given)
    passed = _run(place, given, output)
    for _ in _ticks(place, given) if again else ():
        if (now := _look(place, given)) == seen:
            continue
        seen = now
        print(flush=True)
        try:
            passed = _run(place, given, output)
        except Failure as failure:  # half-edited: the next change is tried again
            passed = False
            print(failure, file=sys.stderr)
    if not passed:
        raise typer.Exit(FOUND)


def _run(place: Path, paths: list[Path], output: Output) -> bool:
    """Run the cases once and print the report; whether there are any, and all passed. Raises ``Failure``."""
    with told():
        found = [case for file in cases.find(paths) for case in cases.read(file)]
        report = Bench(place, resources.builtin()).run(found)
    if output is Output.JSON:
        as_json(report.as_json())
        sys.stdout.flush()
    else:
        print("\n".join(_lines(report)), flush=True)
    return bool(report.tried) and not report.failed


def _ticks(place: Path, paths: list[Path]) -> Iterator[object]:
    """Something whenever a file changes, and now and then where the system doesn't say so."""
    there = {path.resolve() for path in (place, *paths) if path.exists()}
    return watch(*there, rust_timeout=LOOK_EVERY_MS, yield_on_timeout=True)


def _look(place: Path, paths: list[Path]) -> object:
    """What can be seen of all that a run depends on."""
    try:
        return look([*sources.looked_at(place), *cases.find(paths)])
    except PolicyError:  # a path is gone; the run says so
        return None


def _lines(report: Report) -> Iterator[str]:
    for one in report.failed:
        yield f"{one.case.file}: {one.case.id}: {one.case.title}"
        yield f"  expected  {_told(one.expected)}"
        yield f"  got       {_told(one.got)}"
    if not report.tried:
        yield "there are no cases"
    yield from report.coverage.as_text()
    yield f"{len(report.tried) - len(report.failed)} passed, {len(report.failed)} failed"


def _told(side: object) -> str:
    return json.dumps(side, ensure_ascii=False)
