"""One line of strace, read: a call that can't be read is told apart, never dropped."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass

_CALL = re.compile(
    r"(\w+)\((.*)\) = (-?\d+|0x[0-9a-f]+|\?)(<.*>)?(?:\(deleted\))?(?: (E\w+) \(.*\)| \(.*\))?", re.ASCII
)
_CUT = re.compile(r"(\w+)\((.*?)(?: <unfinished \.\.\.>| <detached \.\.\.>)?", re.ASCII)
_EXIT = re.compile(r"\+\+\+ (?:exited with (\d+)|killed by (\w+)(?: \(core dumped\))?) \+\+\+")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"(?:\.\.\.)?')
_NOTE = re.compile(r"<(?:[^<>]|<[^<>]*>)*>")
_ESCAPE = re.compile(r'\\([0-7]{1,3}|x[0-9a-f]{2}|[nrtvf"\\])')
_LETTERS = {"n": "\n", "r": "\r", "t": "\t", "v": "\v", "f": "\f", '"': '"', "\\": "\\"}


@dataclass(frozen=True, slots=True)
class Exit:
    """How a process ended: its status, or 128 and the signal's number as shells say it."""

    status: int


@dataclass(frozen=True, slots=True)
class Call:
    """One system call. ``result`` is None where it never returned."""

    name: str
    strings: tuple[str, ...]
    """The texts among its arguments, in order; the first is the path of those that have one."""
    bare: str
    """The arguments without texts and without what strace notes about descriptors."""
    result: int | None
    error: str | None = None
    opened: str | None = None
    """The file behind the returned descriptor, all links followed."""
    about: str | None = None
    """The file behind the first descriptor among its arguments."""

    @property
    def done(self) -> bool:
        """Whether it succeeded."""
        return self.error is None and self.result is not None


def read(line: str) -> Call | Exit | None:
    """A line as strace writes it with ``-y -a 1``; None if it is neither a call nor an end."""
    ended = _EXIT.fullmatch(line)
    if ended:
        return Exit(int(ended[1]) if ended[1] else _signalled(ended[2]))
    found = _CALL.fullmatch(line)
    if found:
        name, arguments, result, note, error = found.groups()
        value = None if result == "?" else int(result, 0)
        return _call(name, arguments, value, error, note)
    cut = _CUT.fullmatch(line)
    return _call(cut[1], cut[2], None, None, None) if cut else None


def _call(name: str, arguments: str, result: int | None, error: str | None, note: str | None) -> Call:
    strings = tuple(_plain(text) for text in _STRING.findall(arguments))
    bare = _STRING.sub('""', arguments)
    first = _NOTE.search(bare)
    about = first[0] if first is not None else None
    return Call(name, strings, _NOTE.sub("", bare), result, error, _noted(note), _noted(about))


def _noted(note: str | None) -> str | None:
    if note is None:
        return None
    return _plain(re.sub(r"<(?:char|block) [\d:]+>$", "", note[1:-1]))


def _plain(text: str) -> str:
    return _ESCAPE.sub(lambda m: _LETTERS.get(m[1]) or chr(int(m[1].lstrip("x"), 16 if m[1][0] == "x" else 8)), text)


def _signalled(name: str) -> int:
    return 128 + getattr(signal, name, signal.SIGKILL)
