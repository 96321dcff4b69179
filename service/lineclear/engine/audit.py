"""Looking through the log for what was done to it: nothing in it is believed but what a key vouches for."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from lineclear.engine.chain import Head, digest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
    from uuid import UUID

    from lineclear.engine.chain import ChainKey, Checkpoint, Drop, Link, Trim


class Fault(StrEnum):
    """What can be wrong with a log."""

    RECORD_CHANGED = "record_changed"
    RECORD_MISSING = "record_missing"
    RECORD_TWICE = "record_twice"
    RECORD_UNLINKED = "record_unlinked"
    LINK_CHANGED = "link_changed"
    LINK_MISSING = "link_missing"
    LINK_DISPLACED = "link_displaced"
    KEY_UNKNOWN = "key_unknown"
    TAIL_MISSING = "tail_missing"
    CHECKPOINT_DIFFERS = "checkpoint_differs"
    CHECKPOINT_FORGED = "checkpoint_forged"
    RETENTION_FORGED = "retention_forged"
    FILE_CHANGED = "file_changed"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, where it is, and what that means."""

    fault: Fault
    detail: str
    writer: UUID | None = None
    sequence: int | None = None
    decision: UUID | None = None


class Archive(Protocol):
    """The port to the log as it is stored, at one moment. All methods raise ``StorageUnavailable``."""

    async def drops(self) -> Sequence[Drop]:
        """What retention has dropped."""

    async def trims(self) -> Sequence[Trim]:
        """The links that went with it."""

    def writers(self) -> AsyncIterator[UUID]:
        """Whose chains there are."""

    def links(self, writer: UUID) -> AsyncIterator[Sequence[Link]]:
        """A writer's links by their sequence, some at a time."""

    def records(self, links: Sequence[Link]) -> AsyncIterator[tuple[Any, ...]]:
        """The columns of the records that links tell, at the moments that they tell."""

    async def count(self) -> int:
        """How many links there are, those that stand in no chain too."""

    def unlinked(self) -> AsyncIterator[tuple[UUID, int | None]]:
        """Records that no link tells with their moment, and that moment."""


@dataclass(slots=True)
class Tally:
    """What was looked at: chains, links, records that are as they were linked, and what retention took."""

    writers: int = 0
    links: int = 0
    records: int = 0
    dropped: int = 0
    unlinked_before: int = 0
    """Records from before the chain began, for which nothing vouches."""
    shortened: int = 0
    """Chains that are looked at from their first kept link on."""
    dropped_before: int | None = None
    """The moment before which everything was dropped for its age, in microseconds since 1970."""
    findings: int = 0


