"""Recorded decisions for an errand: out of an exported file, or page by page out of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.bootstrap import database
from lineclear.bootstrap.problem import CannotStart
from lineclear.engine.listing import Wanted
from lineclear.storage.database import Database
from lineclear.storage.listing import PostgresListing
from lineclear.wire.errors import Malformed
from lineclear.wire.exported import is_record, of_line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from datetime import datetime
    from pathlib import Path

    from lineclear.engine.log import Record
    from lineclear.settings import Settings

_PAGE = 1000


def of_file(path: Path) -> Iterator[Record]:
    """The decisions of an exported file. Raises ``CannotStart`` with the line that is none."""
    for number, line in lines_of(path):
        try:
            yield of_line(line)
        except Malformed as error:
            raise CannotStart(f"{path}:{number}: {error}") from None


def lines_of(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of an exported file that hold decisions, each with its number. Raises ``CannotStart``."""
    try:
        with path.open("rb") as lines:
            yield from ((number, line) for number, line in enumerate(lines, 1) if line.strip() and is_record(line))
    except OSError as error:
        raise CannotStart(f"`{path}` can't be read: {(error.strerror or 'unknown error').lower()}") from None


async def of_database(
    settings: Settings, since: datetime | None, most: int, *, until: datetime | None = None
) -> AsyncIterator[Record]:
    """The latest decisions between two moments, at most so many, newest first. Raises ``CannotStart``."""
    async with database.visited(settings) as url:
        opened = Database(url)
        try:
            listing, before, left = PostgresListing(opened), None, most
            while left > 0:
                page = await listing.decisions(Wanted(since=since, until=until), before=before, limit=min(_PAGE, left))
                for record in page.records:
                    yield record
                left -= len(page.records)
                if page.before is None:
                    return
                before = page.before
        finally:
            await opened.close()
