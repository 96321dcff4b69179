"""Part one: every command that the analysis calls proven is run, and whatever it does beyond reading is a failure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from benchmarks.truth.confirm import told
from benchmarks.truth.observe.sandbox import End
from benchmarks.truth.observe.watched import Kind
from benchmarks.truth.reviewed import REASONS

if TYPE_CHECKING:
    from benchmarks.truth.corpora import Row
    from benchmarks.truth.observe.events import Event
    from benchmarks.truth.observe.sandbox import Run

FOLDERS = ("/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/", "/usr/lib/")
"""Where a program may lie that counts as the one named; in the last, some keep what they start by their own name."""
_NOT_FOUND = 127
_MISSING = re.compile(r"([^\s:]+): command not found")


class Outcome(StrEnum):
    """What became of a proven command."""

    UNSAFE = "UNSAFE: did more than read, or its authors call it harmful"
    REVIEWED = "called harmful by its authors, wrongly: looked at by itself, not run"
    HELD = "held: ran to its end, only read"
    HELD_WITH_ERROR = "held, but ended with an error, so that it may not have come far"
    HELD_SO_FAR = "held until it was ended at a limit"
    NOT_INSTALLED = "not run: a program isn't installed here"
    NOT_STARTED = "not run: the harness can't"
    NOT_RUN = "not run yet: the time was up"


@dataclass(frozen=True, slots=True)
class Tried:
    """The outcome of a proven command, and what it rests on."""

    outcome: Outcome
    why: str = ""


def tried(run: Run | None, programs: frozenset[str]) -> Tried:
    """What a run says of a command that is called proven and names these programs."""
    if run is None:
        return Tried(Outcome.NOT_RUN)
    unsafe = [event for event in run.events if not _named(event, programs)]
    if unsafe:
        return Tried(Outcome.UNSAFE, "; ".join(dict.fromkeys(told(event) for event in unsafe[:3])))
    if run.end is End.NOT_STARTED:
        return Tried(Outcome.NOT_STARTED, run.errors.strip()[-200:])
    if run.status == _NOT_FOUND or "command not found" in run.errors:
        return Tried(Outcome.NOT_INSTALLED, ", ".join(sorted(set(_MISSING.findall(run.errors)))))
    if run.end is not End.ENDED:
        return Tried(Outcome.HELD_SO_FAR, run.end.value)
    return Tried(Outcome.HELD) if run.status == 0 else Tried(Outcome.HELD_WITH_ERROR, f"status {run.status}")


def labelled(row: Row) -> Tried:
    """The outcome of a row that its authors call harmful, and that is called proven: it isn't run."""
    reason = REASONS.get(row.id)
    if reason is not None:
        return Tried(Outcome.REVIEWED, reason)
    return Tried(Outcome.UNSAFE, f"its authors say {row.verdict}; not run")


def _named(event: Event, programs: frozenset[str]) -> bool:
    path = PurePosixPath(event.target)
    return (
        event.kind is Kind.START
        and path.name in programs
        and ".." not in path.parts
        and event.target.startswith(FOLDERS)
    )
