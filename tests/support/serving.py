"""A service in a process of its own, as the tests over the wire see it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
START_S = 30
STOP_S = 15


@dataclass
class Running:
    """A service that was started, and what it said."""

    process: subprocess.Popen[str]
    data: Path
    said: str = ""

    @property
    def url(self) -> str:
        found = re.search(r"listens on (\S+)", self.said)
        assert found, self.said + self.logged()
        return found[1]

    def key(self, role: str = "host") -> str:
        return (self.data / "keys" / f"{role}.key").read_text().strip()

    def client(self, role: str | None = "host", **more: object) -> httpx.Client:
        headers = {} if role is None else {"authorization": f"Bearer {self.key(role)}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=20, **more)

    def logged(self) -> str:
        return (self.data / "log").read_text()

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(STOP_S)


def launched(data: Path, arguments: tuple[str, ...], settings: dict[str, str], *, cwd: Path | None = None) -> Running:
    """A service that was started just now; its standard error goes to ``log`` in its folder."""
    with (data / "log").open("a") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "lineclear", "serve", *arguments],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            cwd=cwd or data,
            env=environment(data, settings),
        )
    return Running(process, data)


def listen(running: Running) -> None:
    """Keep what a service says at its start, until it takes calls or has ended."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        line = running.process.stdout.readline()
        running.said += line
        if not line:
            running.process.wait(START_S)
        if not line or line.startswith("plug in"):
            break


def environment(data: Path, settings: dict[str, str]) -> dict[str, str]:
    """A clean environment, with the settings given."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    ours = {"LINECLEAR_DATA_DIR": str(data), "PYTHONPATH": str(ROOT / "service"), "XDG_CONFIG_HOME": str(data)}
    return kept | ours | {f"LINECLEAR_{name.upper()}": value for name, value in settings.items()}


def eventually(check: Callable[[], bool], within_s: float = 15) -> bool:
    """Whether something becomes true within some seconds."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        if check():
            return True
        time.sleep(0.1)
    return False
