"""``lineclear policy replay``: recorded decisions decided again by a candidate, before it is in force."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from itertools import islice
from pathlib import Path  # noqa: TC003 - the framework reads the annotations
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lineclear.bootstrap.itself import itself
from lineclear.bootstrap.problem import CannotStart
from lineclear.bootstrap.recorded import lines_of, of_database
from lineclear.bootstrap.replaying import CHUNK, Lines, Plan, Replaying
from lineclear.cli.counted import counted, times
from lineclear.cli.failure import FOUND, Failure
from lineclear.cli.output import ReviewOutput, reviewed
from lineclear.cli.policy_folder import named, told
from lineclear.cli.quoted import cell, line
from lineclear.cli.settled import settled
from lineclear.cli.spans import before_now
from lineclear.engine.flips import BY
from lineclear.engine.log import StorageUnavailable
from lineclear.wire.exported import as_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from lineclear.settings import Settings


class FailOn(StrEnum):
    """Which flips make the exit status 1."""

    ALLOW = "allow"
    ANY = "any"
    NEVER = "never"


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("replay")(replay)


def replay(
    policies: Annotated[Path | None, typer.Option(help="Folder of the candidate policies.")] = None,
    before: Annotated[
        Path | None,
        typer.Option(help="Folder of the policies that decided; those in force if not given. Makes it faster."),
    ] = None,
    file: Annotated[Path | None, typer.Option(help="Exported decisions, JSON lines; the database if none.")] = None,
    since: Annotated[str, typer.Option(help="How far to go back in the database: `90m`, `24h`, `7d`, `4w`.")] = "7d",
    most: Annotated[int, typer.Option(min=1, help="Most decisions to take from the database, the latest.")] = 100_000,
    output: Annotated[ReviewOutput, typer.Option(help="How to print the flips.")] = ReviewOutput.TEXT,
    fail_on: Annotated[FailOn, typer.Option(help="Which flips make the exit status 1.")] = FailOn.NEVER,
    processes: Annotated[int | None, typer.Option(min=1, help="How many to use; one a processor if none.")] = None,
) -> None:
    """Decide recorded decisions again by other policies, and print which verdicts would flip, with samples."""
    settings = settled()
    plan = Plan.of(named(policies), named(before), itself(settings), before_is_named=before is not None)
    try:
        with told(), Replaying(plan, processes) as replaying:
            if file is not None:
                lines = lines_of(file)
                while numbered := tuple(islice(lines, CHUNK)):
                    replaying.put(Lines(str(file), numbered))
            else:
                asyncio.run(_of_database(replaying, settings, before_now(since), most))
            flips = replaying.result()
    except (CannotStart, StorageUnavailable) as error:
        raise Failure(str(error)) from None
    counted = flips.as_json()
    reviewed(counted, output, text=_text, markdown=_markdown)
    if (fail_on is FailOn.ANY and flips.flipped) or (fail_on is FailOn.ALLOW and flips.loosened):
        raise typer.Exit(FOUND)


async def _of_database(replaying: Replaying, settings: Settings, since: datetime, most: int) -> None:
    numbered: list[tuple[int, bytes]] = []
    async for record in of_database(settings, since, most):
        numbered.append((len(numbered) + 1, as_line(record)))
        if len(numbered) == CHUNK:
            # It may wait for a process to be free, and meanwhile the connection has to be looked after.
            await asyncio.to_thread(replaying.put, Lines("the database", tuple(numbered)))
            numbered = []
    replaying.put(Lines("the database", tuple(numbered)))


def _summary(told: dict[str, Any]) -> str:
    kept = f"{told['other_codes']} keep their verdict by another code"
    missing = f"{told['inexact']} rest on something redacted, of which {told['inexact_flips']} would flip"
    return f"{counted(told['replayed'], 'decision')} replayed, {told['flips']} flip; {kept}; {missing}"


def _text(told: dict[str, Any]) -> Iterator[str]:
    for way in told["ways"]:
        yield f"{way['before']} -> {way['after']}: {way['count']}"
        for sample in way["samples"]:
            before, after = (sample[side]["rule"] or sample[side]["code"] for side in ("before", "after"))
            yield f"  {line(sample['tool'])}: {line(sample['input'])}{times(sample['count'])}"
            yield f"    {before} -> {after}  ({sample['decision_id']})"
    for name in BY:
        if told["by"][name]:
            yield f"by {name}"
            yield from (
                f"  {row['count']:>7}  {row['before']} -> {row['after']}  {line(row[name])}" for row in told["by"][name]
            )
    yield _summary(told)


def _markdown(told: dict[str, Any]) -> Iterator[str]:
    yield from ("### What this policy would have changed", "", _summary(told) + ".")
    if not told["flips"]:
        return
    for name in BY:
        yield from ("", f"| before | after | {name} | decisions |", "| --- | --- | --- | ---: |")
        for row in told["by"][name]:
            yield f"| {row['before']} | {row['after']} | {cell(row[name])} | {row['count']} |"
    yield from ("", "| before | after | call | by |", "| --- | --- | --- | --- |")
    for way in told["ways"]:
        for sample in way["samples"]:
            by = sample["after"]["rule"] or sample["after"]["code"]
            call = cell(f"{sample['tool']}: {sample['input']}") + times(sample["count"])
            yield f"| {way['before']} | {way['after']} | {call} | {cell(by)} |"
