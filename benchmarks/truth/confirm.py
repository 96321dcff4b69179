"""Whether a command is confirmed as read-only by what it did: said without asking the analysis."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from benchmarks.truth.forbidden import forbidden
from benchmarks.truth.idle import absent, idle
from benchmarks.truth.observe.sandbox import End
from benchmarks.truth.observe.watched import Kind
from benchmarks.truth.unset import unset

if TYPE_CHECKING:
    from benchmarks.truth.observe.events import Event
    from benchmarks.truth.observe.sandbox import Ran, Run

_WORD = re.compile(r"[\w.+-]+")
_RESULTS = {"diff": 1, "cmp": 1, "sdiff": 1, "zdiff": 1, "zcmp": 1, "test": 1, "[": 1, "expr": 1, "false": 1, "comm": 1}
"""Exit statuses that are an answer and no error."""
_STATUS_TELLS = frozenset({"grep", "egrep", "fgrep", "zgrep", "rg", "ag", "locate", "which"})
_OUTPUT_TELLS = frozenset({"find", "fd", "fdfind", "awk", "gawk", "mawk", "sed", "jq", "cut", "tail", "head"})
_CLOSED_PIPE = 141
_NOT_FOUND = 127


class Standing(StrEnum):
    """What a run says of a command."""

    CONFIRMED = "confirmed read-only"
    FORBIDDEN = "read-only here, but of a class that the design forbids proving"
    DID = "wrote, started another program, connected, or tried to"
    NOT_INSTALLED = "a program isn't installed here"
    FAILED = "ended with an error"
    UNSET = "expands a variable that nobody set, so that it isn't the command that was meant"
    NO_HIT = "searched and found nothing"
    IDLE = "had nothing to do here, so that it wasn't tried"
    CUT_OFF = "didn't end within the limits"
    NOT_STARTED = "can't be run by the harness"
    NOT_RUN = "not run yet: the time was up"


@dataclass(frozen=True, slots=True)
class Judged:
    """A standing and what it rests on, for people."""

    standing: Standing
    why: str = ""


def judge(run: Run | None, command: str) -> Judged:
    """The standing of a command."""
    if run is None:
        return Judged(Standing.NOT_RUN)
    if run.end is End.NOT_STARTED:
        return Judged(Standing.NOT_STARTED, run.errors.strip()[-200:])
    named = frozenset(_WORD.findall(command))
    did = [event for event in run.events if not (event.kind is Kind.START and _base(event.target) in named)]
    if did:
        return Judged(Standing.DID, told(did[0]))
    if run.end is not End.ENDED:
        return Judged(Standing.CUT_OFF, run.end.value)
    if "command not found" in run.errors or run.status == _NOT_FOUND:
        return Judged(Standing.NOT_INSTALLED, run.errors.strip().splitlines()[0][:120] if run.errors.strip() else "")
    if (name := absent(command)) is not None:
        return Judged(Standing.NOT_INSTALLED, name)
    failed = _failure(run)
    if failed is not None:
        return failed
    name = unset(command)
    if name is not None:
        return Judged(Standing.UNSET, f"${name}")
    reason = forbidden(command)
    if reason is not None:
        return Judged(Standing.FORBIDDEN, reason)
    reason = idle(command)
    return Judged(Standing.CONFIRMED) if reason is None else Judged(Standing.IDLE, reason)


def told(event: Event) -> str:
    """An event in a few words."""
    refused = f" ({event.refused})" if event.refused else ""
    return f"{_base(event.program)}: {event.kind} {event.target[:140]}{refused}"


def _failure(run: Run) -> Judged | None:
    answers = {0} | {_RESULTS[name] for program in run.programs if (name := _base(program.path)) in _RESULTS}
    for program in run.programs:
        hit = _hit(program, run)
        if hit is False:
            return Judged(Standing.NO_HIT, _base(program.path))
        good = {0, _CLOSED_PIPE, _RESULTS.get(_base(program.path), 0)}
        if hit is None and program.status not in good:
            return Judged(Standing.FAILED, f"{_base(program.path)}: status {program.status}")
    if run.status not in answers:
        return Judged(Standing.FAILED, f"shell: status {run.status}")
    return None


def _hit(program: Ran, run: Run) -> bool | None:
    """Whether a program that searches found something; None of others, and where it failed."""
    name = _base(program.path)
    if name in _STATUS_TELLS and program.status in {0, 1}:
        return program.status == 0
    if name in _OUTPUT_TELLS and program.status in {0, _CLOSED_PIPE}:
        return program.written > 0 or (name == "find" and len(run.programs) > 1 and "-exec" in run.command)
    return None


def _base(path: str) -> str:
    return PurePosixPath(path).name
