"""A real service: the command line in a process of its own, its own Postgres, its own folder, a free port."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.serving import Running, environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

START_S = 30


@pytest.fixture(scope="session")
def folders() -> Iterator[Callable[[], Path]]:
    """Makes data folders with names short enough for a socket in them."""
    made: list[Path] = []

    def make() -> Path:
        made.append(Path(tempfile.mkdtemp(prefix="lc-")))
        return made[-1]

    yield make
    for folder in made:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def lineclear():
    """Runs a verb to its end."""

    def run(*arguments: str, data: Path, stdin: str = "", cwd: Path | None = None, **settings: str):
        return subprocess.run(
            [sys.executable, "-m", "lineclear", *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            cwd=cwd or data,
            env=environment(data, settings),
        )

    return run


@pytest.fixture(scope="session")
def start(folders) -> Iterator[Callable[..., Running]]:
    """Starts services; what is left of them at the end is ended."""
    started: list[Running] = []

    def begin(*arguments: str, data: Path | None = None, cwd: Path | None = None, **settings: str) -> Running:
        data = data or folders()
        log = (data / "log").open("a")
        process = subprocess.Popen(
            [sys.executable, "-m", "lineclear", "serve", *(arguments or ("--port", "0"))],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            cwd=cwd or data,
            env=environment(data, settings),
        )
        log.close()
        running = Running(process, data)
        started.append(running)
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            line = process.stdout.readline()
            running.said += line
            if not line:
                process.wait(START_S)
            if not line or line.startswith("plug in"):
                break
        return running

    yield begin
    for running in started:
        if running.process.poll() is None:
            running.end()
        running.process.stdout.close()


@pytest.fixture(scope="session")
def service(start) -> Running:
    """One service for the tests that leave it as it is."""
    running = start()
    assert running.process.poll() is None, running.logged()
    return running
