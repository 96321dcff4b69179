"""Whatever is done to the log behind the service's back, the audit names it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import asyncpg
import pytest

from contracts.records import CHAIN, NOW, an_entry
from lineclear.core.call import SessionKey
from lineclear.engine.audit import Fault
from lineclear.engine.chain import ChainKey, Head
from lineclear.engine.log import Outcome
from lineclear.storage.archive import looked_through
from lineclear.storage.log import PostgresLog
from lineclear.storage.statements import LINK_COLUMNS
from lineclear.wire.columns import COLUMNS
from support.auditing import SECRET, audited, checkpoints_of


@pytest.fixture
async def log(database):
    """Two writers, one of three batches with two records each, one of two."""
    first, second = PostgresLog(database, CHAIN), PostgresLog(database, CHAIN)
    for n in range(3):
        assert await written(first, f"first-{n}") == [Outcome.WRITTEN] * 2
    for n in range(2):
        assert await written(second, f"second-{n}") == [Outcome.WRITTEN] * 2
    return first


async def written(log, name):
    keys = [SessionKey((name, str(n))) for n in range(2)]
    moments = [NOW + timedelta(milliseconds=n) for n in range(2)]
    entries = [an_entry(key=key, tool_use_id=name, decided_at=at) for key, at in zip(keys, moments, strict=True)]
    return list(await log.commit(entries))


@pytest.fixture
async def intruder(database_url, log):  # noqa: ARG001 - there must be something to tamper with
    """Somebody with all rights in the database, and without the key; knows what the tables mean."""
    connection = await asyncpg.connect(database_url)
    await connection.execute("CREATE TABLE chosen AS SELECT * FROM audit_links ORDER BY writer, sequence")
    yield connection
    await connection.close()


async def faults(url, **how):
    found, _ = await audited(url, **how)
    return found


async def test_a_log_that_nobody_touched_is_intact(database_url, log):
    found, tally = await audited(database_url, checkpoints=checkpoints_of(log))
    assert (found, tally.writers, tally.links, tally.records) == (set(), 2, 5, 10)


async def test_an_empty_log_is_intact(database_url):
    assert await faults(database_url) == set()


CHANGES = {
    "id": "gen_random_uuid()",
    "decided_at": "decided_at + interval '1 microsecond'",
    "tool_use_id": "NULL",
    "rules": """'["builtin.push"]'""",
    "enforced": "NOT enforced",
    "request": "(request::text || ' ')::json",
    "answer": """replace(answer::text, 'ask', 'allow')::json""",
    "redactions": """'[[]]'""",
    "duration_ms": "duration_ms + 0.0000001",
    "expires_at": "now()",
    "episode": "episode + 1",
}


@pytest.mark.parametrize("column", COLUMNS)
async def test_a_change_of_any_column_is_found(intruder, database_url, column):
    change = CHANGES.get(column, f"{column} || ' '")
    one = "id = (SELECT ids[2] FROM chosen WHERE sequence = 2 LIMIT 1)"
    assert await intruder.execute(f"UPDATE decisions SET {column} = {change} WHERE {one}") == "UPDATE 1"
    found = await faults(database_url)
    moved = {Fault.RECORD_MISSING, Fault.RECORD_UNLINKED}
    assert found == (moved if column in {"id", "decided_at"} else {Fault.RECORD_CHANGED})


ODD = {
    "a number written otherwise": "UPDATE decisions SET request = replace(request::text, '2.5', '2.50')::json",
    "an end of a line": "UPDATE decisions SET request = (chr(10) || request::text)::json",
    "a moment that is none": "UPDATE decisions SET decided_at = 'infinity'",
    "a moment out of all time": "UPDATE decisions SET decided_at = '20000-01-01'",
    "an expiry out of all time": "UPDATE decisions SET expires_at = '20000-01-01'",
    "a duration that is no number": "UPDATE decisions SET duration_ms = 'NaN'",
    "rules that are none": """UPDATE decisions SET rules = '{"a": 1e400}'""",
    "JSON that is too deep": "UPDATE decisions SET answer = (repeat('[', 5000) || repeat(']', 5000))::json",
    "rules that are too deep": "UPDATE decisions SET rules = (repeat('[', 5000) || repeat(']', 5000))::jsonb",
    "a list in a list of a link": "UPDATE audit_links SET ids = ARRAY[ids, ids]",
    "a null in a link": "UPDATE audit_links SET moments = moments || NULL::bigint",
    "a moment out of all time in a link": "UPDATE audit_links SET moments[1] = 9223372036854775807",
    "a link of more columns than there are": "UPDATE audit_links SET columns = 99",
    "a link of fewer columns": "UPDATE audit_links SET columns = 3",
    "a link of an odd key": "UPDATE audit_links SET key = repeat('x', 100000)",
    "a link of an odd number": "UPDATE audit_links SET sequence = -sequence",
    "a hash that is none": "UPDATE audit_links SET mac = ''",
}


@pytest.mark.parametrize("change", ODD.values(), ids=ODD.keys())
async def test_what_no_writer_writes_is_found_and_stops_nobody_from_looking(intruder, database_url, change):
    assert await intruder.execute(change) != "UPDATE 0"
    assert await faults(database_url) != set()


REMOVED = {
    "a record": ("DELETE FROM decisions WHERE id = (SELECT ids[1] FROM chosen LIMIT 1)", {Fault.RECORD_MISSING}),
    "a batch without its link": (
        "DELETE FROM decisions WHERE id = ANY((SELECT ids FROM chosen WHERE sequence = 1 LIMIT 1)::uuid[])",
        {Fault.RECORD_MISSING},
    ),
    "all records": ("TRUNCATE decisions", {Fault.RECORD_MISSING}),
    "a link without its records": (
        "DELETE FROM audit_links WHERE sequence = 1",
        {Fault.LINK_MISSING, Fault.RECORD_UNLINKED},
    ),
    "the last link without its records": (
        "DELETE FROM audit_links WHERE sequence = 3",
        {Fault.RECORD_UNLINKED},
    ),
    "all links": ("TRUNCATE audit_links", {Fault.RECORD_UNLINKED}),
}


@pytest.mark.parametrize(("attack", "expected"), REMOVED.values(), ids=REMOVED.keys())
async def test_what_was_removed_is_missed(intruder, database_url, attack, expected):
    await intruder.execute(attack)
    assert await faults(database_url) == expected


async def removed(intruder, which):
    """Records and their links, as somebody removes them who knows how they belong together."""
    await intruder.execute(f"DELETE FROM decisions WHERE id IN (SELECT unnest(ids) FROM chosen WHERE {which})")
    await intruder.execute(
        f"DELETE FROM audit_links WHERE (writer, sequence) IN (SELECT writer, sequence FROM chosen WHERE {which})"
    )


@pytest.mark.parametrize("sequence", [1, 2])
async def test_a_batch_with_its_link_is_missed_where_another_follows(intruder, database_url, sequence):
    await removed(intruder, f"sequence = {sequence} AND writer IN (SELECT writer FROM chosen WHERE sequence = 3)")
    assert await faults(database_url) == {Fault.LINK_MISSING}


async def test_a_gap_that_is_closed_by_new_numbers_is_found(intruder, database_url):
    await removed(intruder, "sequence = 2 AND writer IN (SELECT writer FROM chosen WHERE sequence = 3)")
    await intruder.execute("UPDATE audit_links SET sequence = 2 WHERE sequence = 3")
    assert await faults(database_url) == {Fault.LINK_CHANGED, Fault.LINK_DISPLACED}


async def test_a_cut_tail_is_missed_by_a_checkpoint_and_by_nothing_else(intruder, database_url, log):
    checkpoints = checkpoints_of(log)
    await removed(intruder, "sequence = 3")
    assert await faults(database_url) == set(), "without a checkpoint nobody can know"
    assert await faults(database_url, checkpoints=checkpoints) == {Fault.TAIL_MISSING}


async def test_a_whole_chain_is_missed_by_a_checkpoint(intruder, database_url, log):
    checkpoints = checkpoints_of(log)
    await removed(intruder, f"writer = '{checkpoints[0].writer}'")
    assert await faults(database_url) == set()
    assert await faults(database_url, checkpoints=checkpoints) == {Fault.TAIL_MISSING}


async def test_everything_is_missed_by_a_checkpoint(intruder, database_url, log):
    await intruder.execute("TRUNCATE decisions, audit_links")
    assert await faults(database_url, checkpoints=checkpoints_of(log)) == {Fault.TAIL_MISSING}


async def test_a_record_that_was_inserted_is_found(intruder, database_url):
    await copied(intruder, id="gen_random_uuid()")
    assert await faults(database_url) == {Fault.RECORD_UNLINKED}


async def test_a_second_record_of_the_same_id_at_another_moment_is_found(intruder, database_url):
    await copied(intruder, decided_at="decided_at + interval '1 day'")
    assert await faults(database_url) == {Fault.RECORD_UNLINKED}


async def test_a_second_record_of_the_same_id_and_moment_is_found(intruder, database_url):
    await intruder.execute("ALTER TABLE decisions DROP CONSTRAINT pk_decisions")
    await copied(intruder)
    assert await faults(database_url) == {Fault.RECORD_TWICE}


async def copied(intruder, **changes):
    columns = ", ".join(changes.get(name, name) for name in COLUMNS)
    order = "WHERE id = (SELECT ids[1] FROM chosen LIMIT 1)"
    done = await intruder.execute(
        f"INSERT INTO decisions ({', '.join(COLUMNS)}) SELECT {columns} FROM decisions {order}"
    )
    assert done == "INSERT 0 1"


async def test_two_records_that_changed_places_are_found(intruder, database_url):
    await intruder.execute(
        "UPDATE decisions d SET session_id = o.session_id FROM decisions o, chosen c "
        "WHERE (d.id, o.id) IN ((c.ids[1], c.ids[2]), (c.ids[2], c.ids[1]))"
    )
    assert await faults(database_url) == {Fault.RECORD_CHANGED}


def turned(column):
    return f"{column} = ARRAY[{column}[2], {column}[1]]"


async def test_the_order_within_a_batch_is_kept_too(intruder, database_url):
    columns = ", ".join(map(turned, ("ids", "moments", "digests")))
    await intruder.execute(f"UPDATE audit_links SET {columns} WHERE sequence = 3")
    assert await faults(database_url) == {Fault.LINK_CHANGED}


async def test_two_links_that_changed_numbers_are_found(intruder, database_url):
    for old, new in ((1, 100), (2, 1), (100, 2)):
        await intruder.execute(f"UPDATE audit_links SET sequence = {new} WHERE sequence = {old}")
    assert await faults(database_url) == {Fault.LINK_CHANGED, Fault.LINK_DISPLACED}


FORGED = {
    "a hash": "mac = sha256(mac)",
    "what it follows": "previous = sha256(mac)",
    "a digest": "digests[1] = sha256(mac)",
    "an id": "ids[1] = gen_random_uuid()",
    "its columns": "columns = 24",
    "its writer": "writer = gen_random_uuid()",
}


@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED.keys())
async def test_a_changed_link_is_found(intruder, database_url, change):
    await intruder.execute(f"UPDATE audit_links SET {change} WHERE sequence = 2")
    assert Fault.LINK_CHANGED in await faults(database_url)


async def added(intruder, **changes):
    columns = ", ".join(changes.get(name, name) for name in LINK_COLUMNS)
    await intruder.execute(f"INSERT INTO audit_links SELECT {columns} FROM chosen WHERE sequence = 3")


async def test_an_old_batch_that_is_played_again_is_found(intruder, database_url):
    await added(intruder, sequence="4", previous="mac")
    assert await faults(database_url) == {Fault.LINK_CHANGED}


async def test_a_chain_of_a_made_up_writer_is_found(intruder, database_url):
    await added(intruder, writer="gen_random_uuid()", sequence="1")
    assert await faults(database_url) == {Fault.LINK_CHANGED, Fault.LINK_DISPLACED}


@pytest.mark.usefixtures("log")
async def test_what_another_key_wrote_is_no_writers(database, database_url):
    forger = PostgresLog(database, b"not the key")
    await written(forger, "forged")
    assert await faults(database_url) == {Fault.KEY_UNKNOWN}
    assert await faults(database_url, keys=(SECRET, ChainKey(b"not the key"))) == set(), "a former key is named"


async def test_another_keys_link_under_the_right_name_is_found(database, database_url, intruder):
    await written(PostgresLog(database, b"not the key"), "forged")
    await intruder.execute("UPDATE audit_links SET key = (SELECT key FROM chosen LIMIT 1)")
    assert await faults(database_url) == {Fault.LINK_CHANGED}


async def test_a_forged_checkpoint_is_found(database_url, log):
    [checkpoint] = checkpoints_of(log)
    assert await faults(database_url, checkpoints=[replace(checkpoint, sequence=1)]) == {Fault.CHECKPOINT_FORGED}


async def test_a_history_that_somebody_with_the_key_wrote_anew_differs_from_the_checkpoint(database_url, log, intruder):
    [checkpoint] = checkpoints_of(log)
    async with looked_through(database_url) as archive:
        [links] = [page async for page in archive.links(checkpoint.writer)]
    batch = replace(links[-1].batch, digests=[bytes(32), bytes(32)])
    forged = SECRET.link(Head(checkpoint.writer, 2, links[1].mac), batch)
    await intruder.execute(
        "UPDATE audit_links SET digests = $3, mac = $4 WHERE writer = $1 AND sequence = $2",
        forged.writer,
        forged.sequence,
        forged.batch.digests,
        forged.mac,
    )
    assert await faults(database_url) == {Fault.RECORD_CHANGED}
    assert await faults(database_url, checkpoints=[checkpoint]) == {Fault.RECORD_CHANGED, Fault.CHECKPOINT_DIFFERS}


async def test_records_from_before_the_chain_are_counted_and_no_finding(database_url, intruder):
    await copied(intruder, id="gen_random_uuid()", decided_at="decided_at - interval '1 day'")
    assert await faults(database_url) == {Fault.RECORD_UNLINKED}
    began = int(NOW.timestamp() * 1_000_000)
    assert await faults(database_url, began=began) == set()
    assert await faults(database_url, began=began - 86_400_000_000 - 1) == {Fault.RECORD_UNLINKED}
