"""A disk that is full or slow: no verdict without its record, a clear word about it, and then all goes on by itself."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import httpx
import pytest
from benchmarks.chaos.stage import staged

from support.serving import eventually

SMALL_MIB, TINY_MIB = 160, 8
LARGE = "echo " + "x" * 30_000
IN_TIME_S = 8.0


def small_disk(mib):
    """A file system of its own in memory."""
    place = Path(tempfile.mkdtemp(prefix="lc-", dir="/var/tmp"))
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={mib}m,mode=755", "lineclear-test", str(place)],
        capture_output=True,
        check=False,
    )
    if done.returncode != 0:
        place.rmdir()
        pytest.skip(f"no file system can be mounted here: {done.stderr.decode().strip()}")
    return place


def removed(place):
    subprocess.run(["umount", "--lazy", str(place)], check=True)
    place.rmdir()


@pytest.fixture
def disk():
    place = small_disk(SMALL_MIB)
    yield place
    removed(place)


@pytest.fixture
def tiny_disk():
    place = small_disk(TINY_MIB)
    yield place
    removed(place)


def fill(disk):
    """Take all of the room that is left."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"\0" * (1 << 20))
    with filler.open("ab", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"\0" * 4096)
    return filler


def test_a_disk_that_is_too_small_stops_the_start_and_says_so(lineclear, tiny_disk):
    done = lineclear("serve", "--port", "0", data=tiny_disk)
    assert done.returncode == 2
    assert "no space left" in done.stderr.lower()
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_disk_that_fills_up_costs_verdicts_and_never_records(start, disk):
    running = start(data=disk)
    asked, answered = 0, []

    def ask(client, command):
        nonlocal asked
        asked += 1
        call = {"session_id": f"s{asked}", "tool_name": "Bash", "tool_input": {"command": command}}
        answer = client.post("/v1/decisions", json=call)
        if answer.status_code == 200:
            answered.append(answer.json()["decision_id"])
        else:
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        return answer.status_code

    with running.client() as client:
        assert ask(client, "ls") == 200
        filler = fill(disk)
        assert eventually(lambda: ask(client, LARGE) == 503, within_s=60)
        assert {ask(client, LARGE) for _ in range(5)} == {503}
        told = client.get("/readyz?verbose")
        assert told.status_code == 503
        assert told.json()["checks"]["database"] != "ok"
        assert client.get("/livez").status_code == 200
        filler.unlink()
        assert eventually(lambda: ask(client, LARGE) == 200, within_s=60)
        assert eventually(lambda: client.get("/readyz").status_code == 200)
    with running.client("operator") as client:
        assert {client.get(f"/v1/decisions/{one}").status_code for one in answered} == {200}
    assert running.end() == 0


def with_children(pid):
    """A process and those that it started."""
    return [str(pid), *Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@contextlib.asynccontextmanager
async def slow_disk(stage, seconds):
    """Each time that Postgres waits for the disk, it waits so much longer."""
    tracer = await asyncio.create_subprocess_exec(
        *("strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync,fsync"),
        *("-e", f"inject=fdatasync,fsync:delay_enter={int(seconds * 1e6)}"),
        *(argument for pid in with_children(stage.postmaster) for argument in ("-p", pid)),
    )
    try:
        await asyncio.sleep(1)
        yield
    finally:
        tracer.terminate()
        await tracer.wait()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("strace") is None or os.geteuid() != 0, reason="needs strace and root")
@pytest.mark.parametrize(("seconds", "status"), [(0.5, 200), (4.0, 503)], ids=["slow", "slower than a deadline"])
async def test_a_slow_disk_makes_answers_late_and_never_early(seconds, status):
    async with staged(1) as stage:
        await stage.recovered()
        async with httpx.AsyncClient(base_url=stage.replicas[0].url, headers=stage.headers(), timeout=30) as client:
            calls = [{"session_id": f"s{n}", "tool_name": "Bash", "tool_input": {"command": "ls"}} for n in range(20)]
            async with slow_disk(stage, seconds):
                begun = time.monotonic()
                answers = await asyncio.gather(*(client.post("/v1/decisions", json=call) for call in calls))
                took = time.monotonic() - begun
        assert {answer.status_code for answer in answers} == {status}
        assert min(seconds, 2) <= took < IN_TIME_S
        await stage.recovered()
