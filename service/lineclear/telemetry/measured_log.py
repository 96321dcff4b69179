"""A decision log that tells the metrics how large and how slow batches are, and knows if none comes through."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from lineclear.engine.log import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from lineclear.core.call import SessionKey
    from lineclear.engine.log import DecisionLog, Entry, Known, Outcome, Record
    from lineclear.telemetry.metrics import Metrics


class MeasuredLog:
    """Stands before the log that writes batches, behind the one that gathers them."""

    def __init__(self, log: DecisionLog, metrics: Metrics) -> None:
        self._log = log
        self._metrics = metrics
        self._failed_at: float | None = None

    def failed_within(self, seconds: float) -> bool:
        """Whether the last batch failed as a whole, and not longer ago than this."""
        return self._failed_at is not None and time.monotonic() - self._failed_at < seconds

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
        """Write a batch; one that fails as a whole is not measured."""
        begun = time.perf_counter()
        try:
            outcomes = await self._log.commit(entries)
        except StorageUnavailable:
            self._failed_at = time.monotonic()
            raise
        self._failed_at = None
        self._metrics.committed(len(entries), time.perf_counter() - begun)
        return outcomes
