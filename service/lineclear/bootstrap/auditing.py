"""The log for an errand of the audit: its keys, its archive, how far its chains have come."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from lineclear.bootstrap import database
from lineclear.bootstrap.problem import CannotStart
from lineclear.bootstrap.secret import CHAIN, derived, secret
from lineclear.engine.chain import ChainKey
from lineclear.storage.archive import looked_through

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from lineclear.settings import Settings
    from lineclear.storage.archive import PostgresArchive


def key(settings: Settings) -> ChainKey:
    """The chain's key that is in force. Raises ``CannotStart``."""
    return ChainKey(derived(secret(settings, made=False), CHAIN))


def keys(settings: Settings, former: Sequence[Path]) -> dict[str, ChainKey]:
    """That key and those of former secrets, each alone in a file, by name. Raises ``CannotStart``."""
    known = [key(settings)]
    for file in former:
        try:
            text = file.read_text("utf-8", "surrogateescape").strip()
        except OSError as error:
            raise CannotStart(f"`{file}` can't be read: {(error.strerror or 'unknown error').lower()}") from None
        known.append(ChainKey(derived(text.encode("utf-8", "surrogateescape"), CHAIN)))
    return {one.name: one for one in known}


@asynccontextmanager
async def archive(settings: Settings) -> AsyncIterator[PostgresArchive]:
    """The log as it is now. Raises ``CannotStart`` and ``StorageUnavailable``."""
    async with database.visited(settings) as url, looked_through(url) as found:
        yield found
