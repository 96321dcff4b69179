"""One step of a path against one step of a pattern, and a shell's glob against both."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import re2

_MAX_CELLS = 65_536
"""Above this product of lengths two globs are taken to meet, so that nobody can make the comparison slow."""


@dataclass(frozen=True, slots=True)
class Wild:
    """A pattern's step with ``*`` or ``?``: ``head`` and ``tail`` are its literal ends."""

    text: str
    head: str = field(init=False)
    tail: str = field(init=False)
    _middle: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        literal = re.split(r"[*?]", self.text)
        object.__setattr__(self, "head", literal[0])
        object.__setattr__(self, "tail", literal[-1])
        plain = self.text.count("*") == 1 and "?" not in self.text
        object.__setattr__(self, "_middle", None if plain else re2.compile(_regex(self.text)))

    def fits(self, name: str) -> bool:
        """Whether a name is one that it stands for."""
        if len(name) < len(self.head) + len(self.tail):
            return False
        if not (name.startswith(self.head) and name.endswith(self.tail)):
            return False
        return self._middle is None or self._middle.fullmatch(name) is not None

    def contains(self, glob: Glob) -> bool:
        """Whether it stands for every name to which a shell's glob can expand, as far as that is plain to see."""
        text = glob.text
        literal = len(text) - text.count("*")
        return (
            self._middle is None
            and not glob.odd
            and text.startswith(self.head)
            and text.endswith(self.tail)
            and literal >= len(self.head) + len(self.tail)
        )


@dataclass(frozen=True, slots=True)
class Glob:
    """A step of a path that a shell expands to names, reduced to ``*`` and ``?``.

    ``dotted`` says that it can expand to a name with a leading dot, ``odd`` that it holds more than was understood,
    ``deep`` that it stands for any number of folders (``**`` as some shells take it).
    """

    text: str
    dotted: bool
    odd: bool = False
    deep: bool = False

    @property
    def blank(self) -> bool:
        """Whether it names nothing: no letter, no digit, no leading dot."""
        return not self.dotted and not any(letter.isalnum() for letter in self.text)

    def meets(self, step: str) -> bool:
        """Whether it can expand to a name that a pattern's step stands for."""
        if step[:1] == "." and not self.dotted:
            return False
        return overlap(self.text, step)


_BRACKET = re.compile(r"\[[^\]]+\]")
_SPECIAL = frozenset("*?[")
_BEYOND = frozenset("()<>^#|")


def glob_of(step: str) -> Glob | None:
    """The glob that a step of a shell word is, None if it is a plain name."""
    if _SPECIAL.isdisjoint(step) and _BEYOND.isdisjoint(step):
        return None
    if not _BEYOND.isdisjoint(step):
        return Glob("*", dotted=True, odd=True)
    first = _BRACKET.match(step)
    dotted = step[:1] == "." or (first is not None and ("." in first[0] or first[0][1] in "!^"))
    text = re.sub(r"\*+", "*", _BRACKET.sub("?", step))
    return Glob(text, dotted, odd="[" in text, deep=step == "**")


def overlap(one: str, other: str) -> bool:
    """Whether a name exists that two globs of ``*`` and ``?`` both stand for."""
    if (len(one) + 1) * (len(other) + 1) > _MAX_CELLS:
        return True
    below = [letter == "*" for letter in other] + [True]
    for at in range(len(other) - 2, -1, -1):
        below[at] = below[at] and below[at + 1]
    for letter in reversed(one):
        row = [letter == "*" and below[-1]]
        for at in range(len(other) - 1, -1, -1):
            against = other[at]
            if letter == "*":
                meets = below[at] or row[-1]
            elif against == "*":
                meets = row[-1] or below[at]
            else:
                meets = below[at + 1] and (letter == against or "?" in {letter, against})
            row.append(meets)
        below = row[::-1]
    return below[0]


def _regex(text: str) -> str:
    parts = (".*" if letter == "*" else "." if letter == "?" else re2.escape(letter) for letter in text)
    return "(?s)" + "".join(parts)
