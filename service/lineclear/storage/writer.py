"""The group writer: calls that arrive together share one transaction, and nobody waits when there is nobody else."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lineclear.engine.log import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from lineclear.core.call import SessionKey
    from lineclear.engine.log import DecisionLog, Entry, Known, Outcome, Record


@dataclass(frozen=True, slots=True)
class _Waiting:
    entries: Sequence[Entry]
    done: asyncio.Future[Sequence[Outcome | Exception]]


class GroupWriter:
    """A ``DecisionLog`` that gathers what concurrent callers commit into batches for the log beneath.

    One batch is under way at a time; what arrives meanwhile makes the next one. ``batch`` is the most entries that one
    takes, ``queue`` the most that wait: beyond, callers are turned away at once.
    """

    def __init__(self, log: DecisionLog, *, batch: int = 256, queue: int = 1024) -> None:
        self._log = log
        self._batch = batch
        self._most = queue
        self._queue: deque[_Waiting] = deque()
        self._queued = 0
        self._worker: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def queued(self) -> int:
        """How many entries wait for their batch."""
        return self._queued

    async def known(self, session: SessionKey, tool_use_id: str | None) -> Known:
        """What the log beneath knows."""
        return await self._log.known(session, tool_use_id)

    async def find(self, decision_id: UUID) -> Record | None:
        """One record of the log beneath."""
        return await self._log.find(decision_id)

    async def commit(self, entries: Sequence[Entry]) -> Sequence[Outcome | Exception]:
        """Have entries written with whatever else is waiting.

        A caller that gives up before its batch began takes its entries with it; later, they are written all the same.
        """
        if self._closed:
            raise StorageUnavailable("the log is being closed; ask another replica")
        if self._queued + len(entries) > self._most:
            raise StorageUnavailable("too many decisions wait to be written; try again")
        waiting = _Waiting(entries, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        self._queued += len(entries)
        if self._worker is None:
            self._worker = asyncio.create_task(self._work(), name="group writer")
        return await waiting.done

    async def close(self) -> None:
        """Take no more, and return when all that was taken is written."""
        self._closed = True
        if self._worker is not None:
            await asyncio.wait([self._worker])

    async def _work(self) -> None:
        taken: list[_Waiting] = []
        try:
            while taken := self._take():
                await self._write(taken)
        finally:
            # Only a worker that was cancelled leaves anybody waiting.
            self._worker = None
            self._fail([*taken, *self._drain()], StorageUnavailable("the log was stopped while writing"))

    def _take(self) -> list[_Waiting]:
        taken: list[_Waiting] = []
        size = 0
        while self._queue and (not taken or size + len(self._queue[0].entries) <= self._batch):
            waiting = self._queue.popleft()
            self._queued -= len(waiting.entries)
            if not waiting.done.done():  # else its caller gave up
                taken.append(waiting)
                size += len(waiting.entries)
        return taken

    async def _write(self, taken: list[_Waiting]) -> None:
        entries = [entry for waiting in taken for entry in waiting.entries]
        try:
            outcomes = await self._log.commit(entries)
        except StorageUnavailable as error:
            # Those behind would wait for the same database, one deadline after the other.
            self._fail([*taken, *self._drain()], error)
            return
        except Exception as error:  # noqa: BLE001 - whatever it was, the callers get it and the worker lives
            self._fail(taken, error)
            return
        start = 0
        for waiting in taken:
            end = start + len(waiting.entries)
            if not waiting.done.done():
                waiting.done.set_result(outcomes[start:end])
            start = end

    def _drain(self) -> list[_Waiting]:
        rest = list(self._queue)
        self._queue.clear()
        self._queued = 0
        return rest

    @staticmethod
    def _fail(waiting: list[_Waiting], error: Exception) -> None:
        for one in waiting:
            if not one.done.done():
                one.done.set_exception(error)
