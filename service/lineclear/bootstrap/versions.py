"""The policy versions that have been in force, for an errand: out of the database, which needs no service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.bootstrap import database
from lineclear.storage.database import Database
from lineclear.storage.versions import PolicyVersions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.settings import Settings
    from lineclear.storage.versions import Version


async def latest(settings: Settings, most: int) -> Sequence[Version]:
    """The latest versions, newest first. Raises ``CannotStart`` and ``StorageUnavailable``."""
    async with database.visited(settings) as url:
        opened = Database(url)
        try:
            return await PolicyVersions(opened).latest(most)
        finally:
            await opened.close()
