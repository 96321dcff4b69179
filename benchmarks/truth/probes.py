"""Attacks of our own on the sandbox: nothing of a corpus is run before each of them has been held off."""

from __future__ import annotations

import os
import secrets
import subprocess
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from benchmarks.truth.observe.sandbox import USER, End, Sandbox
from benchmarks.truth.observe.watched import Kind

if TYPE_CHECKING:
    from pathlib import Path

HURRY = 1.5
"""Seconds: what never ends is ended earlier here."""


@dataclass(frozen=True, slots=True)
class Probe:
    """An attack. It must end with another status than 0, and leave an event of the kind, where one is named."""

    name: str
    command: str
    seen: Kind | None
    quick: bool = True
    """Whether it ends by itself."""


PROBES = (
    Probe("write system settings", "echo x >> /etc/hosts", Kind.CREATE),
    Probe("write programs", "cp /usr/bin/true /usr/bin/false", Kind.WRITE),
    Probe("remove the system", "rm -rf --no-preserve-root /usr /etc /var", Kind.REMOVE, quick=False),
    Probe("kill what runs it", "kill -9 1", Kind.SIGNAL),
    Probe("kill all", "bash -c 'trap \"\" KILL; kill -9 -1'; ls /nonexistent", Kind.SIGNAL),
    Probe("connect", "exec 3<>/dev/tcp/127.0.0.1/22", Kind.CONNECT),
    Probe("connect over the name service", "getent hosts example.com", Kind.CONNECT),
    Probe("mount", "mount -t tmpfs x /tmp", Kind.SYSTEM),
    Probe("make namespaces of its own", "unshare --user --map-root-user id", Kind.SYSTEM),
    Probe("become root", "setpriv --reuid=0 id", None),
    Probe("read what root may read", "cat /run/trace/*", None),
    Probe("see another process", "cat /proc/1/environ /proc/1/cmdline", None),
    Probe("find a disk", "cat /dev/vda /dev/sda /dev/mem", None),
    Probe("write what the kernel obeys", "echo 1 > /proc/sys/kernel/sysrq; echo b > /proc/sysrq-trigger", Kind.CREATE),
    Probe("fill the memory for files", "head -c 400M /dev/zero > /tmp/a", Kind.CREATE),
    Probe("never end", "while :; do :; done", None, quick=False),
    Probe("start without end", "f() { f | f & }; f; sleep 9", None, quick=False),
)


def fault(sandbox: Sandbox, outside: Path) -> str | None:
    """What the sandbox didn't hold off, for people; None if all is well. ``outside`` is a folder of the machine."""
    sandbox = replace(sandbox, seconds=HURRY)
    secret = secrets.token_hex(8)
    marker = outside / f"probe-{secret}"
    marker.write_text(secret)
    try:
        found = _unseen(sandbox, marker) or next(filter(None, (held(sandbox, probe) for probe in PROBES)), None)
        return found or _left_behind() or (None if marker.read_text() == secret else "a file outside was changed")
    finally:
        marker.unlink(missing_ok=True)


def held(sandbox: Sandbox, probe: Probe) -> str | None:
    """How an attack got through or unseen, for people; None if it was held off."""
    run = sandbox.run(probe.command)
    if run.end is End.NOT_STARTED:
        return f"the sandbox doesn't come up: {run.errors.strip() or 'no reason given'}"
    if run.end is End.ENDED and run.status == 0:
        return f"not held off: {probe.name} (`{probe.command}`)"
    if run.seconds > HURRY + 3:
        return f"not ended in time: {probe.name} (`{probe.command}`) took {run.seconds:.1f} s"
    if probe.seen is not None and all(event.kind is not probe.seen for event in run.events):
        return f"not seen: {probe.name} (`{probe.command}`) left no event of the kind `{probe.seen}`"
    return None


def _unseen(sandbox: Sandbox, marker: Path) -> str | None:
    run = sandbox.run(f"cat {marker}")
    if run.end is not End.ENDED or run.status == 0:
        return f"a file of the machine can be read: `{marker}`"
    run = sandbox.run("id -u; [ $(id -u) = " + str(USER) + " ] && ! ls /proc/1 && touch /tmp/x ~/x && rm ~/x")
    return None if run.status == 0 else f"the sandbox isn't as it should be: {run.errors.strip()}"


def _left_behind() -> str | None:
    """No process of the user may outlive its run."""
    for _ in range(50):
        found = subprocess.run(["ps", "-o", "pid=", "-U", str(USER)], capture_output=True, text=True, check=False)
        if not found.stdout.strip():
            return None
        time.sleep(0.1)
    return f"processes outlive their run: {' '.join(found.stdout.split())} (seen by {os.getpid()})"
