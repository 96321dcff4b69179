from __future__ import annotations

import asyncio
import socket
import time

import pytest

from lineclear.core.call import Key, Principal, Role
from lineclear.engine.log import StorageUnavailable
from lineclear.storage.database import Database
from lineclear.storage.keys import PostgresKeys

KEY = Key("k-1", Role.HOST, Principal("installation-1"))


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def here(database, clock):
    return PostgresKeys(database, clock=clock)


@pytest.fixture
def elsewhere(database, clock):
    """Another replica's view of the same keys."""
    return PostgresKeys(database, clock=clock)


async def test_a_revoked_key_stops_on_every_replica_within_five_seconds(here, elsewhere, clock):
    await here.add(KEY, b"one")
    assert await elsewhere.find(b"one") == KEY
    assert await here.revoke("k-1")
    assert await here.find(b"one") is None
    clock.now += 4.9
    assert await elsewhere.find(b"one") is None


async def test_the_poll_tells_other_replicas_sooner(database):
    here, elsewhere = PostgresKeys(database), PostgresKeys(database)
    await here.add(KEY, b"one")
    assert await elsewhere.find(b"one") == KEY
    polling = asyncio.create_task(elsewhere.poll())
    await here.revoke("k-1")
    await asyncio.sleep(2.5)
    assert await elsewhere.find(b"one") is None
    polling.cancel()


async def test_a_new_key_works_elsewhere_after_a_quarter_of_a_second(here, elsewhere, clock):
    assert await elsewhere.find(b"one") is None
    await here.add(KEY, b"one")
    clock.now += 0.3
    assert await elsewhere.find(b"one") == KEY


async def test_a_flood_of_unknown_keys_reads_the_table_once(here, clock, monkeypatch):
    await here.find(b"")
    clock.now += 1
    looked = []
    begin = here._database.begin
    monkeypatch.setattr(here._database, "begin", lambda doing: looked.append(doing) or begin(doing))
    found = await asyncio.gather(*(here.find(bytes([n])) for n in range(200)))
    assert found == [None] * 200
    assert looked == ["reading the keys"]


async def test_who_waits_for_a_silent_database_waits_for_one_deadline_and_not_for_one_s_turn(clock):
    silent = socket.create_server(("127.0.0.1", 0))
    port = silent.getsockname()[1]
    nowhere = Database(f"postgresql://u@127.0.0.1:{port}/x?sslmode=disable", checkout_s=0.3, statement_s=0.1)
    keys = PostgresKeys(nowhere, clock=clock)
    begun = time.monotonic()
    outcomes = await asyncio.gather(*(keys.find(bytes([n])) for n in range(100)), return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} == {StorageUnavailable}
    assert time.monotonic() - begun < 2
    await nowhere.close()
    silent.close()


async def test_keys_that_can_not_be_read_anew_are_not_believed(clock):
    nowhere = Database("postgresql://lineclear@127.0.0.1:1/none", checkout_s=0.2)
    keys = PostgresKeys(nowhere, clock=clock)
    with pytest.raises(StorageUnavailable):
        await keys.find(b"one")
    await nowhere.close()


async def test_a_valid_key_is_believed_for_four_seconds_of_an_outage_and_no_longer(here, clock, monkeypatch):
    await here.add(KEY, b"one")
    assert await here.find(b"one") == KEY

    def gone(doing):
        raise StorageUnavailable(doing)

    monkeypatch.setattr(here._database, "begin", gone)
    clock.now += 3.9
    assert await here.find(b"one") == KEY
    clock.now += 0.2
    with pytest.raises(StorageUnavailable):
        await here.find(b"one")


async def test_a_poll_outlives_an_outage(here, monkeypatch):
    naps = []

    async def nap(seconds):
        naps.append(seconds)
        if len(naps) == 3:
            raise asyncio.CancelledError

    def gone(doing):
        raise StorageUnavailable(doing)

    monkeypatch.setattr(here._database, "begin", gone)
    monkeypatch.setattr("lineclear.storage.keys.asyncio.sleep", nap)
    with pytest.raises(asyncio.CancelledError):
        await here.poll()
    assert naps == [2.0] * 3


async def test_a_key_of_a_role_that_a_newer_version_made_is_not_valid_and_harms_no_other(here, database):
    await here.add(KEY, b"one")
    async with database.begin("pretending") as connection:
        await connection.exec_driver_sql(
            "INSERT INTO api_keys (id, digest, role, principal, groups) VALUES ('k-2', 'two', 'auditor', 'p', '{}')"
        )
    assert await here.find(b"one") == KEY
    assert await here.find(b"two") is None
    assert [row.key for row in await here.all()] == [KEY]
