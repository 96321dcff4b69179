from __future__ import annotations

import asyncio
import socket
import time
from urllib.parse import urlsplit

import asyncpg
import pytest

from contracts.records import CHAIN, KEY, an_entry
from lineclear.engine.log import StorageUnavailable
from lineclear.storage.database import Database
from lineclear.storage.log import PostgresLog


@pytest.mark.parametrize("spelling", ["postgresql://", "postgres://", "postgresql+asyncpg://"])
async def test_usual_spellings_of_a_url_are_taken(database_url, spelling):
    database = Database(database_url.replace("postgresql://", spelling))
    async with database.begin("looking") as connection:
        assert (await connection.exec_driver_sql("SELECT 1")).scalar_one() == 1
    await database.close()


async def waits(url, how_far):
    """Say how far commits of a database wait by default."""
    connection = await asyncpg.connect(url)
    name = urlsplit(url).path.removeprefix("/")
    await connection.execute(f"ALTER DATABASE {name} SET synchronous_commit = {how_far}")
    await connection.close()


@pytest.fixture
async def hurried(database_url):
    """A database whose commits don't wait for the disk, unless somebody asks for it."""
    await waits(database_url, "off")
    return database_url


async def test_a_commit_waits_for_the_disk_whatever_the_default_is(hurried):
    database = Database(hurried)
    async with database.lend("looking") as connection:
        assert await connection.fetchval("SHOW synchronous_commit") == "on"
    async with database.begin("looking") as connection:
        assert (await connection.exec_driver_sql("SHOW synchronous_commit")).scalar_one() == "on"
    await database.close()


@pytest.mark.parametrize("setting", ["local", "remote_write", "on", "remote_apply"])
async def test_how_far_it_waits_is_the_servers_to_say(database_url, setting):
    await waits(database_url, setting)
    database = Database(database_url)
    async with database.lend("looking") as connection:
        assert await connection.fetchval("SHOW synchronous_commit") == setting
    await database.close()


async def test_where_it_can_not_be_made_to_wait_there_is_no_verdict(hurried):
    database = Database(f"{hurried}&pgbouncer=true")
    with pytest.raises(StorageUnavailable, match="`synchronous_commit = on`"):
        await PostgresLog(database, CHAIN).known(KEY, None)
    with pytest.raises(StorageUnavailable, match="`synchronous_commit = on`"):
        async with database.begin("looking"):
            pass
    await database.close()


async def test_nothing_listens_there(unused_tcp_port):
    database = Database(f"postgresql://lineclear@127.0.0.1:{unused_tcp_port}/db")
    with pytest.raises(
        StorageUnavailable, match="the database can't be used while reading sessions: ConnectionRefused"
    ):
        await PostgresLog(database, CHAIN).known(KEY, None)
    with pytest.raises(StorageUnavailable, match="while testing"):
        async with database.begin("testing"):
            pass
    await database.close()


async def test_a_server_that_never_answers_costs_a_short_deadline():
    silent = socket.create_server(("127.0.0.1", 0))
    port = silent.getsockname()[1]
    database = Database(f"postgresql://lineclear@127.0.0.1:{port}/db?sslmode=disable", checkout_s=0.2, statement_s=0.2)
    begun = time.monotonic()
    with pytest.raises(StorageUnavailable):
        await PostgresLog(database, CHAIN).known(KEY, None)
    assert time.monotonic() - begun < 2
    await database.close()
    silent.close()


async def test_a_statement_that_waits_too_long_is_given_up_and_the_next_works(database_url):
    database = Database(database_url, statement_s=0.3)
    log = PostgresLog(database, CHAIN)
    holder = Database(database_url)
    async with holder.begin("holding the table") as connection:
        await connection.exec_driver_sql("LOCK TABLE idempotency")
        begun = time.monotonic()
        with pytest.raises(StorageUnavailable, match="while writing decisions"):
            await log.commit([an_entry(tool_use_id="t-1")])
        assert time.monotonic() - begun < 2
    assert [outcome.value for outcome in await log.commit([an_entry(tool_use_id="t-1")])] == ["written"]
    await holder.close()
    await database.close()


async def test_tables_that_are_missing_say_what_to_do(empty_database_url):
    database = Database(empty_database_url)
    with pytest.raises(StorageUnavailable, match="run `lineclear db upgrade`"):
        await PostgresLog(database, CHAIN).known(KEY, None)
    await database.close()


async def test_connections_that_were_cut_are_made_anew(database, postgres, database_url):
    log = PostgresLog(database, CHAIN)
    await log.commit([an_entry()])
    name = database_url.split("/")[-1].split("?")[0]
    holder = Database(postgres)
    async with holder.begin("cutting") as connection:
        await connection.exec_driver_sql(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        )
    await holder.close()
    for _ in range(10):
        try:
            known = await log.known(KEY, None)
            break
        except StorageUnavailable:
            await asyncio.sleep(0.05)
    assert known.session is not None


async def test_waiters_do_not_pile_up(database_url):
    database = Database(database_url, connections=1, checkout_s=5)
    release = asyncio.Event()

    async def hold():
        async with database.lend("holding"):
            await release.wait()

    held = [asyncio.create_task(hold())]
    await asyncio.sleep(0.2)
    held += [asyncio.create_task(hold()) for _ in range(32)]
    await asyncio.sleep(0)
    with pytest.raises(StorageUnavailable, match="too many calls wait for the database"):
        async with database.lend("testing"):
            pass
    release.set()
    await asyncio.gather(*held)
    await database.close()


async def test_a_caller_that_gives_up_leaves_a_connection_that_works(database_url):
    database = Database(database_url, connections=1)
    for _ in range(3):

        async def slow():
            async with database.lend("sleeping") as connection:
                await connection.execute("SELECT pg_sleep(30)")

        task = asyncio.create_task(slow())
        await asyncio.sleep(0.1)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        async with database.lend("testing") as connection:
            assert await connection.fetchval("SELECT 1") == 1
    await database.close()
