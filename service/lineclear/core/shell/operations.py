"""What an operation makes of a variable's value (``${x%.c}``, ``${x:-a}``), as far as it is simple to tell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import re2

if TYPE_CHECKING:
    from collections.abc import Callable

_SURROGATE = re.compile(r"[\ud800-\udfff]")
"""What is no character, and what no regular expression takes."""

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
    if value is None or _SURROGATE.search(value + operation):
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
        return _replaced(value, *replaced.groups())
    return None


def _replaced(value: str, every: str, anchor: str, pattern: str, text: str | None) -> str | None:
    found = _expression(pattern)
    if found is None:
        return None
    before, behind = (r"\A" if anchor == "#" else "", r"\z" if anchor == "%" else "")
    return str(re2.sub(f"(?s){before}(?:{found}){behind}", lambda _: text or "", value, 0 if every == "//" else 1))


def _stripped(value: str, operation: str) -> str | None:
    """The value without what fits a pattern at one of its ends: the least, or the most where the sign is doubled."""
    sign, longest = operation[0], operation[1:2] == operation[0]
    found = _expression(operation[2 if longest else 1 :].strip("\"'"))
    if found is None:
        return None
    if sign == "#":
        match = re2.match(f"(?s{'' if longest else 'U'})({found})", value)
        return value if match is None else value[match.end() :]
    match = re2.match(f"(?s)({'.*?' if longest else '.*'}){found}\\z", value)
    return value if match is None else str(match[1])


def _expression(pattern: str) -> str | None:
    """A regular expression for a pattern of the shell; None for one that holds a class or a list."""
    if "[" in pattern or "(" in pattern:
        return None
    marks = {"*": ".*", "?": "."}
    return "".join(marks.get(letter) or re.escape(letter) for letter in pattern.replace("\\", ""))
