"""JSON pointers into a tool's input (RFC 6901), with ``*`` for every element of an array or value of an object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lineclear.core.call import JSON


def values_at(document: JSON, pointer: str) -> list[JSON]:
    """Every value that a pointer of a catalogue or a rule leads to; none where it leads nowhere."""
    found: list[JSON] = [document]
    for step in known_steps(pointer):
        found = [child for value in found for child in _children(value, step)]
    return found


def steps(pointer: str) -> tuple[str, ...]:
    """The unescaped steps of a pointer: ``/a~1b/*`` is ``("a/b", "*")``."""
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])


known_steps = lru_cache(maxsize=1024)(steps)
"""The same, kept: for the pointers of catalogues and rules, which are few and come with every call."""


def strings_in(document: JSON) -> Iterator[tuple[str, str]]:
    """Every string of a document with the name of the key it stands under; ``""`` at the top."""
    stack: list[tuple[str, JSON]] = [("", document)]
    while stack:
        name, value = stack.pop()
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, Mapping):
            stack.extend(reversed(tuple(value.items())))
        elif isinstance(value, list | tuple):
            stack.extend((name, child) for child in reversed(value))


def _children(value: JSON, step: str) -> list[JSON]:
    if isinstance(value, Mapping):
        if step == "*":
            return list(value.values())
        return [value[step]] if step in value else []
    if isinstance(value, list | tuple):
        if step == "*":
            return list(value)
        return [value[int(step)]] if step.isascii() and step.isdigit() and int(step) < len(value) else []
    return []
