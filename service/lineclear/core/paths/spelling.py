"""A spelling: what a text says of a path before anybody knows where it starts, in the reading of one family."""

from __future__ import annotations

import re
from enum import Enum
from urllib.parse import unquote

from msgspec import Struct


class Family(Enum):
    """The two ways to read a path."""

    POSIX = "posix"
    WINDOWS = "windows"


class Spelling(Struct, frozen=True):
    """An anchor and the steps from it, ``..`` still among them, ``.`` and empty ones not.

    The anchor is ``""`` (relative), ``/``, ``C:/``, ``C:`` (relative to where that drive stands), ``//server/share``,
    ``//./`` (devices), ``~`` or ``~name``.
    """

    anchor: str
    steps: tuple[str, ...]

    @property
    def absolute(self) -> bool:
        """Whether it says itself where it starts, a home apart."""
        return self.anchor.endswith("/") or self.anchor.startswith("//")

    @property
    def relative(self) -> bool:
        """Whether it starts from a directory that the text doesn't name."""
        return self.anchor == ""

    def collapsed(self) -> Spelling:
        """The same without the ``..`` that take back a step, or climb above what has no parent."""
        if ".." not in self.steps:
            return self
        kept: list[str] = []
        for step in self.steps:
            if step != "..":
                kept.append(step)
            elif kept and kept[-1] != "..":
                kept.pop()
            elif self.anchor == "" or self.anchor[0] == "~":
                kept.append(step)
        return Spelling(self.anchor, tuple(kept))

    @property
    def text(self) -> str:
        """The path with forward slashes."""
        if self.anchor == "":
            return "/".join(self.steps) or "."
        if not self.steps:
            return self.anchor
        joint = "" if self.anchor.endswith("/") else "/"
        return self.anchor + joint + "/".join(self.steps)


_FILE_URL = re.compile(r"file:(?://(?P<host>[^/\\]*))?(?P<path>[/\\].*)", re.IGNORECASE | re.DOTALL)
_DRIVE = re.compile(r"(?P<letter>[A-Za-z]):(?P<rest>.*)", re.DOTALL)
_DRIVE_IN_URL = re.compile(r"/[A-Za-z][:|]")
_VERBATIM = re.compile(r"(?://\?/|/\?\?/|//\./)", re.IGNORECASE)
_HERE = frozenset({"localhost", "127.0.0.1", "::1", "[::1]", "."})
_TILDE_NAME = re.compile(r"~[A-Za-z0-9._+-]*")


def read(text: str, family: Family) -> Spelling:
    """The spelling of a text. Total: every text is some path."""
    if text[:5].lower() == "file:":
        text = _from_url(text, family)
    return _windows(text) if family is Family.WINDOWS else _posix(text)


def _from_url(text: str, family: Family) -> str:
    """The path of a ``file:`` URL; a text that is none stays what it is."""
    match = _FILE_URL.fullmatch(text)
    if match is None:
        return text
    path = unquote(re.split(r"[?#]", match["path"], maxsplit=1)[0])
    host = (match["host"] or "").lower()
    if family is Family.WINDOWS:
        if _DRIVE_IN_URL.match(path):
            return f"{path[1]}:{path[3:]}"
        if host and host not in _HERE:
            return f"//{host}{path}"
    return path


def _posix(text: str) -> Spelling:
    steps = tuple([step for step in text.split("/") if step and step != "."])
    if text[:1] == "/":
        return Spelling("/", steps)
    if text[:1] == "~" and _TILDE_NAME.fullmatch(steps[0]):
        return Spelling(steps[0], steps[1:])
    return Spelling("", steps)


def _windows(text: str) -> Spelling:
    text = text.replace("\\", "/")
    device = False
    if verbatim := _VERBATIM.match(text):
        device, text = True, text[verbatim.end() :]
        if text[:4].upper() == "UNC/":
            device, text = False, "//" + text[4:]
    if drive := _DRIVE.fullmatch(text):
        letter, rest = drive["letter"].upper(), drive["rest"]
        if device and not rest:
            return Spelling("//./", (letter,))
        if rest[:1] == "/":
            return Spelling(f"{letter}:/", _windows_steps(rest))
        return Spelling(f"{letter}:", _windows_steps(rest))
    if device:
        return Spelling("//./", _windows_steps(text))
    if text[:2] == "//":
        return _share(text)
    if text[:1] == "/":
        return Spelling("/", _windows_steps(text))
    steps = _windows_steps(text)
    if text[:1] == "~" and steps and _TILDE_NAME.fullmatch(steps[0]):
        return Spelling(steps[0], steps[1:])
    return Spelling("", steps)


def _share(text: str) -> Spelling:
    """A network share; this machine's own administrative shares are its drives."""
    server, _, rest = text.lstrip("/").partition("/")
    share, _, rest = rest.partition("/")
    if server.lower() in _HERE and re.fullmatch(r"[A-Za-z]\$", share):
        return Spelling(f"{share[0].upper()}:/", _windows_steps(rest))
    name = f"//{server.lower()}/{share}" if share else f"//{server.lower()}"
    return Spelling(name, _windows_steps(rest))


def _windows_steps(text: str) -> tuple[str, ...]:
    found = (_windows_step(step) for step in text.split("/"))
    return tuple(step for step in found if step not in {"", "."})


def _windows_step(step: str) -> str:
    """A name as the file system takes it: without stream, trailing dots and blanks; unless nothing else is in it."""
    if step in {"", ".", ".."}:
        return step
    name = step.split(":", 1)[0]
    return name.rstrip(". ") or name
