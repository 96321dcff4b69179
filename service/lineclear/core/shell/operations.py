"""What an operation makes of a variable's value (``${x%.c}``, ``${x:-a}``), as far as it is simple to tell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_STARS = 3
"""How many stars a pattern may have: each is tried at every place of the value."""

_SUBSTRING = re.compile(r":([0-9]+)(?::([0-9]+))?")
_REPLACED = re.compile(r"(//?)([#%]?)((?:[^/\\]|\\.)+)(?:/(.*))?", re.DOTALL)
_CASES: dict[str, Callable[[str], str]] = {
    "^^": str.upper,
    ",,": str.lower,
    "^": lambda value: value[:1].upper() + value[1:],
    ",": lambda value: value[:1].lower() + value[1:],
}


def operated(value: str | None, operation: str) -> str | None:
    """The result; ``value`` is None where the variable may be unset. None where the result can't be told."""
    plain = operation.removeprefix(":")
    sign, operand = plain[:1], plain[1:].strip("\"'")
    if sign in {"-", "="}:
        return operand if value is None else value
    if sign == "+":
        return operand
    if value is None:
        return None
    if sign == "?":
        return value
    if (part := _SUBSTRING.fullmatch(operation)) is not None:
        start = int(part[1])
        return value[start:] if part[2] is None else value[start : start + int(part[2])]
    if operation in _CASES:
        return _CASES[operation](value)
    if sign in {"%", "#"}:
        return _stripped(value, operation)
    if (replaced := _REPLACED.fullmatch(operation)) is not None:
        every, anchor, pattern, text = replaced.groups()
        found = _compiled(pattern, greedy=True)
        if found is None:
            return None
        anchored = {"#": rf"\A(?:{found})", "%": rf"(?:{found})\Z"}.get(anchor, found)
        return re.sub(anchored, lambda _: text or "", value, count=0 if every == "//" else 1, flags=re.DOTALL)
    return None


def _stripped(value: str, operation: str) -> str | None:
    """The value without what fits a pattern at one of its ends: the least, or the most where the sign is doubled."""
    sign, longest = operation[0], operation[1:2] == operation[0]
    found = _compiled(operation[2 if longest else 1 :].strip("\"'"), greedy=longest)
    if found is None:
        return None
    if sign == "#":
        return re.sub(rf"\A(?:{found})", "", value, count=1, flags=re.DOTALL)
    ends = range(len(value) + 1) if longest else range(len(value), -1, -1)
    whole = re.compile(rf"(?:{found})\Z", re.DOTALL)
    return next((value[:at] for at in ends if whole.match(value, at)), value)


def _compiled(pattern: str, *, greedy: bool) -> str | None:
    """A regular expression for a pattern of the shell; None for one that is too much to try, or holds a class."""
    if pattern.count("*") > _MOST_STARS or "[" in pattern or "(" in pattern:
        return None
    marks = {"*": ".*" if greedy else ".*?", "?": "."}
    return "".join(marks.get(letter) or re.escape(letter) for letter in pattern.replace("\\", ""))
