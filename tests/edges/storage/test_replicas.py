"""Replicas tell each other that they live and by which policy they decide."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import func, select, update

from lineclear.engine.log import StorageUnavailable
from lineclear.storage.database import Database
from lineclear.storage.replicas import Replicas
from lineclear.storage.tables import replicas


async def aged(database, replica_id, hours=0, seconds=0):
    older = update(replicas).values(seen_at=func.now() - timedelta(hours=hours, seconds=seconds))
    async with database.begin("ageing a row") as connection:
        await connection.execute(older.where(replicas.c.id == replica_id))


async def test_replicas_are_listed_with_their_latest_version(database):
    known = Replicas(database)
    await known.beat("b", "v1")
    await known.beat("a", "v1")
    await known.beat("b", "v2")
    assert [(one.id, one.policy_version) for one in await known.live()] == [("a", "v1"), ("b", "v2")]


async def test_one_that_is_silent_or_has_left_is_not_listed(database):
    known = Replicas(database)
    for one in ("silent", "left", "here"):
        await known.beat(one, "v1")
    await aged(database, "silent", seconds=11)
    await known.leave("left")
    assert [one.id for one in await known.live()] == ["here"]


async def test_rows_of_the_long_gone_are_removed(database):
    known = Replicas(database)
    await known.beat("gone", "v1")
    await aged(database, "gone", hours=2)
    await known.beat("here", "v1")
    async with database.begin("counting") as connection:
        assert (await connection.execute(select(func.count()).select_from(replicas))).scalar_one() == 1


async def test_without_a_database_nobody_is_said_to_live():
    database = Database("postgresql://x@127.0.0.1:1/x", checkout_s=0.5, statement_s=0.5)
    with pytest.raises(StorageUnavailable):
        await Replicas(database).live()
    await database.close()
