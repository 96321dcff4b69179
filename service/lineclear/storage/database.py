"""The way to Postgres: few connections, short deadlines, a bounded wait, and one exception when it can't be used."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import asyncpg
from sqlalchemy.ext.asyncio import create_async_engine

from lineclear.storage.failures import REFUSED, NotDurable, unavailable
from lineclear.storage.pool import Pool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine


class Database:
    """A Postgres server, reached lazily: building one connects to nothing, and an outage heals by itself.

    ``url`` is ``postgresql://…`` with the driver's options; one of ours, ``pgbouncer=true``, keeps to what PgBouncer's
    transaction mode can do: no named statements, no session settings, each statement in a transaction.

    Two roads to the same server: ``lend`` gives the driver's own connection, for the decision's path; ``begin`` gives
    SQLAlchemy's, for everything else. Both raise ``StorageUnavailable``.
    """

    def __init__(
        self,
        url: str,
        *,
        connections: int = 8,
        checkout_s: float = 2.0,
        statement_s: float = 2.0,
        lock_s: float = 1.0,
    ) -> None:
        self._dsn, self.pgbouncer = _split(url)
        self._checkout_s = checkout_s
        self._statement_s = statement_s
        self._lock_s = lock_s
        self._pool = Pool(self._connect, size=connections, wait_s=checkout_s)
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
                # Shorter than a statement's, so that a batch learns that a lock is what it waits for.
                "lock_timeout": str(int(self._lock_s * 1000)),
                "idle_in_transaction_session_timeout": str(int(self._statement_s * 5000)),
                # Our statements go by key: planning them anew for each batch's values costs more than running them.
                "plan_cache_mode": "force_generic_plan",
            }
        options.pop("dsn", None)
        options |= {"timeout": self._checkout_s, "command_timeout": self._statement_s, "server_settings": settings}
        if self.pgbouncer:
            options["statement_cache_size"] = 0
        connection = await asyncpg.connect(self._dsn, **options)
        try:
            await self._see_to_durability(connection)
        except BaseException:
            connection.terminate()
            raise
        return connection

    async def _see_to_durability(self, connection: asyncpg.Connection) -> None:
        """See that a commit waits for the disk, whatever the server's, the database's or the role's default is."""
        async with connection.transaction():
            if await connection.fetchval("SHOW synchronous_commit") != "off":
                return
        if self.pgbouncer:  # which would give the setting to whoever comes next, and not keep it for us
            raise NotDurable
        await connection.execute("SET synchronous_commit = on")

    @asynccontextmanager
    async def lend(self, doing: str) -> AsyncIterator[asyncpg.Connection]:
        """A connection of the driver; ``doing`` says what for, in errors."""
        with unavailable(doing):
            connection = await self._pool.take()
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
                self._pool.give(connection)

    @asynccontextmanager
    async def begin(self, doing: str) -> AsyncIterator[AsyncConnection]:
        """A transaction of SQLAlchemy's, committed at the end of the block."""
        with unavailable(doing):
            async with asyncio.timeout(self._checkout_s + self._statement_s * 2), self._engine.begin() as connection:
                yield connection

    async def close(self) -> None:
        """End all connections."""
        self._pool.close()
        await self._engine.dispose()


def _split(url: str) -> tuple[str, bool]:
    """The driver's URL, and whether ours asks for PgBouncer's manners."""
    parts = urlsplit(url)
    options = parse_qsl(parts.query, keep_blank_values=True)
    pgbouncer = any(name == "pgbouncer" and value.lower() in {"true", "1", "on"} for name, value in options)
    query = urlencode([(name, value) for name, value in options if name != "pgbouncer"])
    return urlunsplit(parts._replace(scheme="postgresql", query=query)), pgbouncer
