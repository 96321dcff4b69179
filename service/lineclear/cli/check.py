"""``lineclear check``: decision requests in, decisions out, a line each; no service, no database, no model."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path  # noqa: TC003 - the framework reads the annotation
from typing import TYPE_CHECKING, Annotated

import typer

from lineclear.bootstrap.offline import offline
from lineclear.bootstrap.problem import CannotStart
from lineclear.cli.failure import FOUND, Failure
from lineclear.cli.settled import settled

if TYPE_CHECKING:
    from lineclear.bootstrap.offline import Offline


def add(program: typer.Typer) -> None:
    """Add the verb."""
    program.command()(check)


def check(
    policies: Annotated[Path | None, typer.Option(help="Folder of the policies.")] = None,
) -> None:
    """Decide requests from standard input, as JSON lines, as by a host's key; print the decisions as JSON lines.

    A line that is no request gets a problem in its place, and the exit status is then 1.
    """
    settings = settled(policies=policies)
    try:
        desk = offline(settings)
    except CannotStart as error:
        raise Failure(str(error)) from None
    if not asyncio.run(_all(desk)):
        raise typer.Exit(FOUND)


async def _all(desk: Offline) -> bool:
    clean = True
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        body, decided = await desk.answer(line)
        clean &= decided
        sys.stdout.buffer.write(body + b"\n")
        sys.stdout.buffer.flush()
    return clean
