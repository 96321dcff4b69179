from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest

from contracts.records import CHAIN, KEY, NOW, a_session, an_entry
from lineclear.core.breaker import Breaker, OpenedBy
from lineclear.core.call import Key, Principal, Role
from lineclear.core.course import Answer, By, Result
from lineclear.core.joining import Said
from lineclear.core.redact import Redacted
from lineclear.core.standing import Grant, Scope
from lineclear.engine.answers import Given
from lineclear.engine.conversation import Heard
from lineclear.engine.listing import Wanted
from lineclear.engine.log import Known, Outcome
from lineclear.engine.sessions import Deed
from lineclear.storage.answers import PostgresAnswers
from lineclear.storage.database import Database
from lineclear.storage.keys import PostgresKeys
from lineclear.storage.leases import PostgresLeases
from lineclear.storage.listing import PostgresListing
from lineclear.storage.log import PostgresLog
from lineclear.storage.messages import PostgresMessages
from lineclear.storage.migrate import behind
from lineclear.storage.partitions import maintain
from lineclear.storage.replicas import Replicas
from lineclear.storage.sessions import PostgresSessions
from support.auditing import audited

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
    log, keys, replicas = PostgresLog(service, CHAIN), PostgresKeys(service), Replicas(service)
    assert not await behind(run_url)
    first = an_entry(tool_use_id="t-1")
    assert list(await log.commit([first])) == [Outcome.WRITTEN]
    known = await log.known(KEY, "t-1")
    assert known == Known(first.session, first.record)
    again = an_entry(known, tool_use_id="t-1", replaces=first.record.id, roots=("/work/repo/a",))
    assert list(await log.commit([again])) == [Outcome.WRITTEN]
    await the_rest(service, log)
    await keys.add(Key("k-1", Role.HOST, Principal("installation-1")), b"one")
    assert await keys.revoke("k-1")
    await replicas.beat("r-1", "sha256:1")
    await replicas.leave("r-1")
    await service.close()
    assert (await audited(run_url))[0] == set(), "it may look through the log"


async def the_rest(service, log):
    """What people and models have to do with a session."""
    anna = Key("k-9", Role.OPERATOR, Principal("anna"))
    deed = Deed(uuid4(), anna, NOW, Redacted("a false alarm"))
    messages, answers, sessions = PostgresMessages(service), PostgresAnswers(service), PostgresSessions(service)
    assert await messages.join(a_session(), [Heard(Said(None, "hash"), Redacted([["hi", False, False]]))]) == 1
    leases, holder = PostgresLeases(service), uuid4()
    assert await leases.take(KEY, "t-2", holder, for_s=1)
    await leases.release(KEY, "t-2", holder)
    question = an_entry(await log.known(KEY, None), expires_at=NOW + timedelta(minutes=15))
    opened = replace(question.session, breaker=Breaker(3, 3, OpenedBy.CONSECUTIVE, 1), steps=1)
    assert list(await log.commit([replace(question, session=opened)])) == [Outcome.WRITTEN]
    grant = Grant(uuid4(), "cd" * 32, Scope.ONCE, frozenset())
    await answers.answer(question.record, Given(Answer.APPROVED, By.OPERATOR, anna, NOW, Scope.ONCE, grant))
    known = await log.known(KEY, None)
    assert list(await log.commit([replace(an_entry(known), uses=grant.id)])) == [Outcome.WRITTEN]
    assert await answers.report(question.record, Result.EXECUTED, anna, NOW)
    assert (await sessions.reset(known.session, deed)) is not None
    await sessions.close(known.session, replace(deed, id=uuid4()))
    assert len((await PostgresListing(service).decisions(Wanted(), before=None, limit=9)).records) > 1


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE decisions SET verdict = 'allow'",
        "DELETE FROM decisions",
        "TRUNCATE decisions",
        "UPDATE audit_links SET mac = ''",
        "DELETE FROM audit_links",
        "INSERT INTO audit_drops VALUES (0, 0, '', '')",
        "UPDATE audit_trims SET sequence = 9",
        "DROP TABLE decisions",
        "DELETE FROM sessions",
        "DELETE FROM grants",
        "UPDATE session_messages SET typed = '[]'",
        "DELETE FROM session_deeds",
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
