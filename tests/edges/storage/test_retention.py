"""What was dropped for its age is told from what was removed, by a note that only a key can make."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import asyncpg
import pytest

from contracts.records import CHAIN, an_entry
from lineclear.core.call import SessionKey
from lineclear.engine.audit import Fault
from lineclear.engine.chain import ChainKey
from lineclear.engine.log import Outcome
from lineclear.storage import retention
from lineclear.storage.log import PostgresLog
from lineclear.storage.partitions import maintain
from lineclear.storage.retention import Retention
from support.auditing import SECRET, audited, checkpoints_of

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
TODAY = NOON.date()
KEEP = Retention(2, SECRET)


@pytest.fixture
async def log(database):
    """Five days of one writer, two batches a day, of which the second begins before midnight and ends after it."""
    await maintain(database, TODAY - timedelta(days=5), ahead=3)  # the last days are in the default partition
    log = PostgresLog(database, CHAIN)
    for n in reversed(range(5)):
        noon = NOON - timedelta(days=n)
        await written(log, noon, noon)
        await written(log, noon + timedelta(hours=11), noon + timedelta(hours=13))
    return log


async def written(log, *moments):
    entries = [an_entry(key=SessionKey((str(at), str(n))), decided_at=at) for n, at in enumerate(moments)]
    assert list(await log.commit(entries)) == [Outcome.WRITTEN] * len(entries)


@pytest.fixture
async def intruder(database_url):
    connection = await asyncpg.connect(database_url)
    yield connection
    await connection.close()


async def test_a_log_without_its_oldest_days_is_intact_and_goes_on(database, database_url, log):
    checkpoints = checkpoints_of(log)
    await maintain(database, TODAY, retention=KEEP)
    found, tally = await audited(database_url, checkpoints=checkpoints)
    assert found == set()
    # Of the batch over midnight one record is gone and one is kept, and so is its link.
    assert (tally.shortened, tally.links, tally.records, tally.dropped) == (1, 7, 13, 1)
    assert tally.dropped_before == int((NOON - timedelta(days=2, hours=12)).timestamp()) * 1_000_000
    await written(log, NOON + timedelta(seconds=1))
    await maintain(database, TODAY + timedelta(days=1), retention=KEEP)
    assert (await audited(database_url, checkpoints=[*checkpoints, *checkpoints_of(log)]))[0] == set()


async def test_a_chain_that_is_dropped_whole_goes_on_where_it_was(database, database_url, log):
    checkpoints = checkpoints_of(log)
    await maintain(database, TODAY + timedelta(days=9), retention=KEEP)
    found, tally = await audited(database_url, checkpoints=checkpoints)
    assert (found, tally.links, tally.shortened) == (set(), 0, 1)
    await written(log, NOON + timedelta(days=9))
    found, tally = await audited(database_url, checkpoints=checkpoints_of(log))
    assert (found, tally.links) == (set(), 1)


HIDDEN = {
    "a record that is old enough to be kept": (
        "DELETE FROM decisions WHERE decided_at = '2026-11-28 12:00+00' AND session_id = '0'",
        {Fault.RECORD_MISSING},
    ),
    "the kept half of a batch": (
        "DELETE FROM decisions WHERE decided_at = '2026-11-27 01:00+00'",
        {Fault.RECORD_MISSING},
    ),
    "the note of what was dropped": ("DELETE FROM audit_drops", {Fault.RECORD_MISSING}),
    "the note of the links": ("DELETE FROM audit_trims", {Fault.LINK_MISSING}),
    "the first kept link": (
        "DELETE FROM audit_links WHERE sequence = (SELECT min(sequence) FROM audit_links)",
        {Fault.LINK_MISSING, Fault.RECORD_UNLINKED},
    ),
    "a later day, by a changed note": (
        "UPDATE audit_drops SET before = before + 86400000000",
        {Fault.RETENTION_FORGED, Fault.RECORD_MISSING},
    ),
    "more links, by a changed note": (
        "UPDATE audit_trims SET sequence = sequence + 1",
        {Fault.RETENTION_FORGED, Fault.LINK_MISSING},
    ),
    "a note in another writer's name": (
        "UPDATE audit_trims SET writer = gen_random_uuid()",
        {Fault.RETENTION_FORGED, Fault.LINK_MISSING},
    ),
}


@pytest.mark.parametrize(("attack", "expected"), HIDDEN.values(), ids=HIDDEN.keys())
async def test_nothing_hides_behind_retention(database, database_url, log, intruder, attack, expected):  # noqa: ARG001
    await maintain(database, TODAY, retention=KEEP)
    assert await intruder.execute(attack) not in {"DELETE 0", "UPDATE 0"}
    assert (await audited(database_url))[0] == expected


async def test_an_old_note_brings_no_dropped_link_back(database, database_url, log, intruder):  # noqa: ARG001
    await intruder.execute("CREATE TABLE old AS SELECT * FROM audit_links")
    await maintain(database, TODAY, retention=KEEP)
    await intruder.execute("INSERT INTO audit_links SELECT * FROM old ON CONFLICT DO NOTHING")
    found, _ = await audited(database_url)
    assert found == {Fault.LINK_DISPLACED}


async def test_a_dropped_record_that_is_put_back_is_found(database, database_url, log, intruder):  # noqa: ARG001
    await intruder.execute("CREATE TABLE old AS SELECT * FROM decisions ORDER BY decided_at LIMIT 1")
    await maintain(database, TODAY, retention=KEEP)
    await intruder.execute("INSERT INTO decisions SELECT * FROM old")
    assert (await audited(database_url))[0] == {Fault.RECORD_UNLINKED}


LAUNDERED = {
    "links made old": "UPDATE audit_links SET moments = ARRAY[0::bigint] WHERE sequence BETWEEN 4 AND 9",
    "links made empty": (
        "UPDATE audit_links SET ids = '{}', moments = '{}', digests = '{}' WHERE sequence BETWEEN 4 AND 9"
    ),
    "an old link played again": (
        "UPDATE audit_links SET moments = o.moments, ids = o.ids, digests = o.digests, previous = o.previous, "
        "mac = o.mac FROM (SELECT * FROM audit_links WHERE sequence = 1) o "
        "WHERE audit_links.sequence BETWEEN 4 AND 9"
    ),
    "an old link moved on": (
        "DELETE FROM audit_links WHERE sequence BETWEEN 4 AND 9; UPDATE audit_links SET sequence = 9 WHERE sequence = 3"
    ),
}


@pytest.mark.parametrize("change", LAUNDERED.values(), ids=LAUNDERED.keys())
@pytest.mark.usefixtures("log")
async def test_retention_signs_away_no_link_that_is_not_the_next_of_its_chain(database, database_url, intruder, change):
    """Else whoever has the database alone could have what they removed taken for dropped."""
    await intruder.execute(
        "DELETE FROM decisions WHERE id IN (SELECT unnest(ids) FROM audit_links WHERE sequence BETWEEN 4 AND 9)"
    )
    await intruder.execute(change)
    await maintain(database, TODAY, retention=KEEP)
    found, _ = await audited(database_url)
    assert found & {Fault.LINK_CHANGED, Fault.LINK_MISSING}


async def test_a_chain_is_shortened_step_by_step(database, database_url, log, monkeypatch):  # noqa: ARG001
    monkeypatch.setattr(retention, "_STEP", 2)
    await maintain(database, TODAY, retention=KEEP)
    found, tally = await audited(database_url)
    assert (found, tally.shortened, tally.links) == (set(), 1, 7)


async def test_links_of_a_former_key_go_with_their_days_where_it_is_given(database, database_url, log):  # noqa: ARG001
    after = ChainKey(b"the key after that")
    await maintain(database, TODAY, retention=Retention(2, after))
    assert (await audited(database_url, keys=(SECRET, after)))[1].shortened == 0
    await maintain(database, TODAY, retention=Retention(2, after, (SECRET,)))
    found, tally = await audited(database_url, keys=(SECRET, after))
    assert (found, tally.shortened) == (set(), 1)
