from __future__ import annotations

import asyncio

from lineclear.storage.replicas import Replicas


async def versions(replicas):
    return {replica.id: replica.policy_version for replica in await replicas.all()}


async def test_all_replicas_see_what_each_runs_now(database):
    here, there = Replicas(database), Replicas(database)
    await here.beat("r-1", "sha256:1")
    await there.beat("r-2", "sha256:1")
    await there.beat("r-2", "sha256:2")
    assert await versions(here) == {"r-1": "sha256:1", "r-2": "sha256:2"}


async def test_who_leaves_or_falls_silent_is_gone(database):
    replicas = Replicas(database)
    for name in ("r-1", "r-2", "r-3"):
        await replicas.beat(name, "sha256:1")
    await replicas.leave("r-1")
    async with database.begin("ageing") as connection:
        await connection.exec_driver_sql("UPDATE replicas SET seen_at = now() - interval '31 s' WHERE id = 'r-2'")
    assert await versions(replicas) == {"r-3": "sha256:1"}
    await replicas.beat("r-3", "sha256:1")
    async with database.begin("counting") as connection:
        assert (await connection.exec_driver_sql("SELECT count(*) FROM replicas")).scalar_one() == 1


async def test_many_that_beat_at_once_do_not_meet(database):
    replicas = Replicas(database)
    await asyncio.gather(*(replicas.beat(f"r-{n}", f"sha256:{n % 2}") for n in range(4)))
    assert len(await versions(replicas)) == 4
