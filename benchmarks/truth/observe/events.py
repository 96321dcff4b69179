"""From calls to events: whatever a command wrote, started, connected to or told others, or tried to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.truth.observe import watched
from benchmarks.truth.observe.watched import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.truth.observe.line import Call
    from benchmarks.truth.observe.processes import Process, Step

_CREATES = re.compile(r"\bO_(?:CREAT|TMPFILE|EXCL)\b")
_WRITES = re.compile(r"\bO_(?:WRONLY|RDWR|TRUNC)\b|\b0x[0-9a-f]+ /\* O_\?+ \*/|\bO_ACCMODE\b")
_FAMILY = re.compile(r"AF_\w+")
_ADDRESS = re.compile(r"\bsa_family=(AF_\w+)")
_PID = re.compile(r"-?\d+")
_CONFIGURES = re.compile(r"\bRTM_(?:NEW|DEL|SET)\w*|\bNLM_F_(?:CREATE|REPLACE|EXCL)\b")
_PROBE = re.compile(
    r"\[\{nlmsg_len=32, nlmsg_type=RTM_NEWLINK, nlmsg_flags=NLM_F_REQUEST\|NLM_F_ACK,.*ifi_index=0,.*\}\], 32"
)
"""How iproute2 asks whether the kernel knows the message: it names no link."""
_KERNEL_LOG = re.compile(r"(?:\d+ /\* )?(\w+)")
"""What is asked of the kernel's log: newer versions of strace put the name behind its number."""
_SOCKET_PATH = re.compile(r"\bsun_path=")


NO_ANSWER = "no answer"
"""The process ended within the call."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that isn't reading. ``target`` is a path, a program, an address, or the call's arguments."""

    kind: Kind
    program: str
    """The program that did it, as it was started."""
    target: str
    call: str
    refused: str | None = None
    """The error with which the system answered, ``NO_ANSWER`` if it never did, None if it was done."""


def events(processes: Iterable[Process]) -> list[Event]:
    """All events of a run, before any exception is made."""
    processes = list(processes)
    own = frozenset(process.pid for process in processes)
    found = (_event(step, own) for process in processes for step in process.steps)
    return [event for event in found if event is not None]


def _event(step: Step, own: frozenset[int]) -> Event | None:
    call = step.call
    if call is None:
        return Event(Kind.UNSEEN, step.program, step.line[:200], "?")
    found = _seen(call, own)
    if found is None:
        return None
    refused = call.error if call.result is not None else call.error or NO_ANSWER
    return Event(found[0], step.program, found[1], call.name, refused)


def _seen(call: Call, own: frozenset[int]) -> tuple[Kind, str] | None:
    name = call.name
    if name in watched.OPENING:
        return _opening(call)
    if name in watched.STARTING:
        # A search along PATH fails at every folder but one.
        return (Kind.START, _path(call)) if call.error not in {"ENOENT", "ENOTDIR"} else None
    if name == "socket":
        family = _FAMILY.match(call.bare)
        local = family is not None and family[0] in watched.LOCAL_FAMILIES
        return None if local else (Kind.CONNECT, call.bare)
    if name in watched.SENDING:
        return _sending(call)
    if name in watched.OTHERS:
        return _telling(call, own)
    if name == "ioctl":
        request = call.bare.split(", ")[1] if ", " in call.bare else call.bare
        asks = watched.QUESTIONS.intersection(request.split(" or ")) or request.startswith(watched.INTERFACE_QUESTIONS)
        return None if asks else (Kind.CONTROL, request)
    if name == "syslog":
        action = _KERNEL_LOG.match(call.bare)
        return None if action and action[1] in watched.KERNEL_LOG_READS else (Kind.SYSTEM, call.bare)
    if name in watched.KINDS:
        return watched.KINDS[name], " -> ".join(call.strings) or call.about or call.bare
    return None if name in watched.FORKING | watched.OUTPUT else (Kind.UNSEEN, name)


def _opening(call: Call) -> tuple[Kind, str] | None:
    if call.name == "creat" or _CREATES.search(call.bare):
        return Kind.CREATE, _path(call)
    return (Kind.WRITE, _path(call)) if _WRITES.search(call.bare) else None


def _sending(call: Call) -> tuple[Kind, str] | None:
    family = _ADDRESS.search(call.bare)
    if family is not None and family[1] not in watched.LOCAL_FAMILIES:
        return Kind.CONNECT, call.bare
    if _SOCKET_PATH.search(call.bare):
        kind = Kind.CREATE if call.name == "bind" else Kind.CONNECT
        return kind, call.strings[0] if call.strings else call.bare
    if family is not None and family[1] == "AF_NETLINK" and call.name.startswith("send"):
        asks = "nlmsg_type=" in call.bare and not _CONFIGURES.search(call.bare)
        return None if asks else (Kind.SYSTEM, call.bare)
    changes = _CONFIGURES.search(call.bare) and not _PROBE.search(call.bare)
    return (Kind.SYSTEM, call.bare) if changes else None


def _telling(call: Call, own: frozenset[int]) -> tuple[Kind, str] | None:
    numbers = [int(text) for text in _PID.findall(call.bare)]
    if call.name in {"kill", "tkill", "tgkill"}:
        # Signal 0 only asks; 0 and a group of one's own are what a shell and `timeout` end their children with.
        harmless = call.bare.endswith(", 0") or not numbers or abs(numbers[0]) in own | {0}
        return None if harmless and numbers[:1] != [-1] else (Kind.SIGNAL, call.bare)
    target = numbers[0] if numbers else 0
    return None if target == 0 or target in own else (Kind.SYSTEM, call.bare)


def _path(call: Call) -> str:
    return call.opened or (call.strings[0] if call.strings else call.bare)
