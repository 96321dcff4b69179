"""The log's chain: every batch is linked to its writer's batch before by a keyed hash over what is stored of it."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

COLUMNS = 25
"""How many of the record's columns, in their order, a digest covers.

A column that is added comes last and raises this; links keep the number that was theirs.
"""

NOTHING = bytes(32)
"""What the first link of a writer has before it."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Batch:
    """The records of one transaction, as their link tells them: ids, microseconds since 1970, digests."""

    ids: Sequence[UUID]
    moments: Sequence[int]
    digests: Sequence[bytes]


@dataclass(frozen=True, slots=True)
class Link:
    """One batch of one writer: ``sequence`` counts from 1, ``previous`` is the ``mac`` of the link before.

    ``columns`` is how many of a record's columns the digests cover; ``key`` names the key of ``mac``.
    """

    writer: UUID
    sequence: int
    previous: bytes
    batch: Batch
    columns: int
    key: str
    mac: bytes

    @property
    def content(self) -> list[object]:
        """What ``mac`` is over."""
        batch = [list(self.batch.ids), list(self.batch.moments), list(self.batch.digests)]
        return ["link", self.writer, self.sequence, self.previous, self.columns, *batch]


@dataclass(frozen=True, slots=True)
class Head:
    """How far a writer's chain has come: number and hash of its last link, 0 and ``NOTHING`` where it has none."""

    writer: UUID
    sequence: int = 0
    mac: bytes = NOTHING


class ChainKey:
    """A key of the chain, by which links, and whatever else must not be forged, get their hash (HMAC-SHA256)."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self.name = hmac.digest(key, b"name", hashlib.sha256)[:6].hex()
        """Tells this key from others, and nothing of what it is."""

    def seal(self, content: Sequence[object]) -> bytes:
        """The hash of a content; its first item says what kind of thing it is, so that none passes for another."""
        return hmac.digest(self._key, msgspec.msgpack.encode(content), hashlib.sha256)

    def sealed(self, content: Sequence[object], mac: bytes) -> bool:
        """Whether a hash is this key's of a content."""
        return hmac.compare_digest(self.seal(content), mac)

    def link(self, head: Head, batch: Batch) -> Link:
        """The link of the batch that comes after ``head``."""
        link = Link(head.writer, head.sequence + 1, head.mac, batch, COLUMNS, self.name, b"")
        return replace(link, mac=self.seal(link.content))

    def checkpoint(self, head: Head, at: int) -> Checkpoint:
        """A checkpoint of how far a chain has come at a moment."""
        checkpoint = Checkpoint(head.writer, head.sequence, head.mac, at, self.name, b"")
        return replace(checkpoint, seal=self.seal(checkpoint.content))

    def drop(self, before: int, at: int) -> Drop:
        """A note that all that was decided before a moment is dropped."""
        drop = Drop(before, at, self.name, b"")
        return replace(drop, mac=self.seal(drop.content))

    def trim(self, last: Head) -> Trim:
        """A note that a chain's links up to one are removed."""
        trim = Trim(last.writer, last.sequence, last.mac, self.name, b"")
        return replace(trim, mac=self.seal(trim.content))


def digest(values: Sequence[object]) -> bytes:
    """The hash of a record's stored columns: equal only if each column is, to the last digit and space.

    Raises ``ValueError`` and ``TypeError`` for what can't be stored.
    """
    return hashlib.sha256(msgspec.msgpack.encode(values)).digest()


def microseconds(moment: datetime) -> int:
    """A moment as the database keeps it, in microseconds since 1970."""
    return (moment - _EPOCH) // _MICROSECOND


def moment_of(microseconds_: int) -> datetime:
    """The moment of so many microseconds since 1970. Raises ``OverflowError`` outside of the years 1 to 9999."""
    return _EPOCH + microseconds_ * _MICROSECOND


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How far a writer's chain had come at a moment (microseconds since 1970), kept where the database isn't."""

    writer: UUID
    sequence: int
    mac: bytes
    at: int
    key: str
    seal: bytes

    @property
    def content(self) -> list[object]:
        """What ``seal`` is over."""
        return ["checkpoint", self.writer, self.sequence, self.mac, self.at]


@dataclass(frozen=True, slots=True)
class Drop:
    """Retention dropped all that was decided before a moment; both times are microseconds since 1970."""

    before: int
    dropped_at: int
    key: str
    mac: bytes

    @property
    def content(self) -> list[object]:
        """What ``mac`` is over."""
        return ["drop", self.before, self.dropped_at]


@dataclass(frozen=True, slots=True)
class Trim:
    """Retention removed a chain's links up to one, whose hash was ``last``: all their records had been dropped."""

    writer: UUID
    sequence: int
    last: bytes
    key: str
    mac: bytes

    @property
    def content(self) -> list[object]:
        """What ``mac`` is over."""
        return ["trim", self.writer, self.sequence, self.last]
