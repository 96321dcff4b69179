"""The way to Postgres: few connections, short deadlines, a bounded wait, and one exception when it can't be used."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import asyncpg
from sqlalchemy.ext.asyncio import create_async_engine

from lineclear.engine.log import StorageUnavailable
from lineclear.storage.failures import REFUSED, unavailable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

_WAITERS_PER_CONNECTION = 32


class BadUrl(ValueError):
    """The database's URL can't be used; the message never holds the URL, which may hold a password."""


class Database:
    """A Postgres server, reached lazily: building one connects to nothing, and an outage heals by itself.

    ``url`` is ``postgresql://…`` with the driver's options; one of ours, ``pgbouncer=true``, keeps to what PgBouncer's
    transaction mode can do: no named statements, no session settings, each statement in a transaction.

    Two roads to the same server: ``lend`` gives the driver's own connection, for the decision's path; ``begin`` gives
    SQLAlchemy's, for everything else. Both raise ``StorageUnavailable``.
    """

    def __init__(self, url: str, *, connections: int = 8, checkout_s: float = 2.0, statement_s: float = 2.0) -> None:
        self._dsn, self.pgbouncer = _split(url)
        self._checkout_s = checkout_s
        self._statement_s = statement_s
        self._connections = connections
        self._waiting = 0
        self._pool: asyncpg.Pool | None = None
        self._engine: AsyncEngine = create_async_engine(
            "postgresql+asyncpg://",
            async_creator=self._connect,
            pool_size=2,
            max_overflow=2,
            pool_timeout=checkout_s,
            pool_pre_ping=True,
            connect_args={"prepared_statement_cache_size": 0, "prepared_statement_name_func": str}
            if self.pgbouncer
            else {},
        )

    async def _connect(self, *_: object, **options: Any) -> asyncpg.Connection:
        settings = {"application_name": "lineclear"}
        if not self.pgbouncer:  # which refuses a connection that brings settings that it doesn't know
            settings |= {
                "statement_timeout": str(int(self._statement_s * 1000)),
                "idle_in_transaction_session_timeout": str(int(self._statement_s * 5000)),
            }
        options.pop("dsn", None)
        options |= {"timeout": self._checkout_s, "command_timeout": self._statement_s, "server_settings": settings}
        if self.pgbouncer:
            options["statement_cache_size"] = 0
        return await asyncpg.connect(self._dsn, **options)

    async def _pool_now(self) -> asyncpg.Pool:
        if self._pool is None:
            self._pool = asyncpg.create_pool(
                min_size=0, max_size=self._connections, connect=self._connect, reset=_leave_as_it_is
            )
            await self._pool
        return self._pool

    @asynccontextmanager
    async def lend(self, doing: str) -> AsyncIterator[asyncpg.Connection]:
        """A connection of the driver; ``doing`` says what for, in errors."""
        if self._waiting >= self._connections * _WAITERS_PER_CONNECTION:
            raise StorageUnavailable(f"too many calls wait for the database while {doing}")
        with unavailable(doing):
            pool = await self._pool_now()
            self._waiting += 1
            try:
                connection = await pool.acquire(timeout=self._checkout_s)
            finally:
                self._waiting -= 1
            try:
                # The driver's own deadline waits for the server to confirm a cancellation; a dead network never does.
                async with asyncio.timeout(self._statement_s * 2):
                    yield connection
            except REFUSED:
                raise
            except BaseException:
                # Cut off in the middle, by a deadline or its caller: what state it is in isn't worth a wait.
                connection.terminate()
                raise
            finally:
                await pool.release(connection)

    @asynccontextmanager
    async def begin(self, doing: str) -> AsyncIterator[AsyncConnection]:
        """A transaction of SQLAlchemy's, committed at the end of the block."""
        with unavailable(doing):
            async with asyncio.timeout(self._checkout_s + self._statement_s * 2), self._engine.begin() as connection:
                yield connection

    async def close(self) -> None:
        """End all connections; calls under way get a moment."""
        if self._pool is not None:
            try:
                async with asyncio.timeout(self._statement_s * 2):
                    await self._pool.close()
            except TimeoutError:
                self._pool.terminate()
        await self._engine.dispose()


async def _leave_as_it_is(_: asyncpg.Connection) -> None:
    """No reset between loans: nothing here changes a connection's settings, and each would cost a round trip."""


def _split(url: str) -> tuple[str, bool]:
    parts = urlsplit(url)
    if parts.scheme not in {"postgresql", "postgres", "postgresql+asyncpg"}:
        raise BadUrl(f"the database's url begins with `{parts.scheme}`; use `postgresql://user:password@host/name`")
    options = parse_qsl(parts.query, keep_blank_values=True)
    pgbouncer = any(name == "pgbouncer" and value.lower() in {"true", "1", "on"} for name, value in options)
    query = urlencode([(name, value) for name, value in options if name != "pgbouncer"])
    return urlunsplit(parts._replace(scheme="postgresql", query=query)), pgbouncer
