"""A real service to be measured: the command line in a process of its own, with its own Postgres and folder."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
_START_S = 60.0
_STOP_S = 30.0
_KEPT = ("PATH", "HOME", "LANG")
_OUT_OF_THE_WAY = "/var/tmp"
"""The service denies what could touch its own folder, and commands name `/tmp` more often than this."""


class NotStarted(Exception):
    """The service didn't start; the message is what it said."""


@dataclass(frozen=True, slots=True)
class Service:
    """A service that runs: its host and port, the process, and its data folder, where its keys are."""

    host: str
    port: int
    pid: int
    data: Path

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://{self.host}:{self.port}"

    def key(self, role: str = "host") -> str:
        """The first key of a role."""
        return (self.data / "keys" / f"{role}.key").read_text().strip()


@contextmanager
def serving(*, policies: Path | None = None, cpus: frozenset[int] | None = None, **settings: str) -> Iterator[Service]:
    """A service until the block ends; ``cpus`` are the processors that its process keeps to, its Postgres not.

    ``policies`` is a folder, else what is shipped; ``settings`` are more of them by name. Raises ``NotStarted``.
    """
    data = Path(tempfile.mkdtemp(prefix="lc-", dir=_OUT_OF_THE_WAY))
    said = (data / "said").open("w+")
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "lineclear", "serve", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            cwd=data,
            env=_environment(data, policies, settings),
        )
        try:
            host, port = _listening(process)
        except NotStarted as error:
            raise NotStarted(f"{error}\n{Path(said.name).read_text()[-2000:]}") from None
        try:
            if cpus is not None:
                os.sched_setaffinity(process.pid, cpus)
            yield Service(host, port, process.pid, data)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(_STOP_S)
            assert process.stdout is not None
            process.stdout.close()
    finally:
        said.close()
        shutil.rmtree(data, ignore_errors=True)


def _environment(data: Path, policies: Path | None, settings: dict[str, str]) -> dict[str, str]:
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    ours = {
        "PYTHONPATH": str(ROOT / "service"),
        "XDG_CONFIG_HOME": str(data),
        "LINECLEAR_DATA_DIR": str(data),
        "LINECLEAR_POLICIES": str(policies or ROOT / "policies"),
    }
    return kept | ours | {f"LINECLEAR_{name.upper()}": value for name, value in settings.items()}


def _listening(process: subprocess.Popen[str]) -> tuple[str, int]:
    """Host and port, read from what the service prints once it takes calls."""
    assert process.stdout is not None
    timer = threading.Timer(_START_S, process.kill)
    timer.start()
    found = None
    try:
        for line in process.stdout:
            found = found or re.search(r"listens on http://([\d.]+):(\d+)", line)
            if line.startswith("plug in"):
                break
    finally:
        timer.cancel()
    if found is None or process.poll() is not None:
        process.kill()
        process.wait()
        process.stdout.close()
        raise NotStarted("the service doesn't start; it said:")
    return found[1], int(found[2])
