"""The log as a file: each page of a writer's links, and behind it the records that they tell."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from lineclear.engine.chain import microseconds
from lineclear.wire.exported import EndLine, line_of, link_line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from uuid import UUID

    from lineclear.engine.chain import ChainKey, Link
    from lineclear.storage.archive import PostgresArchive


@dataclass(frozen=True, slots=True)
class Span:
    """Which records: those decided from ``since`` until before ``until`` (microseconds since 1970), of one session."""

    since: int
    until: int
    session: str | None = None

    def has(self, columns: tuple[Any, ...]) -> bool:
        """Whether a record is one of them."""
        named = self.session is None or columns[3] == self.session
        return named and self.since <= microseconds(columns[1]) < self.until


class Export:
    """One export; ``key`` seals its end, so that a file that was changed or cut isn't taken for it."""

    def __init__(self, archive: PostgresArchive, key: ChainKey, span: Span) -> None:
        self._archive = archive
        self._key = key
        self._span = span
        self._hash = hashlib.sha256()
        self.records = 0
        self.links = 0

    async def lines(self) -> AsyncIterator[bytes]:
        """The file's lines, with their ends. Raises ``StorageUnavailable``."""
        async for line in self._lines():
            ended = line + b"\n"
            self._hash.update(ended)
            yield ended
        content = ["export", self.records, self.links, self._hash.digest()]
        mac = self._key.seal(content).hex()
        yield msgspec.json.encode(EndLine(self.records, self.links, self._key.name, mac)) + b"\n"

    async def _lines(self) -> AsyncIterator[bytes]:
        async for writer in self._archive.writers():
            async for page in self._archive.links(writer, self._span.since, self._span.until):
                async for line in self._page(page):
                    yield line
        async for columns in self._archive.unlinked_records(self._span.since, self._span.until):
            if self._span.has(columns):
                self.records += 1
                yield line_of(columns)

    async def _page(self, page: Sequence[Link]) -> AsyncIterator[bytes]:
        """The links that tell any of the records, and those."""
        wanted: set[UUID] = set()
        if self._span.session is not None:
            async for columns in self._archive.records(page):
                if self._span.has(columns):
                    wanted.add(columns[0])
        for link in page:
            if self._span.session is None or not wanted.isdisjoint(link.batch.ids):
                self.links += 1
                yield link_line(link)
        async for columns in self._archive.records(page):
            if self._span.has(columns):
                self.records += 1
                yield line_of(columns)
