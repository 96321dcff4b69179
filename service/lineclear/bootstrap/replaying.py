"""Recorded decisions replayed on all processors: lines go out in chunks, counts come back and are joined in order.

What few decisions come to is counted here, without another process.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path  # noqa: TC003 - a plan goes to other processes as it is
from typing import TYPE_CHECKING, Any, Self, cast

from lineclear import resources
from lineclear.bootstrap.problem import CannotStart
from lineclear.classifier.prompts import DIGEST
from lineclear.core.own import Own
from lineclear.engine.flips import Flips
from lineclear.engine.replay import Replay
from lineclear.engine.unaffected import Change
from lineclear.policyfiles import sources
from lineclear.policyfiles.comparing import changed_rules
from lineclear.policyfiles.compiling import Beneath, examined
from lineclear.policyfiles.problems import PolicyError
from lineclear.wire.errors import Malformed
from lineclear.wire.exported import of_line
from lineclear.wire.request import from_mapping

if TYPE_CHECKING:
    from concurrent.futures import Future
    from types import TracebackType

    from lineclear.core.call import Stated
    from lineclear.core.redact import Redacted
    from lineclear.policyfiles.compiling import Compiled

CHUNK = 1000
"""So many decisions go to a process at once."""
_MOST_WAITING = 4
"""So many chunks wait for each process: enough to keep it busy, and few enough to hold in memory."""
_GARBAGE_AFTER = 50_000
"""Allocations between two looks for garbage: what a replay makes is nearly all freed by counting."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is replayed: a candidate's folder; ``before`` is the folder by which decisions may have been made.

    ``before_is_named`` says that somebody chose it, so that it must be one that can be loaded. The other fields are
    what of the machine is Lineclear itself.
    """

    candidate: Path
    before: Path | None
    before_is_named: bool
    ports: frozenset[int]
    hosts: frozenset[str]
    folders: tuple[str, ...]
    sockets: tuple[str, ...]

    @staticmethod
    def of(candidate: Path, before: Path | None, own: Own, *, before_is_named: bool = False) -> Plan:
        """The plan for what of this machine is Lineclear itself."""
        return Plan(candidate, before, before_is_named, own.ports, own.hosts, own.folders, own.sockets)


@dataclass(frozen=True, slots=True)
class Lines:
    """Exported decisions: the name of where they are from, and each with its number there, as it is kept."""

    source: str
    numbered: tuple[tuple[int, bytes], ...]


class Replaying:
    """A replay under way: lines in, and at its end the count."""

    def __init__(self, plan: Plan, processes: int | None = None) -> None:
        """Raise ``PolicyError`` where policies can't be loaded."""
        self._replay = _made(plan)
        self._plan = plan
        self._processes = processes or _processors()
        self._pool: ProcessPoolExecutor | None = None
        self._waiting: deque[Future[Flips]] = deque()
        self._first: Lines | None = None
        self._flips = Flips()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def put(self, lines: Lines) -> None:
        """Replay some more. Raises ``CannotStart`` for a line that is no decision, here or at a later one's turn."""
        if self._processes == 1:
            self._flips.join(_counted(self._replay, lines))
        elif self._first is None and self._pool is None:
            self._first = lines
        else:
            self._send(lines)

    def result(self) -> Flips:
        """The count of all that was put in. Raises as ``put`` does."""
        if self._first is not None:
            self._flips.join(_counted(self._replay, self._first))
            self._first = None
        while self._waiting:
            self._join()
        return self._flips

    def _send(self, lines: Lines) -> None:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._processes, context, _settled, (self._plan,))
        first, self._first = self._first, None
        for one in (first, lines) if first is not None else (lines,):
            self._waiting.append(self._pool.submit(_elsewhere, self._plan, one))
        while len(self._waiting) > self._processes * _MOST_WAITING:
            self._join()

    def _join(self) -> None:
        try:
            self._flips.join(self._waiting.popleft().result())
        except BrokenProcessPool:
            told = "a process that replays ended before its time; look at the memory that is left, or use fewer"
            raise CannotStart(f"{told}: `--processes 1`") from None


def _counted(replay: Replay, lines: Lines) -> Flips:
    flips = Flips()
    for number, line in lines.numbered:
        try:
            flips.add(replay.of(of_line(line)))
        except Malformed as error:
            raise CannotStart(f"{lines.source}:{number}: {error}") from None
    return flips


def _elsewhere(plan: Plan, lines: Lines) -> Flips:
    """The count in a process of the pool."""
    return _counted(_settled(plan), lines)


@lru_cache(maxsize=1)
def _settled(plan: Plan) -> Replay:
    """The replay of a process of the pool, made once; what it holds stays, and isn't looked through for garbage."""
    replay = _made(plan)
    gc.collect()
    gc.freeze()
    gc.set_threshold(_GARBAGE_AFTER)
    return replay


def _made(plan: Plan) -> Replay:
    beneath = Beneath.read(resources.builtin(), DIGEST)
    candidate = examined(beneath, sources.organisation(plan.candidate))
    own = Own(plan.ports, plan.hosts, plan.folders, plan.sockets)
    return Replay(candidate.policy, own, _restated, _change(beneath, plan, candidate))


def _change(beneath: Beneath, plan: Plan, candidate: Compiled) -> Change | None:
    """What of the rules changes; None where more does, or where the policies before can't be loaded any more."""
    if plan.before is None:
        return None
    try:
        before = examined(beneath, sources.organisation(plan.before))
    except PolicyError:
        if plan.before_is_named:
            raise
        return None
    changed = changed_rules(before, candidate)
    return None if changed is None else Change.of(before.policy, changed)


def _restated(request: Redacted) -> Stated:
    return from_mapping(cast("dict[str, Any]", request))


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
