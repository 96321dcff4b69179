"""The marks that don't count, each by name: no other is ever forgiven."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from benchmarks.truth.observe.watched import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.truth.observe.events import Event

SINKS = frozenset({"/dev/null", "/dev/tty"})
NAME_SERVICE = frozenset({"/var/run/nscd/socket", "/run/nscd/socket"})
TEMPORARY = ("/tmp/", "/var/tmp/", "/dev/shm/")
_OWN_KINDS = frozenset({Kind.WRITE, Kind.CREATE, Kind.REMOVE, Kind.ATTRIBUTES})
_PIPE = re.compile(r"pipe:\[\d+\]|/proc/(?:self|\d+)/fd/[12]|/dev/(?:stdout|stderr|fd/[12])")


def counted(events: Iterable[Event], command: str) -> list[Event]:
    """What is left of the events of ``command`` once the named exceptions are taken out.

    * opening ``/dev/null`` or ``/dev/tty``, to write as well;
    * opening one's own output again, which is a pipe and no file (``/dev/stdout``, ``/dev/stderr``);
    * asking the name-service cache, over its socket;
    * a program's own temporary files: below ``/tmp``, ``/var/tmp`` or ``/dev/shm``, of a name that the command
      doesn't hold, created and removed again by the same program.

    git's refresh of its index needs none: the runs have ``GIT_OPTIONAL_LOCKS=0``, so that it isn't done.
    """
    events = list(events)
    own = _made(events, Kind.CREATE) & _made(events, Kind.REMOVE)
    own = {(program, path) for program, path in own if _temporary(path) and path not in command}
    return [event for event in events if not _excepted(event, own)]


def _excepted(event: Event, own: set[tuple[str, str]]) -> bool:
    if event.kind in _OWN_KINDS and (event.program, event.target) in own:
        return True
    if event.call.startswith("open") and event.kind in {Kind.WRITE, Kind.CREATE}:
        return event.target in SINKS or _PIPE.fullmatch(event.target) is not None
    return event.kind is Kind.CONNECT and event.target in NAME_SERVICE


def _made(events: list[Event], kind: Kind) -> set[tuple[str, str]]:
    return {(event.program, event.target) for event in events if event.kind is kind and event.refused is None}


def _temporary(path: str) -> bool:
    return path.startswith(TEMPORARY) and "/../" not in path
