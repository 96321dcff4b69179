from __future__ import annotations

import asyncio

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from lineclear.storage.database import Database
from lineclear.storage.migrate import behind, config, revisions, upgrade
from lineclear.storage.tables import metadata


async def test_a_fresh_database_is_behind_until_it_is_upgraded_and_a_second_time_changes_nothing(empty_database_url):
    assert await behind(empty_database_url)
    await upgrade(empty_database_url)
    assert not await behind(empty_database_url)
    await upgrade(empty_database_url)
    assert not await behind(empty_database_url)


async def test_replicas_that_upgrade_at_once_do_not_meet(empty_database_url):
    await asyncio.gather(*(upgrade(empty_database_url) for _ in range(4)))
    assert not await behind(empty_database_url)


def test_the_names_of_the_migrations_tell_their_revisions_and_which_is_the_newest():
    scripts = ScriptDirectory.from_config(config())
    assert revisions() == {script.revision for script in scripts.walk_revisions()}
    assert max(revisions()) == scripts.get_current_head()


async def test_a_newer_schema_is_not_behind_so_that_replicas_can_be_replaced_one_by_one(database_url):
    database = Database(database_url)
    async with database.begin("pretending") as connection:
        await connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    await database.close()
    assert not await behind(database_url)
    await upgrade(database_url)


async def test_the_migrations_make_the_tables_that_the_code_describes(database):
    def differences(connection):
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True, "include_object": _not_a_partition}
        )
        return compare_metadata(context, metadata)

    async with database.begin("comparing") as connection:
        assert await connection.run_sync(differences) == []


def _not_a_partition(_object, name, kind, _reflected, _compare_to):
    return not (kind == "table" and name.startswith("decisions_"))
