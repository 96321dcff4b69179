"""Scripts of the stream editor: addresses and the commands that only print. Nothing that writes, reads or runs."""

from __future__ import annotations

import re

_ADDRESS = re.compile(r"(?:[0-9]+(?:~[0-9]+)?|\$)")
_SECOND = re.compile(r"\s*,\s*(?:[+~]?[0-9]+|\$)")
_BLANK = re.compile(r"[\s;]*")
_FLAGS = re.compile(r"(?:[gpiIMm]|[0-9]+)*")
_AN_ERROR = re.compile(r"[gpiIMm0-9]*+[^gpiIMm0-9weW;}#\s]")
"""Flags that no editor knows, so that it refuses all of the script."""
_ALONE = frozenset("pdDnNhHgGxPz=F")
_NUMBERED = re.compile(r"[qQlL]\s*[0-9]*")
_LABEL = re.compile(r"[btT:][ \t]*[A-Za-z0-9_]*")
_TEXT = re.compile(r"[aic](?:[ \t]*\\\n|[ \t]*)(?:[^\n\\]|\\[^\n])+(?=\n|\Z)")


def sed_only_prints(script: str) -> bool:
    """Whether a script does nothing but print and change the text that goes through."""
    at = 0
    while True:
        blank = _BLANK.match(script, at)
        at = blank.end() if blank else at
        if at >= len(script):
            return True
        following = _command(script, at)
        if following <= at:
            return False
        at = following


def _command(script: str, at: int) -> int:
    """Behind the command that begins here; -1 where it isn't let pass."""
    if script[at] == "#":
        end = script.find("\n", at)
        return len(script) if end < 0 else end
    at = _addresses(script, at)
    if at < 0 or at >= len(script):
        return -1
    letter = script[at]
    if letter in "{}":
        return at + 1
    if letter in _ALONE:
        return _ended(script, at + 1)
    if letter in "sy":
        return _substitution(script, at)
    for form in (_NUMBERED, _LABEL):
        found = form.match(script, at)
        if found:
            return _ended(script, found.end())
    text = _TEXT.match(script, at)
    return text.end() if text else -1


def _addresses(script: str, at: int) -> int:
    at = _address(script, at)
    if at < 0:
        return -1
    number = _SECOND.match(script, at)
    if number:
        at = number.end()
    else:
        comma = re.compile(r"\s*,\s*").match(script, at)
        if comma:
            end = _address(script, comma.end())
            if end <= comma.end():
                return -1
            at = end
    mark = re.compile(r"\s*!?\s*").match(script, at)
    return mark.end() if mark else at


def _address(script: str, at: int) -> int:
    found = _ADDRESS.match(script, at)
    if found:
        return found.end()
    if script.startswith("/", at):
        start, delimiter = at + 1, "/"
    elif script.startswith("\\", at) and at + 1 < len(script):
        start, delimiter = at + 2, script[at + 1]
    else:
        return at
    at = _delimited(script, start, delimiter)
    other = _delimited(script, start, delimiter, pattern=False)
    if other not in {at, -1} and not script.startswith("]", other):
        return -1
    while 0 <= at < len(script) and script[at] in "IM":
        at += 1
    return at


def _substitution(script: str, at: int) -> int:
    if at + 1 >= len(script):
        return -1
    delimiter = script[at + 1]
    if delimiter in "\\\n":
        return -1
    middle = _delimited(script, at + 2, delimiter, pattern=script[at] == "s")
    if middle < 0:
        return -1
    end = _delimited(script, middle, delimiter, pattern=False)
    if end < 0 or _may_end_in_a_bracket(script, at + 2, delimiter, middle):
        return -1
    flags = _FLAGS.match(script, end) if script[at] == "s" else None
    return _ended(script, flags.end() if flags else end)


def _may_end_in_a_bracket(script: str, at: int, delimiter: str, middle: int) -> bool:
    """Whether an editor for which a delimiter in a bracket ends the pattern finds more than an error behind it."""
    other = _delimited(script, at, delimiter, pattern=False)
    if other == middle:
        return False
    end = _delimited(script, other, delimiter, pattern=False)
    return end >= 0 and _AN_ERROR.match(script, end) is None


def _delimited(script: str, at: int, delimiter: str, *, pattern: bool = True) -> int:
    """Behind the next delimiter that stands in no bracket; -1 if there is none."""
    while 0 <= at < len(script):
        letter = script[at]
        if letter == "\\":
            at += 2
        elif letter == delimiter:
            return at + 1
        elif letter == "\n":
            return -1
        elif letter == "[" and pattern:
            at = _bracket(script, at + 1, delimiter)
        else:
            at += 1
    return -1


def _bracket(script: str, at: int, delimiter: str) -> int:
    """Behind the bracket that is open; -1 where editors disagree on where it ends."""
    opened = re.compile(r"\^?\]?").match(script, at)
    at = opened.end() if opened else at
    while at < len(script) and script[at] != "\n":
        if script[at] == "]":
            return at + 1
        named = re.compile(r"\[([:.=])[^\]]*\1\]").match(script, at)
        if named:
            at = named.end()
            continue
        if script[at] == "\\" and script[at + 1 : at + 2] == "]":
            return -1
        at += 2 if script[at] == "\\" and script[at + 1 : at + 2] == delimiter else 1
    return -1


def _ended(script: str, at: int) -> int:
    """A command must end here."""
    found = re.compile(r"[ \t]*(?:[;\n}#]|\Z)").match(script, at)
    if found is None:
        return -1
    return at if at == len(script) or script[at] in "}#" else max(found.end() - 1, at)
