"""Work in groups: calls that arrive together share one run, and nobody waits when there is nobody else."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from lineclear.engine.log import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class _Waiting(Generic[T, R]):
    items: Sequence[T]
    done: asyncio.Future[Sequence[R]]


class Group(Generic[T, R]):
    """Gathers what concurrent callers want done and hands it, batch by batch, to ``run``, which answers in order.

    One batch is under way at a time; what arrives meanwhile makes the next one. ``batch`` is the most items that one
    takes, ``queue`` the most that wait: beyond, callers are turned away at once with ``StorageUnavailable``. ``name``
    says in errors what is done.
    """

    def __init__(
        self, run: Callable[[Sequence[T]], Awaitable[Sequence[R]]], name: str, *, batch: int, queue: int
    ) -> None:
        self._run = run
        self._name = name
        self._batch = batch
        self._most = queue
        self._queue: deque[_Waiting[T, R]] = deque()
        self._queued = 0
        self._worker: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def queued(self) -> int:
        """How many items wait for their batch."""
        return self._queued

    async def do(self, items: Sequence[T]) -> Sequence[R]:
        """Have items done with whatever else is waiting.

        A caller that gives up before its batch began takes its items with it; later, they are done all the same.
        """
        if self._closed:
            raise StorageUnavailable(f"{self._name} is stopping; ask another replica")
        if self._queued + len(items) > self._most:
            raise StorageUnavailable(f"too many calls wait for {self._name}; try again")
        waiting: _Waiting[T, R] = _Waiting(items, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        self._queued += len(items)
        if self._worker is None:
            self._worker = asyncio.create_task(self._work(), name=self._name)
        return await waiting.done

    async def close(self) -> None:
        """Take no more, and return when all that was taken is done."""
        self._closed = True
        if self._worker is not None:
            await asyncio.wait([self._worker])

    async def _work(self) -> None:
        taken: list[_Waiting[T, R]] = []
        try:
            while taken := self._take():
                await self._do(taken)
        finally:
            # Only a worker that was cancelled leaves anybody waiting.
            self._worker = None
            self._fail([*taken, *self._drain()], StorageUnavailable(f"{self._name} was stopped"))

    def _take(self) -> list[_Waiting[T, R]]:
        taken: list[_Waiting[T, R]] = []
        size = 0
        while self._queue and (not taken or size + len(self._queue[0].items) <= self._batch):
            waiting = self._queue.popleft()
            self._queued -= len(waiting.items)
            if not waiting.done.done():  # else its caller gave up
                taken.append(waiting)
                size += len(waiting.items)
        return taken

    async def _do(self, taken: list[_Waiting[T, R]]) -> None:
        try:
            results = await self._run([item for waiting in taken for item in waiting.items])
        except StorageUnavailable as error:
            # Those behind would wait for the same database, one deadline after the other.
            self._fail([*taken, *self._drain()], error)
            return
        except Exception as error:  # noqa: BLE001 - whatever it was, the callers get it and the worker lives
            self._fail(taken, error)
            return
        start = 0
        for waiting in taken:
            end = start + len(waiting.items)
            if not waiting.done.done():
                waiting.done.set_result(results[start:end])
            start = end

    def _drain(self) -> list[_Waiting[T, R]]:
        rest = list(self._queue)
        self._queue.clear()
        self._queued = 0
        return rest

    @staticmethod
    def _fail(waiting: list[_Waiting[T, R]], error: Exception) -> None:
        for one in waiting:
            if not one.done.done():
                one.done.set_exception(error)
