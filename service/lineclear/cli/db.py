"""``lineclear db``: the database's schema."""

from __future__ import annotations

import asyncio

import typer

from lineclear.bootstrap import database
from lineclear.bootstrap.problem import CannotStart
from lineclear.cli.failure import Failure
from lineclear.cli.settled import settled
from lineclear.engine.log import StorageUnavailable
from lineclear.settings import Settings  # noqa: TC001 - one line below
from lineclear.storage import migrate

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


async def _upgrade(settings: Settings) -> None:
    async with database.visited(settings) as url:
        database.opened(url)
        await migrate.upgrade(url)
