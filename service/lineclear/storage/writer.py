"""The group writer: decisions that are made together are committed together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.engine.log import Fronting
from lineclear.storage.group import Group

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.engine.log import DecisionLog, Entry, Outcome


class GroupWriter(Fronting):
    """A ``DecisionLog`` that gathers what concurrent callers commit into batches for the log beneath.

    ``batch`` and ``queue`` are the most entries that one transaction takes and that wait for theirs.
    """

    def __init__(self, log: DecisionLog, *, batch: int = 256, queue: int = 1024) -> None:
        super().__init__(log)
        self._commits: Group[Entry, Outcome | Exception] = Group(
            log.commit, "writing decisions", batch=batch, queue=queue
        )

    @property
    def queued(self) -> int:
        """How many entries wait for their batch."""
        return self._commits.queued

    async def commit(self, entries: Sequence[Entry]) -> Sequence[Outcome | Exception]:
        """Have entries written with whatever else is waiting."""
        return await self._commits.do(entries)

    async def close(self) -> None:
        """Take no more, and return when all that was taken is written."""
        await self._commits.close()
