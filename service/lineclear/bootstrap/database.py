"""Which database: the server that is set, else an embedded one in the data folder."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING
from urllib.parse import quote

from lineclear.bootstrap.problem import CannotStart
from lineclear.storage import embedded, migrate
from lineclear.storage.binaries import EmbeddedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from lineclear.settings import Settings


@asynccontextmanager
async def served(settings: Settings) -> AsyncIterator[str]:
    """The database's URL for the service; an embedded one runs, supervised and migrated, until the block ends.

    Raises ``CannotStart``.
    """
    if settings.database_url is not None:
        yield settings.database_url.get_secret_value()
        return
    try:
        server = await asyncio.to_thread(embedded.start, folder(settings), production=settings.env == "production")
    except EmbeddedError as error:
        raise CannotStart(str(error)) from None
    supervision = asyncio.create_task(server.supervise(), name="embedded database")
    try:
        await migrate.upgrade(server.url)
        yield server.url
    finally:
        supervision.cancel()
        await asyncio.gather(supervision, return_exceptions=True)
        await asyncio.to_thread(server.close)


@asynccontextmanager
async def visited(settings: Settings, *, made: bool = False) -> AsyncIterator[str]:
    """The database's URL for a short errand: an embedded one that a service runs is used as it is.

    ``made`` says that one is made where there is none. Who looks for something wants none made: in a data folder that
    is the wrong one an empty log would be found, and be called intact. Raises ``CannotStart``.
    """
    place = folder(settings)
    if settings.database_url is None and not made and not (place / "PG_VERSION").exists():
        raise CannotStart(
            f"there is no database in `{settings.data_dir}`; name a service's data folder in `LINECLEAR_DATA_DIR`, "
            "or a server in `LINECLEAR_DATABASE_URL`"
        )
    if settings.database_url is None and await asyncio.to_thread(embedded.answers, place.absolute()):
        yield f"postgresql://lineclear@/postgres?host={quote(str(place.absolute()), safe='')}"
        return
    async with served(settings) as url:
        yield url


def folder(settings: Settings) -> Path:
    """Where the embedded database's data is."""
    return settings.data_dir / "postgres"
