from __future__ import annotations

import re
from pathlib import Path

import asyncpg
import pytest

from contracts.records import KEY, an_entry
from lineclear.core.call import Key, Principal, Role
from lineclear.engine.log import Known, Outcome
from lineclear.storage.database import Database
from lineclear.storage.keys import PostgresKeys
from lineclear.storage.log import PostgresLog
from lineclear.storage.migrate import behind
from lineclear.storage.partitions import maintain
from lineclear.storage.replicas import Replicas

OPERATIONS = Path(__file__).parents[3] / "docs" / "operations.md"


@pytest.fixture
async def run_url(database_url):
    """The database as the role that the documentation makes for the service."""
    [grants] = re.findall(r"```sql\n(.*?)```", OPERATIONS.read_text(), re.DOTALL)
    owner = await asyncpg.connect(database_url)
    await owner.execute("CREATE ROLE lineclear_run LOGIN")
    await owner.execute(grants)
    yield database_url.replace("//lineclear@", "//lineclear_run@")
    await owner.execute("DROP OWNED BY lineclear_run; DROP ROLE lineclear_run")
    await owner.close()


async def test_the_documented_role_can_do_all_that_the_service_does(run_url, database):
    await maintain(database, an_entry().record.decided_at.date(), ahead=0)
    service = Database(run_url)
    log, keys, replicas = PostgresLog(service), PostgresKeys(service), Replicas(service)
    assert not await behind(run_url)
    first = an_entry(tool_use_id="t-1")
    assert list(await log.commit([first])) == [Outcome.WRITTEN]
    known = await log.known(KEY, "t-1")
    assert known == Known(first.session, first.record)
    again = an_entry(known, tool_use_id="t-1", replaces=first.record.id, roots=("/work/repo/a",))
    assert list(await log.commit([again])) == [Outcome.WRITTEN]
    await keys.add(Key("k-1", Role.HOST, Principal("installation-1")), b"one")
    assert await keys.revoke("k-1")
    await replicas.beat("r-1", "sha256:1")
    await replicas.leave("r-1")
    await service.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE decisions SET verdict = 'allow'",
        "DELETE FROM decisions",
        "TRUNCATE decisions",
        "DROP TABLE decisions",
        "DELETE FROM sessions",
        "DELETE FROM api_keys",
        "CREATE TABLE mine (a int)",
        "UPDATE alembic_version SET version_num = '0'",
    ],
)
async def test_and_nothing_else(run_url, statement):
    connection = await asyncpg.connect(run_url)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await connection.execute(statement)
    await connection.close()
