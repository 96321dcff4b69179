"""The peer: Cerbos, a general decision point, with twenty rules on commands and paths; fetched by ``make peers``."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx
from benchmarks.service import ROOT
from benchmarks.speed.cells import Contestant
from benchmarks.speed.echo import HOST
from benchmarks.speed.workload import PLACE, calls, cut

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PROGRAM = ROOT / "build" / "peers" / "cerbos"
PATH = "/api/check/resources"
_START_S = 20.0
_DENIED = (
    "rm -rf", "mkfs", "dd if=", "shutdown", "reboot", "git push --force", "git reset --hard", "chmod 777", "chown -R",
    "curl | sh", "wget | sh", "nc -l", "ssh-keygen", "kubectl delete", "terraform destroy", "docker system prune",
    "DROP TABLE",
)  # fmt: skip
_TOOLS = ("Bash", "Read", "Edit", "Grep")


class WrongPeer(Exception):
    """It doesn't start, or doesn't deny what its rules deny, so that its figures would mean nothing."""


def version() -> str:
    """What it says that it is."""
    told = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True)
    return told.stdout.split()[0]


@contextmanager
def serving(name: str, folder: Path, cpus: frozenset[int], *, audit: bool) -> Iterator[Contestant]:
    """The peer on processors of its own until the block ends, with or without its local log. Raises ``WrongPeer``."""
    policies = folder / "policies"
    policies.mkdir(parents=True)
    (policies / "tool.yaml").write_text(json.dumps(_policy()))
    port = _free_port()
    settings = folder / "cerbos.yaml"
    settings.write_text(json.dumps(_settings(folder, policies, port, audit=audit)))
    with (folder / "said").open("w") as said:
        process = subprocess.Popen(
            [PROGRAM, "server", f"--config={settings}", "--log-level=error"],
            stdout=said,
            stderr=said,
            env={"GOMAXPROCS": str(len(cpus)), "PATH": os.environ["PATH"], "HOME": str(folder)},
        )
        try:
            os.sched_setaffinity(process.pid, cpus)
            _answers_rightly(port)
            yield Contestant(name, process.pid, port, PATH, [cut(_check(call)) for call in calls()])
        finally:
            process.terminate()
            process.wait()


def _policy() -> dict[str, object]:
    """Twenty rules: programs by a piece of the command, a protected path, a pattern, and the tools that are known."""
    denied = [f'R.attr.command.contains("{piece}")' for piece in _DENIED]
    denied += ['R.attr.path.matches(".*/\\\\.env$")', 'R.attr.command.matches("^sudo\\\\s")']
    rules: list[dict[str, object]] = [
        {"actions": ["run"], "effect": "EFFECT_DENY", "roles": ["agent"], "condition": {"match": {"expr": expression}}}
        for expression in denied
    ]
    known = f"R.attr.tool in {json.dumps(_TOOLS)}"
    allow = {"actions": ["run"], "effect": "EFFECT_ALLOW", "roles": ["agent"], "condition": {"match": {"expr": known}}}
    return {
        "apiVersion": "api.cerbos.dev/v1",
        "resourcePolicy": {"version": "default", "resource": "tool", "rules": [*rules, allow]},
    }


def _settings(folder: Path, policies: Path, port: int, *, audit: bool) -> dict[str, object]:
    log = {"enabled": True, "backend": "local", "local": {"storagePath": str(folder / "audit")}}
    return {
        "server": {"httpListenAddr": f"{HOST}:{port}", "grpcListenAddr": f"{HOST}:{_free_port()}"},
        "storage": {"driver": "disk", "disk": {"directory": str(policies), "watchForChanges": False}},
        "audit": log if audit else {"enabled": False},
        "telemetry": {"disabled": True},
    }


def _check(call: dict[str, object]) -> dict[str, object]:
    given = call["tool_input"]
    assert isinstance(given, dict)
    attributes = {
        "tool": call["tool_name"],
        "command": given.get("command", ""),
        "path": given.get("file_path", ""),
        "cwd": call["cwd"],
        "session": call["session_id"],
        "environment": call["environment"],
    }
    return {
        "requestId": PLACE,
        "principal": {"id": "bench", "roles": ["agent"]},
        "resources": [{"actions": ["run"], "resource": {"kind": "tool", "id": PLACE, "attr": attributes}}],
    }


def _answers_rightly(port: int) -> None:
    until = time.monotonic() + _START_S
    while True:
        try:
            effects = [_effect(port, command) for command in ("git status", "rm -rf /")]
            break
        except httpx.TransportError:
            if time.monotonic() > until:
                raise WrongPeer("Cerbos doesn't start") from None
            time.sleep(0.1)
    if effects != ["EFFECT_ALLOW", "EFFECT_DENY"]:
        raise WrongPeer(f"Cerbos answers {effects} where its rules allow and deny")


def _effect(port: int, command: str) -> str:
    call = next(calls()) | {"tool_input": {"command": command}}
    answer = httpx.post(f"http://{HOST}:{port}{PATH}", json=_check(call), timeout=10)
    effect: str = answer.json()["results"][0]["actions"]["run"]
    return effect


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port
