"""The processes of a run, from strace's files: who started whom, which program each was at each call."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from benchmarks.truth.observe.line import Call, Exit, read
from benchmarks.truth.observe.watched import FORKING, OUTPUT, STARTING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SHELL = "/bin/bash"
"""The program that is given the command; what comes before it is the harness's own way down to its user."""


@dataclass(frozen=True, slots=True)
class Step:
    """One call, by the program that made it. ``call`` is None where the line can't be read; then ``line`` tells."""

    pid: int
    program: str
    call: Call | None
    line: str = ""


@dataclass(slots=True)
class Process:
    """One process or thread. ``program`` is the last one that it became."""

    pid: int
    program: str
    steps: list[Step] = field(default_factory=list)
    status: int | None = None
    written: int = 0
    """Bytes that the last program wrote to its standard output, in all of its threads."""
    became: bool = False
    """Whether it started a program of its own rather than only being its parent's."""


def processes(folder: Path) -> list[Process]:
    """All processes of a run, parents before children.

    The first is the shell with the command, from the moment on at which it is that. Empty if it never came so far.
    """
    logs = {int(path.suffix[1:]): path for path in folder.iterdir()}
    if not logs:
        return []
    first = min(logs)
    lines = _lines(logs.pop(first))
    for line in lines:
        call = read(line)
        if isinstance(call, Call) and call.name in STARTING and call.done and call.strings[0] == SHELL:
            break
    else:
        return []
    found = [_follow(Process(first, SHELL), lines)]
    parents: dict[int, Process] = {}
    for process in found:
        for child, program in _children(process):
            log = logs.pop(child, None)
            if log is not None:
                parents[child] = process
                found.append(_follow(Process(child, program), _lines(log)))
    for process in reversed(found):
        if not process.became and process.pid in parents:  # a thread, or a part of the shell
            parents[process.pid].written += process.written
    # A process whose parent's log was cut off before it told of it: seen all the same, as an unknown program.
    found += [_follow(Process(pid, "?"), _lines(log)) for pid, log in sorted(logs.items())]
    return found


def _follow(process: Process, lines: Iterator[str]) -> Process:
    for line in lines:
        match read(line):
            case Exit(status):
                process.status = status
            case None:
                process.steps.append(Step(process.pid, process.program, None, line))
            case call:
                process.steps.append(Step(process.pid, process.program, call))
                if call.name in STARTING and call.done and call.strings:
                    process.program, process.written, process.became = call.strings[0], 0, True
                elif call.name in OUTPUT and call.bare.startswith("1,"):
                    process.written += max(call.result or 0, 0)
    return process


def _children(process: Process) -> Iterator[tuple[int, str]]:
    for step in process.steps:
        if step.call is not None and step.call.name in FORKING and step.call.done and step.call.result:
            yield step.call.result, step.program


def _lines(log: Path) -> Iterator[str]:
    with log.open(encoding="utf-8", errors="surrogateescape") as stream:
        for line in stream:
            if not line.startswith("--- "):  # a signal that was received
                yield line.rstrip("\n")
