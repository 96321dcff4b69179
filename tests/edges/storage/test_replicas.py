"""Replicas tell each other that they live and by which policy they decide."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import text

from lineclear.engine.log import StorageUnavailable
from lineclear.storage.database import Database
from lineclear.storage.replicas import Replicas


async def aged(database, replica_id, age):
    async with database.begin("ageing a row") as connection:
        await connection.execute(
            text("UPDATE replicas SET seen_at = now() - :age WHERE id = :id"),
            {"age": age, "id": replica_id},
        )


async def test_replicas_are_listed_with_their_latest_version(database):
    replicas = Replicas(database)
    await replicas.beat("b", "v1")
    await replicas.beat("a", "v1")
    await replicas.beat("b", "v2")
    assert [(one.id, one.policy_version) for one in await replicas.live()] == [("a", "v1"), ("b", "v2")]


async def test_one_that_is_silent_or_has_left_is_not_listed(database):
    replicas = Replicas(database)
    for one in ("silent", "left", "here"):
        await replicas.beat(one, "v1")
    await aged(database, "silent", timedelta(seconds=11))
    await replicas.leave("left")
    assert [one.id for one in await replicas.live()] == ["here"]


async def test_rows_of_the_long_gone_are_removed(database):
    replicas = Replicas(database)
    await replicas.beat("gone", "v1")
    await aged(database, "gone", timedelta(hours=2))
    await replicas.beat("here", "v1")
    async with database.begin("counting") as connection:
        assert (await connection.execute(text("SELECT count(*) FROM replicas"))).scalar_one() == 1


async def test_without_a_database_nobody_is_said_to_live():
    database = Database("postgresql://x@127.0.0.1:1/x", checkout_s=0.5, statement_s=0.5)
    with pytest.raises(StorageUnavailable):
        await Replicas(database).live()
    await database.close()
