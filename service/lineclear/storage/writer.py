"""The group writer: decisions that are made together are committed together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.storage.group import Group

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from lineclear.core.call import SessionKey
    from lineclear.engine.log import DecisionLog, Entry, Known, Outcome, Record


class GroupWriter:
    """A ``DecisionLog`` that gathers what concurrent callers commit into batches for the log beneath.

    ``batch`` and ``queue`` are the most entries that one transaction takes and that wait for theirs.
    """

    def __init__(self, log: DecisionLog, *, batch: int = 256, queue: int = 1024) -> None:
        self._log = log
        self._commits: Group[Entry, Outcome | Exception] = Group(
            log.commit, "writing decisions", batch=batch, queue=queue
        )

    @property
    def queued(self) -> int:
        """How many entries wait for their batch."""
        return self._commits.queued

    async def known(self, session: SessionKey, tool_use_id: str | None) -> Known:
        """What the log beneath knows."""
        return await self._log.known(session, tool_use_id)

    async def find(self, decision_id: UUID) -> Record | None:
        """One record of the log beneath."""
        return await self._log.find(decision_id)

    async def open_breakers(self, principal: str, since: datetime) -> int:
        """How many sessions have one in the log beneath."""
        return await self._log.open_breakers(principal, since)

    async def recent(self, session: SessionKey, limit: int) -> Sequence[Record]:
        """The latest records of a session of the log beneath."""
        return await self._log.recent(session, limit)

    async def commit(self, entries: Sequence[Entry]) -> Sequence[Outcome | Exception]:
        """Have entries written with whatever else is waiting."""
        return await self._commits.do(entries)

    async def close(self) -> None:
        """Take no more, and return when all that was taken is written."""
        await self._commits.close()
