"""Servers that the machine has beside the embedded one; what it has not is skipped."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote, unquote

import pytest

from contracts.records import CHAIN, KEY, NOW, an_entry
from lineclear.core.call import Key, Principal, Role, SessionKey
from lineclear.engine.log import Known, Outcome
from lineclear.storage import binaries, embedded
from lineclear.storage.binaries import Binaries
from lineclear.storage.database import Database
from lineclear.storage.keys import PostgresKeys
from lineclear.storage.log import PostgresLog
from lineclear.storage.migrate import behind, upgrade
from lineclear.storage.partitions import maintain
from lineclear.storage.retention import Retention
from support.auditing import SECRET, audited, checkpoints_of

FOLDERS = sorted(path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres"))


@pytest.fixture(params=FOLDERS or [None], ids=lambda path: path.parent.name if path else "none")
def server_url(request, monkeypatch):
    if request.param is None:
        pytest.skip("no other Postgres is installed in /usr/lib/postgresql")
    account = binaries.find().account
    monkeypatch.setattr(embedded, "find", lambda: Binaries(request.param, account))
    monkeypatch.setattr(embedded, "MAJOR", int(request.param.parent.name))
    folder = Path(tempfile.mkdtemp(prefix="lc-"))
    server = embedded.start(folder / "db", production=False)
    yield server.url
    server.close()
    shutil.rmtree(folder)


async def test_an_installed_postgres_serves_as_well(server_url):
    await upgrade(server_url)
    assert not await behind(server_url)
    database = Database(server_url)
    log, keys = PostgresLog(database, CHAIN), PostgresKeys(database)
    await maintain(database, an_entry().record.decided_at.date(), ahead=2)

    first = an_entry(tool_use_id="t-1")
    assert list(await log.commit([first])) == [Outcome.WRITTEN]
    known = await log.known(KEY, "t-1")
    assert known == Known(first.session, first.record)
    narrowed = an_entry(known, tool_use_id="t-1", replaces=first.record.id, roots=("/work/repo/a",))
    assert list(await log.commit([narrowed, an_entry(known, tool_use_id="t-2")])) == [Outcome.WRITTEN, Outcome.LOST]

    key = Key("k-1", Role.HOST, Principal("installation-1"))
    await keys.add(key, b"one")
    assert await keys.find(b"one") == key
    assert await keys.revoke("k-1")
    found, tally = await audited(server_url, checkpoints=checkpoints_of(log))
    assert (found, tally.records) == (set(), 2)
    await maintain(database, first.record.decided_at.date() + timedelta(days=3), retention=Retention(2, SECRET))
    await database.close()
    assert (await audited(server_url))[0] == set()


PGBOUNCER = shutil.which("pgbouncer", path=f"/usr/sbin:{os.defpath}")


@pytest.fixture
def pooled_url(database_url):
    """A migrated database behind PgBouncer in transaction mode, with fewer connections than callers."""
    if PGBOUNCER is None:
        pytest.skip("no PgBouncer is installed")
    account = binaries.find().account
    folder = Path(tempfile.mkdtemp(prefix="lc-"))
    name, _, host = database_url.rpartition("/")[2].partition("?host=")
    settings = folder / "pgbouncer.ini"
    settings.write_text(
        f"[databases]\n{name} = host={unquote(host)} user=lineclear\n[pgbouncer]\npool_mode = transaction\n"
        f"default_pool_size = 2\nlisten_addr =\nlisten_port = 5432\nunix_socket_dir = {folder}\nauth_type = any\n"
        f"logfile = {folder}/log\n"
    )
    as_whom = {"user": account.uid, "group": account.gid, "extra_groups": ()} if account else {}
    if account:
        os.chown(folder, account.uid, account.gid)
    with subprocess.Popen([PGBOUNCER, "-q", str(settings)], **as_whom) as bouncer:
        for _ in range(100):
            if (folder / ".s.PGSQL.5432").exists():
                break
            time.sleep(0.05)
        yield f"postgresql://lineclear@/{name}?host={quote(str(folder), safe='')}&pgbouncer=true"
        bouncer.terminate()
    shutil.rmtree(folder)


async def test_pgbouncer_in_transaction_mode_serves_as_well(pooled_url):
    assert not await behind(pooled_url)
    await upgrade(pooled_url)
    database = Database(pooled_url)
    log, keys = PostgresLog(database, CHAIN), PostgresKeys(database)
    await maintain(database, an_entry().record.decided_at.date(), ahead=1)
    sessions = [SessionKey(("installation-1", f"s-{n}")) for n in range(12)]

    async def work(session):
        for n in range(10):
            known = await log.known(session, f"t-{n}")
            assert known.earlier is None
            entry = an_entry(known, key=session, tool_use_id=f"t-{n}")
            assert list(await log.commit([entry])) == [Outcome.WRITTEN]
            assert (await log.known(session, f"t-{n}")).earlier == entry.record
            assert await log.find(entry.record.id) == entry.record
            await keys.find(b"none")

    await asyncio.gather(*map(work, sessions))
    found, tally = await audited(pooled_url, checkpoints=checkpoints_of(log))
    assert (found, tally.records) == (set(), 120)
    await maintain(database, NOW.date() + timedelta(days=9), retention=Retention(2, SECRET))
    found, tally = await audited(pooled_url)
    assert (found, tally.records) == (set(), 0)
    await database.close()
