"""Runs one command where it can harm nothing, and tells what it did. Nothing of a corpus runs anywhere else."""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from benchmarks.truth.observe.events import NO_ANSWER, Event, events
from benchmarks.truth.observe.exceptions import counted
from benchmarks.truth.observe.processes import processes
from benchmarks.truth.observe.watched import WATCHED, Kind

USER = 64_242
"""A number that no account of the machine has."""
HOME = "/home/dev"
SCRATCH = "/home/dev/repo"
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
SECONDS = 5.0
MOST_OUTPUT = 4_000_000
"""Bytes of output after which a run is ended."""
KEPT_EVENTS = 60
"""Of each kind; more only tell the same again."""
RETRIES = 2
MISREAD = frozenset({Kind.UNSEEN, Kind.CONTROL})
MOST_TEXT = 100_000
"""Bytes; the system takes no argument longer than 128 KiB."""
_ENTER = Path(__file__).with_name("enter.sh")
_NAMESPACES = ("--mount", "--pid", "--net", "--ipc", "--uts", "--cgroup", "--fork", "--kill-child=KILL")


class End(StrEnum):
    """How a run ended."""

    ENDED = "ended"
    TIMED_OUT = "timed_out"
    FLOODED = "flooded"
    NOT_STARTED = "not_started"
    """The sandbox didn't come up, or the text can't be passed to a shell: nothing is known of the command."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A program that was started: its path, its exit status (None: still running), bytes to its standard output."""

    path: str
    status: int | None
    written: int


@dataclass(frozen=True, slots=True)
class Run:
    """What a command did. ``status`` is the shell's; ``events`` are what counts, exceptions taken out."""

    command: str
    end: End
    status: int | None = None
    written: int = 0
    errors: str = ""
    seconds: float = 0.0
    events: tuple[Event, ...] = ()
    programs: tuple[Ran, ...] = ()
    """Programs that were started, in no order; the shell that reads the command isn't among them."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A root folder and samples, made by ``rootfs`` and ``samples``; safe to use from several threads."""

    root: Path
    outer: Path
    """An empty folder."""
    samples: Path
    work: Path
    """Where traces lie while they are read."""
    masked: tuple[str, ...] = ()
    """Folders of the machine that the user may not read, shown as empty ones."""
    seconds: float = SECONDS

    def run(self, command: str) -> Run:
        """Run a command and observe it. Never raises because of what the command does.

        Rarely strace reads a thread wrongly that ends at that moment: a call that nobody can name, without an answer.
        Such a run is done again, and counts as it is if that doesn't help.
        """
        if not _passable(command):
            return Run(command, End.NOT_STARTED, errors="the text can't be passed to a shell")
        run = self._once(command)
        for _ in range(RETRIES):
            if not any(event.refused == NO_ANSWER and event.kind in MISREAD for event in run.events):
                break
            run = self._once(command)
        return run

    def _once(self, command: str) -> Run:
        trace = Path(tempfile.mkdtemp(prefix="trace-", dir=self.work))
        trace.chmod(0o755)
        try:
            return self._observed(command, trace)
        finally:
            shutil.rmtree(trace, ignore_errors=True)

    def _observed(self, command: str, trace: Path) -> Run:
        places = (_ENTER, self.root, self.outer, self.samples, trace)
        words = ["unshare", *_NAMESPACES, "sh", *map(str, places), str(USER), command]
        settings = {
            "PATH": PATH,
            "TRUTH_PATH": PATH,
            "TRUTH_WATCHED": WATCHED,
            "TRUTH_MASKED": " ".join(self.masked),
        }
        started = time.monotonic()
        output, errors = _pipe(), _pipe()
        child = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=output[1], stderr=errors[1], env=settings, start_new_session=True
        )
        os.close(output[1])
        os.close(errors[1])
        end, written, said = _watch(child, output[0], errors[0], started + self.seconds)
        seconds = time.monotonic() - started
        found = processes(trace)
        if not found:
            return Run(command, End.NOT_STARTED, errors=said, seconds=seconds)
        shell, *_ = found
        return Run(
            command=command,
            end=end,
            status=shell.status if end is End.ENDED else None,
            written=written,
            errors=said[:600],
            seconds=round(seconds, 3),
            events=_some(counted(events(found), command)),
            programs=tuple(Ran(p.program, p.status, p.written) for p in found if p.became),
        )


def _some(found: list[Event]) -> tuple[Event, ...]:
    """Different events, a few of each kind, so that many harmless ones hide no other."""
    kept: dict[Kind, list[Event]] = {}
    for event in dict.fromkeys(found):
        kept.setdefault(event.kind, []).append(event)
    return tuple(event for events_of_kind in kept.values() for event in events_of_kind[:KEPT_EVENTS])


def _passable(command: str) -> bool:
    try:
        return "\0" not in command and len(command.encode()) < MOST_TEXT
    except UnicodeEncodeError:
        return False


def _pipe() -> tuple[int, int]:
    """A pipe that the command may open again by its name, as it could at home."""
    ends = os.pipe()
    for end in ends:
        os.fchown(end, USER, USER)
    return ends


def _watch(child: subprocess.Popen[bytes], output: int, errors: int, until: float) -> tuple[End, int, str]:
    """Read what a run puts out until it ends or must be ended."""
    written, said, end = 0, b"", End.ENDED
    with selectors.DefaultSelector() as ready:
        ready.register(output, selectors.EVENT_READ)
        ready.register(errors, selectors.EVENT_READ)
        while ready.get_map() and end is End.ENDED:
            found = ready.select(max(until - time.monotonic(), 0))
            for key, _ in found:
                chunk = os.read(key.fd, 65_536)
                if not chunk:
                    ready.unregister(key.fd)
                elif key.fd == output:
                    written += len(chunk)
                else:
                    said = (said + chunk)[:4_000]
            if written > MOST_OUTPUT:
                end = End.FLOODED
            elif not found or time.monotonic() > until:
                end = End.TIMED_OUT
    os.close(output)
    os.close(errors)
    if end is End.ENDED:
        try:
            child.wait(max(until - time.monotonic(), 0.01))
        except subprocess.TimeoutExpired:
            end = End.TIMED_OUT
    if child.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    return end, written, said.decode("utf-8", "replace")
