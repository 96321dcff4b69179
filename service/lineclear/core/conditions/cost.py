"""How long a condition could take over some values, told before it is evaluated.

The library walks lists and copies what it builds without any limit. The figures are what it took on one core, in units
of about a tenth of a microsecond; what could take more than a tenth of a second is not evaluated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lineclear.core.conditions.reading import Loop, Reading

MAX_ELEMENTS = 1000
"""Longest array that a condition sees (point 21 of the policy format); of an object, most keys."""

MAX_COST = 1_200_000
"""Most units that an evaluation may be expected to take."""

_MAX_DEPTH = 100
_CHARS_A_UNIT = 100
_COMPARED_A_UNIT = 8


@dataclass(frozen=True, slots=True)
class Size:
    """How large some values are: values and characters in all, the longest list, the largest element of a list."""

    values: int = 1
    chars: int = 0
    longest: int = 0
    element: int = 1


class TooLarge(Exception):
    """A value that conditions aren't evaluated on."""


def size_of(value: object) -> Size:
    """The size of a value. Raises ``TooLarge`` for arrays of more than ``MAX_ELEMENTS``, and for what is too deep."""
    return Size(*_measured(value, 0))


def fits(reading: Reading, size: Size) -> bool:
    """Whether the evaluation is expected to stay within ``MAX_COST``."""
    joined = 1 + reading.joins
    whole = len(reading.tokens) * (1 + size.chars // _CHARS_A_UNIT) + size.values * joined * joined
    return whole + sum(_loop(loop, size, size.longest * joined) for loop in reading.loops) <= MAX_COST


def _loop(loop: Loop, size: Size, turns: int) -> int:
    turn = loop.tokens + loop.searches * size.longest // _COMPARED_A_UNIT + loop.texts * size.chars // _CHARS_A_UNIT
    copied = turns * turns * (size.values if loop.foreign else size.element) if loop.builds else 0
    return turns * turn + copied


def _measured(value: object, depth: int) -> tuple[int, int, int, int]:
    """The fields of a ``Size``: making one for each text would take longer than most conditions do."""
    chars, elements = 0, value
    if isinstance(value, str | bytes):
        return 1, len(value), 0, 1
    if isinstance(value, Mapping):
        chars, elements = sum(map(len, value)), value.values()
    elif not isinstance(value, list | tuple):
        return 1, 0, 0, 1
    longest = len(value)
    if longest > MAX_ELEMENTS or depth > _MAX_DEPTH:
        raise TooLarge
    values, largest = 1, 1
    for element in cast("Iterable[object]", elements):
        if isinstance(element, str):
            values += 1
            chars += len(element)
            continue
        within, written, long, large = _measured(element, depth + 1)
        values += within
        chars += written
        longest = max(longest, long)
        largest = max(largest, within, large)
    return values, chars, longest, largest
