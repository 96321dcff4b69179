"""A database of the first version is brought to the second with all that is in it, and back."""

from __future__ import annotations

import pytest
from alembic import command
from sqlalchemy import text

from contracts.records import CHAIN, KEY, NOW, an_entry
from lineclear.core.breaker import Breaker
from lineclear.engine.log import Outcome
from lineclear.storage.database import Database
from lineclear.storage.log import PostgresLog
from lineclear.storage.migrate import behind, upgrade
from lineclear.storage.migrate import config as migration_config

FIRST = (
    (
        "INSERT INTO sessions (principal, session_id, id, roots, revision, started_at) "
        "VALUES ('installation-1', 's-42', gen_random_uuid(), '[\"/work/repo\"]', 1, now())"
    ),
    (
        "INSERT INTO decisions (id, decided_at, principal, session_id, tool_use_id, key_id, role, tool_name, kind, "
        "host, mode, verdict, code, rules, enforced, request, answer, redactions, input_sha256, fingerprint, "
        "policy_version, engine_version, "
        "duration_ms) VALUES ('0198aaaa-0000-7000-8000-000000000001', '2026-11-29 12:00Z', "
        "'installation-1', 's-42', 't-1', 'k', 'host', 'Bash', 'shell', 'h', 'auto', 'allow', 'safe_tool', '[]', true, "
        "'{}', '{}', '[]', '', 'f', 'v', '0', 1)"
    ),
    (
        "INSERT INTO idempotency VALUES ('installation-1', 's-42', 't-1', '0198aaaa-0000-7000-8000-000000000001', "
        "'f', '2026-11-29 12:00Z')"
    ),
)


async def to(database: Database, revision: str) -> None:
    def run(connection) -> None:
        config = migration_config()
        config.attributes["connection"] = connection
        (command.downgrade if revision == "-1" else command.upgrade)(config, revision)

    async with database.begin("migrating") as connection:
        await connection.run_sync(run)


@pytest.fixture
async def old(empty_database_url):
    """A database of the first version, in use."""
    database = Database(empty_database_url)
    await to(database, "0001")
    async with database.begin("filling") as connection:
        for statement in FIRST:
            await connection.exec_driver_sql(statement)
    yield database, empty_database_url
    await database.close()


async def test_what_was_there_is_known_and_goes_on(old):
    database, url = old
    assert await behind(url)
    await upgrade(url)
    assert not await behind(url)
    log = PostgresLog(database, CHAIN)
    known = await log.known(KEY, "t-1")
    assert known.session.breaker == Breaker()
    assert (known.session.denials, known.session.steps, known.session.messages) == ((), 0, 0)
    assert (known.spent, known.counted, known.earlier.episode, known.earlier.expires_at) == (False, False, 0, None)
    assert list(await log.commit([an_entry(known, decided_at=NOW)])) == [Outcome.WRITTEN]
    assert [record.tool_use_id for record in await log.recent(KEY, 9)].count("t-1") == 1


async def test_it_can_be_taken_back(old):
    database, url = old
    await upgrade(url)
    await to(database, "-1")
    assert await behind(url)
    async with database.begin("counting") as connection:
        assert (await connection.execute(text("SELECT count(*) FROM decisions"))).scalar() == 1
    await upgrade(url)
    assert (await PostgresLog(database, CHAIN).known(KEY, "t-1")).earlier is not None
