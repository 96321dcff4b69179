"""Shared fixtures: one embedded Postgres a session, a fresh migrated database for each test that asks for one."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import asyncpg
import pytest

from lineclear.storage.database import Database
from lineclear.storage.embedded import start
from lineclear.storage.migrate import upgrade

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """URL of a server of this session's own, with nothing in it."""
    folder = Path(tempfile.mkdtemp(prefix="lc-"))
    server = start(folder / "db", production=False)
    try:
        # Nothing here outlives a crash of the machine; databases are made and dropped for each test.
        for statement in ("ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()"):
            asyncio.run(run(server.url, statement))
        yield server.url
    finally:
        server.close()
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def migrated(postgres: str) -> str:
    """Name of a database that is migrated, and that nobody connects to: the template of the others."""
    name = "template_migrated"

    async def make() -> None:
        await run(postgres, f"CREATE DATABASE {name}")
        await upgrade(named(postgres, name))

    asyncio.run(make())
    return name


@pytest.fixture
async def empty_database_url(postgres: str) -> AsyncIterator[str]:
    """URL of a database without tables."""
    async for url in fresh(postgres, "template1"):
        yield url


@pytest.fixture
async def database_url(postgres: str, migrated: str) -> AsyncIterator[str]:
    """URL of a migrated database of the test's own."""
    async for url in fresh(postgres, migrated):
        yield url


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """The way to a migrated database of the test's own."""
    database = Database(database_url)
    try:
        yield database
    finally:
        await database.close()


@pytest.fixture
async def pooled_database(database_url: str) -> AsyncIterator[Database]:
    """The same, as PgBouncer in transaction mode allows it."""
    database = Database(f"{database_url}&pgbouncer=true")
    try:
        yield database
    finally:
        await database.close()


async def fresh(postgres: str, template: str) -> AsyncIterator[str]:
    name = f"t{uuid4().hex}"
    await run(postgres, f"CREATE DATABASE {name} TEMPLATE {template}")
    try:
        yield named(postgres, name)
    finally:
        await run(postgres, f"DROP DATABASE {name} WITH (FORCE)")


async def run(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


def named(postgres: str, name: str) -> str:
    return postgres.replace("/postgres?", f"/{name}?")
