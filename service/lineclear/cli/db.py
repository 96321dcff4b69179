"""``lineclear db``: the database's schema."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import typer

from lineclear.bootstrap import database, upkeep
from lineclear.bootstrap.problem import CannotStart
from lineclear.cli.failure import Failure
from lineclear.cli.former_secrets import FormerSecrets  # noqa: TC001 - the framework reads the annotations
from lineclear.cli.settled import settled
from lineclear.engine.log import StorageUnavailable
from lineclear.settings import Settings  # noqa: TC001 - one line below
from lineclear.storage import migrate
from lineclear.storage.database import Database
from lineclear.storage.partitions import Upkeep  # noqa: TC001 - one line below

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

app = typer.Typer(help="Look after the database.", no_args_is_help=True, rich_markup_mode=None)


def add(program: typer.Typer) -> None:
    """Add the verb."""
    program.add_typer(app, name="db")


@app.command()
def upgrade() -> None:
    """Bring the database's schema to this version; safe from several replicas at once."""
    try:
        asyncio.run(_upgrade(settled()))
    except (CannotStart, StorageUnavailable) as error:
        raise Failure(str(error)) from None
    print("the database's schema is at this version")


@app.command()
def maintain(former: FormerSecrets = None) -> None:
    """Make the log's days ahead, and drop those that are older than LINECLEAR_KEEP_DAYS; run it daily."""
    try:
        done = asyncio.run(_maintain(settled(), former or ()))
    except (CannotStart, StorageUnavailable) as error:
        raise Failure(str(error)) from None
    print(f"{len(done.made)} days made, {len(done.dropped)} dropped, {done.ahead} ready ahead")


async def _maintain(settings: Settings, former: Sequence[Path]) -> Upkeep:
    async with database.visited(settings) as url:
        opened = Database(url)
        try:
            return await upkeep.maintain(opened, settings, former)
        finally:
            await opened.close()


async def _upgrade(settings: Settings) -> None:
    async with database.visited(settings, made=True) as url:
        await migrate.upgrade(url)