@dataclass(slots=True)
class Audit:
    """One look through an archive.

    ``keys`` are the chain's, by name: the one in force and former ones. ``checkpoints`` were exported earlier.
    ``began`` is when the chain did, in microseconds since 1970: older records that no link tells are counted, and
    are no finding; None where there can be none.
    """

    archive: Archive
    keys: Mapping[str, ChainKey]
    checkpoints: Sequence[Checkpoint] = ()
    began: int | None = None
    tally: Tally = field(default_factory=Tally)
    _expected: dict[UUID, Checkpoint] = field(default_factory=dict)

    async def findings(self) -> AsyncIterator[Finding]:
        """What is wrong, as it is found; ``tally`` is complete after the last."""
        async for finding in self._all():
            self.tally.findings += 1
            yield finding

    async def _all(self) -> AsyncIterator[Finding]:
        for finding in self._checkpoints():
            yield finding
        for drop in await self.archive.drops():
            if self._vouched(drop.key, drop.content, drop.mac):
                self.tally.dropped_before = max(drop.before, self.tally.dropped_before or drop.before)
            else:
                yield Finding(
                    Fault.RETENTION_FORGED, f"nobody with a key dropped what was decided before {drop.before}"
                )
        trims: dict[UUID, Head] = {}
        for trim in await self.archive.trims():
            if self._vouched(trim.key, trim.content, trim.mac):
                trims[trim.writer] = Head(trim.writer, trim.sequence, trim.last)
            else:
                detail = "nobody with a key removed the first links of this chain"
                yield Finding(Fault.RETENTION_FORGED, detail, trim.writer, trim.sequence)
        async for writer in self.archive.writers():
            start = trims.pop(writer, None)
            async for finding in self._chain(writer, start):
                yield finding
        for writer, head in trims.items():
            self.tally.shortened += 1
            for finding in self._end(head, writer):
                yield finding
        # Records that such a link tells look as if they were linked.
        if (astray := await self.archive.count() - self.tally.links) != 0:
            yield Finding(Fault.LINK_CHANGED, f"{abs(astray)} links stand in no chain: no writer put them there")
        for checkpoint in self._expected.values():
            detail = f"no link of this chain is left, but a checkpoint tells {checkpoint.sequence}"
            yield Finding(Fault.TAIL_MISSING, detail, checkpoint.writer, checkpoint.sequence)
        async for decision, moment in self.archive.unlinked():
            if self.began is not None and moment is not None and moment < self.began:
                self.tally.unlinked_before += 1
            else:
                yield Finding(Fault.RECORD_UNLINKED, "no link tells this record: it was inserted", decision=decision)

    def _checkpoints(self) -> Iterator[Finding]:
        """Keep the last checkpoint of each writer: as each link vouches for all before it, so does that."""
        for checkpoint in self.checkpoints:
            if not self._vouched(checkpoint.key, checkpoint.content, checkpoint.seal):
                detail = "nobody with a key made this checkpoint"
                yield Finding(Fault.CHECKPOINT_FORGED, detail, checkpoint.writer, checkpoint.sequence)
                continue
            last = self._expected.get(checkpoint.writer)
            if last is not None and last.sequence == checkpoint.sequence and last.mac != checkpoint.mac:
                detail = "another checkpoint tells another hash of this link"
                yield Finding(Fault.CHECKPOINT_DIFFERS, detail, checkpoint.writer, checkpoint.sequence)
            if last is None or last.sequence < checkpoint.sequence:
                self._expected[checkpoint.writer] = checkpoint

    async def _chain(self, writer: UUID, start: Head | None) -> AsyncIterator[Finding]:
        self.tally.writers += 1
        self.tally.shortened += start is not None
        head = start or Head(writer)
        async for page in self.archive.links(writer):
            for link in page:
                for finding in self._link(head, link):
                    yield finding
                head = Head(writer, link.sequence, link.mac)
            async for finding in self._records(page):
                yield finding
        for finding in self._end(head, writer):
            yield finding

    def _link(self, head: Head, link: Link) -> Iterator[Finding]:
        self.tally.links += 1
        where = link.writer, link.sequence
        yield from unvouched(self.keys, link)
        if link.sequence <= head.sequence:
            yield Finding(Fault.LINK_DISPLACED, "links of this number are gone for their age, and here is one", *where)
        elif link.sequence > head.sequence + 1:
            gone = link.sequence - head.sequence - 1
            yield Finding(Fault.LINK_MISSING, f"{gone} links before it are gone, with their records", *where)
        elif link.previous != head.mac:
            yield Finding(Fault.LINK_DISPLACED, "it isn't linked to the one before it", *where)
        expected = self._expected.get(link.writer)
        if expected is not None and expected.sequence == link.sequence and expected.mac != link.mac:
            yield Finding(Fault.CHECKPOINT_DIFFERS, "the checkpoint tells another hash of this link", *where)

    def _end(self, head: Head, writer: UUID) -> Iterator[Finding]:
        expected = self._expected.pop(writer, None)
        if expected is not None and expected.sequence > head.sequence:
            gone = expected.sequence - head.sequence
            detail = f"the chain ends here, but a checkpoint tells {gone} more links"
            yield Finding(Fault.TAIL_MISSING, detail, writer, head.sequence)

    async def _records(self, page: Sequence[Link]) -> AsyncIterator[Finding]:
        told = {
            record: (link, moment, hashed)
            for link in page
            for record, moment, hashed in zip(link.batch.ids, link.batch.moments, link.batch.digests, strict=False)
        }
        seen: Counter[UUID] = Counter()
        async for columns in self.archive.records(page):
            record = columns[0]
            link, _, hashed = told[record]
            seen[record] += 1
            if seen[record] > 1:
                detail = "there is another record of this id and moment"
                yield Finding(Fault.RECORD_TWICE, detail, link.writer, link.sequence, record)
            elif not same(columns, link.columns, hashed):
                detail = "its columns aren't those that were linked"
                yield Finding(Fault.RECORD_CHANGED, detail, link.writer, link.sequence, record)
            else:
                self.tally.records += 1
        for record, (link, moment, _) in told.items():
            if record in seen:
                continue
            if self.tally.dropped_before is not None and moment < self.tally.dropped_before:
                self.tally.dropped += 1
            else:
                detail = "it was removed, or its moment was changed"
                yield Finding(Fault.RECORD_MISSING, detail, link.writer, link.sequence, record)

    def _vouched(self, key: str, content: Sequence[object], mac: bytes) -> bool:
        return key in self.keys and self.keys[key].sealed(content, mac)


def unvouched(keys: Mapping[str, ChainKey], link: Link) -> Iterator[Finding]:
    """What is wrong with a link by itself."""
    where = link.writer, link.sequence
    if link.key not in keys:
        yield Finding(Fault.KEY_UNKNOWN, f"no key that was given is named `{link.key[:32]}`", *where)
    elif not keys[link.key].sealed(link.content, link.mac):
        yield Finding(Fault.LINK_CHANGED, "it isn't what its writer linked", *where)


def same(columns: tuple[Any, ...], covered: int, hashed: bytes) -> bool:
    """Whether a record's first columns have a digest."""
    try:
        return covered <= len(columns) and digest(columns[:covered]) == hashed
    except (TypeError, ValueError, OverflowError):
        return False
