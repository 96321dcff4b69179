"""Few connections for many callers: opened when needed, bounded in number, in waiters and in how long one waits."""

from __future__ import annotations

import asyncio
from collections import deque
from time import monotonic
from typing import TYPE_CHECKING

from lineclear.engine.log import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    import asyncpg

_WAITERS_PER_CONNECTION = 32
_IDLE_S = 300.0
"""Longer than this, a firewall may have forgotten a connection that looks open here."""


class Pool:
    """The driver's connections, lent one caller each.

    Unlike the driver's own pool it turns callers away when too many wait, resets nothing between loans (nothing here
    changes a connection's settings), and takes two microseconds.
    """

    def __init__(self, connect: Callable[[], Awaitable[asyncpg.Connection]], *, size: int, wait_s: float) -> None:
        self._connect = connect
        self._size = size
        self._wait_s = wait_s
        self._idle: list[tuple[asyncpg.Connection, float]] = []
        self._lent: set[asyncpg.Connection] = set()
        self._opening = 0
        # What a waiter gets: a connection, or None for the right to open one.
        self._waiters: deque[asyncio.Future[asyncpg.Connection | None]] = deque()

    async def take(self) -> asyncpg.Connection:
        """A connection; raises ``StorageUnavailable`` where too many wait, ``TimeoutError``, and the driver's own."""
        while self._idle:
            connection, since = self._idle.pop()
            if not connection.is_closed() and monotonic() - since < _IDLE_S:
                self._lent.add(connection)
                return connection
            connection.terminate()
        if len(self._lent) + self._opening < self._size:
            self._opening += 1
            return await self._open()
        if len(self._waiters) >= self._size * _WAITERS_PER_CONNECTION:
            raise StorageUnavailable("too many calls wait for the database; try again")
        got = await self._wait()
        return await self._open() if got is None else got

    def give(self, connection: asyncpg.Connection) -> None:
        """Take a connection back; one that is closed makes room for another."""
        self._lent.discard(connection)
        if connection.is_closed():
            self._room()
        elif (waiter := self._next()) is not None:
            self._lent.add(connection)
            waiter.set_result(connection)
        else:
            self._idle.append((connection, monotonic()))

    def close(self) -> None:
        """End the connections that nobody has, and cut the others off."""
        for connection, _ in self._idle:
            connection.terminate()
        for connection in self._lent:
            connection.terminate()
        self._idle.clear()

    async def _open(self) -> asyncpg.Connection:
        """Open a connection, for which ``_opening`` counts already."""
        try:
            connection = await self._connect()
        except BaseException:
            self._opening -= 1
            self._room()
            raise
        self._opening -= 1
        self._lent.add(connection)
        return connection

    async def _wait(self) -> asyncpg.Connection | None:
        waiter = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        try:
            async with asyncio.timeout(self._wait_s):
                return await waiter
        except BaseException:
            # Given up, and perhaps served in the same moment: then it's the next one's turn.
            if waiter.done() and not waiter.cancelled():
                if (connection := waiter.result()) is not None:
                    self.give(connection)
                else:
                    self._opening -= 1
                    self._room()
            raise

    def _room(self) -> None:
        """Let the next waiter open a connection."""
        if (waiter := self._next()) is not None:
            self._opening += 1
            waiter.set_result(None)

    def _next(self) -> asyncio.Future[asyncpg.Connection | None] | None:
        while self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                return waiter
        return None
