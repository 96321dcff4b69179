from __future__ import annotations

import asyncio
import os
import platform
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from contracts.records import CHAIN, KEY, an_entry
from lineclear.engine.log import Known, StorageUnavailable
from lineclear.storage import binaries
from lineclear.storage.binaries import EmbeddedError
from lineclear.storage.database import Database
from lineclear.storage.embedded import start
from lineclear.storage.log import PostgresLog
from lineclear.storage.migrate import upgrade


@pytest.fixture
def place():
    # Short: pytest's own folders are too long for a socket on some platforms.
    folder = Path(tempfile.mkdtemp(prefix="lc-"))
    yield folder
    shutil.rmtree(folder)


def postmaster(folder):
    return int((folder / "postmaster.pid").read_text().splitlines()[0])


def test_production_has_a_server_of_its_own(place):
    with pytest.raises(EmbeddedError, match="set LINECLEAR_DATABASE_URL"):
        start(place / "db", production=True)
    assert not (place / "db").exists()


def test_a_folder_whose_socket_would_be_too_long_is_told_before_anything_is_made(place):
    folder = place / ("x" * 100)
    with pytest.raises(EmbeddedError, match=r"too long for a socket in it .* set LINECLEAR_DATA_DIR"):
        start(folder, production=False)
    assert not folder.exists()


def test_the_wheel_is_not_installed(place, monkeypatch):
    monkeypatch.setattr(binaries.importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(EmbeddedError, match=r"pip install 'lineclear\[embedded\]'"):
        start(place / "db", production=False)


def test_there_is_none_for_musl(place, monkeypatch):
    monkeypatch.setattr(platform, "libc_ver", lambda: ("", ""))
    with pytest.raises(EmbeddedError, match=r"musl.*LINECLEAR_DATABASE_URL"):
        start(place / "db", production=False)


def test_a_folder_of_another_major_version_is_not_touched(place):
    folder = place / "db"
    folder.mkdir()
    (folder / "PG_VERSION").write_text("16\n")
    with pytest.raises(EmbeddedError, match="made by Postgres 16, this is 18"):
        start(folder, production=False)
    assert [path.name for path in folder.iterdir()] == ["PG_VERSION"]


def test_a_folder_that_holds_something_else_is_not_touched(place):
    folder = place / "db"
    folder.mkdir()
    (folder / "thesis.txt").write_text("mine")
    with pytest.raises(EmbeddedError, match="is no database's folder"):
        start(folder, production=False)
    assert [path.name for path in folder.iterdir()] == ["thesis.txt"]


def test_one_service_at_a_time_and_what_was_written_is_there_the_next_time(place):
    folder = place / "with blank" / "db"
    server = start(folder, production=False)
    with pytest.raises(EmbeddedError, match="in use by another running service"):
        start(folder, production=False)
    entry = an_entry(tool_use_id="t-1")

    async def write():
        await upgrade(server.url)
        database = Database(server.url)
        await PostgresLog(database, CHAIN).commit([entry])
        await database.close()

    asyncio.run(write())
    server.close()
    assert not (folder / "postmaster.pid").exists()

    async def read(url):
        database = Database(url)
        known = await PostgresLog(database, CHAIN).known(KEY, "t-1")
        await database.close()
        return known

    again = start(folder, production=False)
    try:
        assert asyncio.run(read(again.url)) == Known(entry.session, entry.record)
    finally:
        again.close()


def test_others_can_not_reach_it(place):
    folder = place / "db"
    server = start(folder, production=False)
    try:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        options = (folder / "postmaster.opts").read_text()
        assert '"-h" ""' in options, "no port"
        keys = place / "keys"
        keys.mkdir(mode=0o700)
        assert not place.stat().st_mode & stat.S_IROTH, "a way through, not a look inside"
    finally:
        server.close()


def test_a_place_that_can_not_be_written_is_told(place):
    (place / "file").write_text("")
    with pytest.raises(EmbeddedError, match="can't be used for a database"):
        start(place / "file" / "db", production=False)


def test_a_process_that_has_the_id_of_a_server_of_yesterday_is_not_taken_for_it(place):
    folder = place / "db"
    start(folder, production=False).close()
    lines = [str(os.getppid()), str(folder), "1", "5432", str(folder), "", "0 0", "ready"]
    (folder / "postmaster.pid").write_text("\n".join(lines) + "\n")
    if os.geteuid() == 0:  # whose processes the account can't be mistaken for
        start(folder, production=False).close()
    else:
        with pytest.raises(EmbeddedError, match="see the end of"):
            start(folder, production=False)


def test_a_half_made_folder_is_made_anew(place):
    new = place / "db.new"
    new.mkdir()
    (new / "data").mkdir()
    (new / "data" / "PG_VERSION").write_text("18\n")
    server = start(place / "db", production=False)
    server.close()
    assert not new.exists()


SERVICE = """
import sys
from pathlib import Path
from lineclear.storage.embedded import start
server = start(Path(sys.argv[1]), production=False)
print("ready", flush=True)
sys.stdin.read()
"""


def test_a_server_that_a_killed_service_left_behind_is_taken_over(place):
    folder = place / "db"
    with subprocess.Popen(
        [sys.executable, "-c", SERVICE, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as service:
        assert service.stdout.readline() == b"ready\n"
        left = postmaster(folder)
        service.kill()
    os.kill(left, 0)
    server = start(folder, production=False)
    assert postmaster(folder) == left
    server.close()
    assert not (folder / "postmaster.pid").exists()


async def asking(log):
    """Ask until it fails: a backend outlives its postmaster for a moment, and what it says then is still true."""
    for _ in range(200):
        await log.known(KEY, "t-1")
        await asyncio.sleep(0.01)


async def test_a_server_that_is_killed_is_an_outage_that_ends_by_itself(place):
    folder = place / "db"
    server = start(folder, production=False)
    supervision = asyncio.create_task(server.supervise())
    database = Database(server.url)
    log = PostgresLog(database, CHAIN)
    try:
        await upgrade(server.url)
        entry = an_entry(tool_use_id="t-1")
        await log.commit([entry])

        os.kill(postmaster(folder), signal.SIGKILL)
        with pytest.raises(StorageUnavailable):
            await asking(log)

        for _ in range(100):
            try:
                known = await log.known(KEY, "t-1")
                break
            except StorageUnavailable:
                await asyncio.sleep(0.1)
        assert known == Known(entry.session, entry.record)
        assert [o.value for o in await log.commit([an_entry(known, tool_use_id="t-2")])] == ["written"]
    finally:
        supervision.cancel()
        await asyncio.gather(supervision, return_exceptions=True)
        await database.close()
        server.close()
