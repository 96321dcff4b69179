"""The shim as its hosts start it: a process, a payload, and what a host makes of how it ended."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from lineclear.hosts.setup.canaries import Outcome, canary, outcome

FILE = Path(__file__).parents[2] / "service" / "lineclear_hook.py"


def words(host: str, *more: object) -> list[str]:
    """What starts it."""
    return [sys.executable, "-I", "-S", str(FILE), host, *map(str, more)]


def run(host: str, *more: object, payload: object = None, **settings: object) -> subprocess.CompletedProcess[bytes]:
    """Let it answer a payload, the harmless canary where none is given; ``settings`` are those of a process."""
    sent = json.dumps(canary(host, "ls", "/", "s")) if payload is None else payload
    given = sent if isinstance(sent, bytes) else str(sent).encode()
    usual = {"capture_output": True, "timeout": 30, **settings}
    return subprocess.run(words(host, *more), input=given, check=False, **usual)


def made_of(ended: subprocess.CompletedProcess[bytes]) -> Outcome:
    """What its host does then."""
    return outcome(ended.returncode, ended.stdout.decode(), ended.stderr.decode())
