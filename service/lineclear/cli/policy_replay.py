"""``lineclear policy replay``: recorded decisions decided again by a candidate, before it is in force."""

from __future__ import annotations

import asyncio
import json
from enum import StrEnum
from pathlib import Path  # noqa: TC003 - the framework reads the annotations
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from lineclear.bootstrap.itself import itself
from lineclear.bootstrap.problem import CannotStart
from lineclear.bootstrap.recorded import of_database, of_file
from lineclear.cli.failure import Failure
from lineclear.cli.policy_folder import loaded
from lineclear.cli.quoted import cell, line
from lineclear.cli.settled import settled
from lineclear.cli.spans import before_now
from lineclear.engine.flips import BY, Flips
from lineclear.engine.log import StorageUnavailable
from lineclear.engine.replay import Replay
from lineclear.wire.request import from_mapping

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from lineclear.core.redact import Redacted
    from lineclear.settings import Settings


class Output(StrEnum):
    """How the flips are printed."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


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
    file: Annotated[Path | None, typer.Option(help="Exported decisions, JSON lines; the database if none.")] = None,
    since: Annotated[str, typer.Option(help="How far to go back in the database: `90m`, `24h`, `7d`, `4w`.")] = "7d",
    most: Annotated[int, typer.Option(min=1, help="Most decisions to take from the database, the latest.")] = 100_000,
    output: Annotated[Output, typer.Option(help="How to print the flips.")] = Output.TEXT,
    fail_on: Annotated[FailOn, typer.Option(help="Which flips make the exit status 1.")] = FailOn.NEVER,
) -> None:
    """Decide recorded decisions again by other policies, and print which verdicts would flip, with samples."""
    settings = settled()
    replaying = Replay(loaded(policies).policy, itself(settings), _restated)
    try:
        if file is not None:
            flips = Flips.of(map(replaying.of, of_file(file)))
        else:
            flips = asyncio.run(_of_database(replaying, settings, before_now(since), most))
    except (CannotStart, StorageUnavailable) as error:
        raise Failure(str(error)) from None
    told = flips.as_json()
    match output:
        case Output.JSON:
            print(json.dumps(told, indent=2, ensure_ascii=False))
        case Output.MARKDOWN:
            print("\n".join(_markdown(cast("dict[str, Any]", told))))
        case Output.TEXT:
            print("\n".join(_text(cast("dict[str, Any]", told))))
    if (fail_on is FailOn.ANY and flips.flipped) or (fail_on is FailOn.ALLOW and flips.loosened):
        raise typer.Exit(1)


def _restated(request: Redacted) -> Any:
    return from_mapping(cast("dict[str, Any]", request))


async def _of_database(replaying: Replay, settings: Settings, since: datetime, most: int) -> Flips:
    flips = Flips()
    async for record in of_database(settings, since, most):
        flips.add(replaying.of(record))
    return flips


def _summary(told: dict[str, Any]) -> str:
    kept = f"{told['other_codes']} keep their verdict by another code"
    missing = f"{told['inexact']} rest on something redacted, of which {told['inexact_flips']} would flip"
    return f"{told['replayed']} decisions replayed, {told['flips']} flip; {kept}; {missing}"


def _text(told: dict[str, Any]) -> Iterator[str]:
    for way in told["ways"]:
        yield f"{way['before']} -> {way['after']}: {way['count']}"
        for sample in way["samples"]:
            before, after = (sample[side]["rule"] or sample[side]["code"] for side in ("before", "after"))
            yield f"  {line(sample['tool'])}: {line(sample['input'])}"
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
            call = cell(f"{sample['tool']}: {sample['input']}")
            yield f"| {way['before']} | {way['after']} | {call} | {cell(by)} |"
