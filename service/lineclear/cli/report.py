"""``lineclear report``: what recorded decisions would have asked or denied, had they been enforced; by rule."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path  # noqa: TC003 - the framework reads the annotations
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lineclear.bootstrap.problem import CannotStart
from lineclear.bootstrap.recorded import of_database, of_file
from lineclear.cli.counted import counted, times
from lineclear.cli.failure import Failure
from lineclear.cli.output import ReviewOutput, reviewed
from lineclear.cli.quoted import cell, line
from lineclear.cli.settled import settled
from lineclear.cli.spans import before_now
from lineclear.engine.log import StorageUnavailable
from lineclear.engine.observed import BY, Observed

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOTHING = (
    "no decision of this time went unenforced: set `enforcement: observe` to try a policy out, or count what was "
    "enforced too with --all"
)


def add(program: typer.Typer) -> None:
    """Add the verb."""
    program.command()(report)


def report(
    file: Annotated[Path | None, typer.Option(help="Exported decisions, JSON lines; the database if none.")] = None,
    since: Annotated[str | None, typer.Option(help="How far to go back: `90m`, `24h`, `7d`, `4w`.")] = None,
    until: Annotated[str | None, typer.Option(help="How long ago to end: `1d`; now if not given.")] = None,
    most: Annotated[int, typer.Option(min=1, help="Most decisions to take from the database, the latest.")] = 100_000,
    counted: Annotated[bool, typer.Option("--all", help="Count what was enforced as well.")] = False,
    output: Annotated[ReviewOutput, typer.Option(help="How to print the report.")] = ReviewOutput.TEXT,
) -> None:
    """Print what would have been asked or denied while decisions weren't enforced, and what rules on trial matched.

    The database is read seven days back if nothing is said; of a file, all of it.
    """
    begin = before_now(since or "7d") if file is None or since is not None else None
    end = before_now(until) if until is not None else datetime.now(UTC) if file is None else None
    found = Observed(enforced=counted)
    try:
        if file is not None:
            for record in of_file(file):
                if (begin is None or record.decided_at >= begin) and (end is None or record.decided_at < end):
                    found.add(record)
        else:
            asyncio.run(_of_database(found, begin, end, most))
    except (CannotStart, StorageUnavailable) as error:
        raise Failure(str(error)) from None
    told = found.as_json() | {"cut_at": most if file is None and found.decisions >= most else None}
    reviewed(told, output, text=_text, markdown=_markdown)


async def _of_database(found: Observed, since: datetime | None, until: datetime | None, most: int) -> None:
    async for record in of_database(settled(), since, most, until=until):
        found.add(record)


def _summary(told: dict[str, Any]) -> str:
    if not told["decisions"]:
        return "no decisions were recorded in this time"
    span = f"{told['first'][:16]} to {told['last'][:16]} UTC"
    kept = f"{counted(told['decisions'], 'decision')}, {told['unenforced']} of them not enforced ({span})"
    if told["cut_at"] is not None:
        kept += f"; older ones are left out, the latest {told['cut_at']} are taken (--most)"
    if told["counted"] == "unenforced" and not told["unenforced"]:
        return f"{kept}; {_NOTHING}"
    return f"{kept}; {told['deny']} {_did(told)} denied, {told['ask']} asked"


def _did(told: dict[str, Any]) -> str:
    return "were" if told["counted"] == "all" else "would have been"


def _text(told: dict[str, Any]) -> Iterator[str]:
    yield _summary(told)
    for by in BY:
        if not told["by"][by]:
            continue
        yield from ("", f"{'denied':>7} {'asked':>7} {'sessions':>8}  by {by}")
        for row in told["by"][by]:
            place = f"  ({row['source']})" if row.get("source") else ""
            yield f"{row['deny']:>7} {row['ask']:>7} {row['sessions']:>8}  {line(row[by])}{place}"
            for one in row.get("samples", []):
                yield f"{'':>26}{line(one['tool'])}: {line(one['input'])}{times(one['count'])}"
        if told["left_out"][by]:
            yield f"{'':>24}  {told['left_out'][by]} more"
    if told["trials"]:
        yield from ("", f"{'matched':>7} {'stricter':>8}  rules on trial")
        for trial in told["trials"]:
            name = f"{trial['effect']}  {trial['rule']}  ({trial['source']})"
            yield f"{trial['matched']:>7} {trial['stricter']:>8}  {name}"


def _markdown(told: dict[str, Any]) -> Iterator[str]:
    yield from (f"### What {_did(told)} asked or denied", "", _summary(told) + ".")
    for by in BY:
        if not told["by"][by]:
            continue
        more = by == "rule"
        yield from ("", f"| {by} | denied | asked | sessions |{' alone | for example |' * more}")
        yield f"| --- | ---: | ---: | ---: |{' ---: | --- |' * more}"
        for row in told["by"][by]:
            told_row = f"| {cell(row[by])} | {row['deny']} | {row['ask']} | {row['sessions']} |"
            if more:
                calls = "<br>".join(
                    cell(f"{one['tool']}: {one['input']}") + times(one["count"]) for one in row["samples"]
                )
                told_row += f" {row['alone']} | {calls} |"
            yield told_row
    if told["trials"]:
        yield from ("", "| rule on trial | effect | matched | would be stricter |", "| --- | --- | ---: | ---: |")
        for trial in told["trials"]:
            yield f"| {cell(trial['rule'])} | {trial['effect']} | {trial['matched']} | {trial['stricter']} |"
