"""A decision log that tells the metrics how large and how slow batches are, and knows if none comes through."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from lineclear.engine.log import Fronting, StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.engine.log import DecisionLog, Entry, Outcome
    from lineclear.telemetry.metrics import Metrics


class MeasuredLog(Fronting):
    """Stands before the log that writes batches, behind the one that gathers them."""

    def __init__(self, log: DecisionLog, metrics: Metrics) -> None:
        super().__init__(log)
        self._metrics = metrics
        self._failed_at: float | None = None

    def failed_within(self, seconds: float) -> bool:
        """Whether the last batch failed as a whole, and not longer ago than this."""
        return self._failed_at is not None and time.monotonic() - self._failed_at < seconds

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
