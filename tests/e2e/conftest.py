"""A real service: the command line in a process of its own, its own Postgres, its own folder, a free port."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.serving import Running, environment, launched, listen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


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
        running = launched(data, arguments or ("--port", "0"), settings, cwd=cwd)
        started.append(running)
        listen(running)
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
