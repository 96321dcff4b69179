"""A link that stands in no chain vouches for nothing: what it tells is found, wherever it was put."""

from __future__ import annotations

import asyncpg
import pytest

from contracts.records import CHAIN, an_entry
from lineclear.core.call import SessionKey
from lineclear.engine.audit import Fault
from lineclear.engine.log import Outcome, StorageUnavailable
from lineclear.storage.log import PostgresLog
from lineclear.storage.statements import LINK_COLUMNS
from lineclear.wire.columns import COLUMNS
from support.auditing import audited

FORGED = "f0f0f0f0-0000-4000-8000-000000000000"


@pytest.fixture
async def intruder(database, database_url):
    """Somebody with all rights, who has put a record of their own into a log of 201 links of one writer."""
    log = PostgresLog(database, CHAIN)
    for n in range(201):
        assert list(await log.commit([an_entry(key=SessionKey((f"p-{n}", "s")))])) == [Outcome.WRITTEN]
    connection = await asyncpg.connect(database_url)
    columns = ", ".join(f"'{FORGED}'" if name == "id" else name for name in COLUMNS)
    await connection.execute(
        f"INSERT INTO decisions ({', '.join(COLUMNS)}) SELECT {columns} FROM decisions ORDER BY id LIMIT 1"
    )
    await connection.execute("ALTER TABLE audit_links DROP CONSTRAINT pk_audit_links")
    for column in ("writer", "sequence"):
        await connection.execute(f"ALTER TABLE audit_links ALTER {column} DROP NOT NULL")
    yield connection
    await connection.close()


PLACES = {
    "before all numbers": {"writer": "gen_random_uuid()", "sequence": "-9223372036854775808"},
    "before all numbers of a writer": {"sequence": "-9223372036854775808"},
    "without a number": {"sequence": "NULL"},
    "without a writer": {"writer": "NULL"},
    "behind the last of a page, under its number": {"sequence": "200"},
    "before the last of a page, under its number": {"sequence": "200", "first": "true"},
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
async def test_a_record_is_vouched_for_by_no_link_out_of_sight(intruder, database_url, place):
    values = {"ids": f"ARRAY['{FORGED}'::uuid]", **place}
    first = values.pop("first", None)
    columns = ", ".join(values.get(name, name) for name in LINK_COLUMNS)
    genuine = "FROM audit_links WHERE sequence = 200"
    await intruder.execute("CREATE TABLE kept AS SELECT * FROM audit_links")
    if first:
        await intruder.execute("DELETE FROM audit_links WHERE sequence >= 200")
    await intruder.execute(f"INSERT INTO audit_links SELECT {columns} {genuine.replace('audit_links', 'kept')}")
    if first:
        await intruder.execute("INSERT INTO audit_links SELECT * FROM kept WHERE sequence >= 200")
    found, _ = await audited(database_url)
    assert found & {Fault.LINK_CHANGED, Fault.RECORD_UNLINKED}


async def test_rows_that_the_database_hides_from_the_one_who_looks_are_no_intact_log(intruder, database_url):
    await intruder.execute("CREATE ROLE looking LOGIN")
    try:
        await intruder.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO looking")
        url = database_url.replace("//lineclear@", "//looking@")
        assert (await audited(url))[0] == {Fault.RECORD_UNLINKED}
        await intruder.execute("ALTER TABLE decisions ENABLE ROW LEVEL SECURITY")
        await intruder.execute(f"CREATE POLICY hidden ON decisions USING (id <> '{FORGED}')")
        with pytest.raises(StorageUnavailable, match="InsufficientPrivilege"):
            await audited(url)
    finally:
        await intruder.execute("DROP OWNED BY looking; DROP ROLE looking")
