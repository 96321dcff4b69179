from __future__ import annotations

import asyncio
import os
import subprocess
import sys

import pytest
from alembic import command
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


async def test_processes_that_upgrade_at_once_do_not_meet(empty_database_url):
    upgrading = [sys.executable, "-m", "lineclear", "db", "upgrade"]
    settings = {"LINECLEAR_DATABASE_URL": empty_database_url, "PYTHONPATH": os.pathsep.join(sys.path)}
    processes = [
        await asyncio.create_subprocess_exec(*upgrading, env=os.environ | settings, stdout=subprocess.DEVNULL)
        for _ in range(3)
    ]
    assert await asyncio.gather(*(process.wait() for process in processes)) == [0, 0, 0]
    assert not await behind(empty_database_url)


ADDED_ONLY = sorted(revisions())[2:]
"""From these on, the version before goes on beside the new one while replicas are replaced."""


@pytest.mark.parametrize("revision", ADDED_ONLY)
async def test_a_migration_takes_nothing_from_the_version_before(empty_database_url, revision):
    """What was there stays as it was, and what is new asks nothing of those who don't know it."""
    database = Database(empty_database_url, statement_s=60)
    async with database.begin("migrating") as connection:
        await connection.run_sync(_to, str(int(revision) - 1).zfill(4))
        before = await columns(connection)
        rules = await constraints(connection)
        await connection.run_sync(_to, revision)
        after = await columns(connection)
        added = await constraints(connection) - rules
    await database.close()
    assert before.items() <= after.items()
    old_tables = {table for table, _ in before}
    new = {name: (kind, nullable, default) for name, (kind, nullable, default) in after.items() if name not in before}
    assert [
        name for name, (_, nullable, default) in new.items() if name[0] in old_tables and not (nullable or default)
    ] == []
    assert [(table, rule) for table, rule in added if table in old_tables] == []


def _to(connection, revision):
    ours = config()
    ours.attributes["connection"] = connection
    command.upgrade(ours, revision)


async def columns(connection):
    rows = await connection.exec_driver_sql(
        "SELECT table_name, column_name, data_type, is_nullable = 'YES', column_default IS NOT NULL "
        "FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'alembic_version'"
    )
    return {(table, column): tuple(rest) for table, column, *rest in rows}


async def constraints(connection):
    """Primary keys, unique and other constraints, unique indexes, triggers: what may refuse a row."""
    rows = await connection.exec_driver_sql(
        "SELECT conrelid::regclass::text, conname FROM pg_constraint WHERE connamespace = 'public'::regnamespace "
        "AND contype <> 'n' UNION "
        "SELECT indrelid::regclass::text, indexrelid::regclass::text FROM pg_index WHERE indisunique UNION "
        "SELECT tgrelid::regclass::text, tgname FROM pg_trigger"
    )
    return {tuple(row) for row in rows}


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
