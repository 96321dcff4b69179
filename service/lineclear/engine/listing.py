"""Lists of decisions: newest first, page by page, each page in bounded time whatever is looked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from lineclear.engine.log import Record


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which decisions; None means any. ``session`` is a session's own name, of whichever principal."""

    session: str | None = None
    verdict: str | None = None
    code: str | None = None
    tool_name: str | None = None
    rule: str | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Records with descending ids. ``before`` is where the next page begins, None where there is none.

    A page may hold less than was asked for, even nothing, and not be the last: it ends where its time does.
    """

    records: Sequence[Record]
    before: UUID | None = None


class Listing(Protocol):
    """The port. Methods raise ``StorageUnavailable``."""

    async def decisions(self, wanted: Wanted, *, before: UUID | None, limit: int) -> Page:
        """Decisions with ids before ``before``."""

    async def pending(self, now: datetime, *, before: UUID | None, limit: int) -> Page:
        """The questions that wait for an answer and haven't expired."""
