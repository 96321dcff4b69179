"""One step of a path against one step of a pattern, and a shell's glob against both."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import re2

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    ``deep`` that it stands for any number of folders (``**`` as some shells take it), ``short`` that it was made of
    one of Windows' short names, which stands for one name only.
    """

    text: str
    dotted: bool
    odd: bool = False
    deep: bool = False
    short: bool = False

    def meets(self, step: str) -> bool:
        """Whether it can expand to a name that a pattern's step stands for."""
        if step[:1] == "." and not self.dotted:
            return False
        if self.odd:
            return True
        if _differ(self.text[:1], step[:1]) or _differ(self.text[-1:], step[-1:]):
            return False
        return overlap(self.text, step, _weights(step, "")) is not None

    def names(self, step: str, *, extensions: bool) -> bool:
        """Whether it doesn't merely come across such a name, but holds a letter of it, or both begin with a dot.

        ``*`` names nothing, ``a*`` doesn't name ``*.pem``; without ``extensions``, ``*.json`` doesn't name ``a.json``.
        """
        if not self.meets(step):
            return False
        if self.odd:
            return True
        if all(letter in "*?." for letter in self.text):
            return self.text[:1] == step[:1] == "."
        stem, _, _ = step.rpartition(".")
        counted = stem if not extensions and any(letter.isalnum() for letter in stem) else step
        return bool(overlap(self.text, step, _weights(step, counted)))


_BRACKET = re.compile(r"\[[^\]]+\]")
_GROUP = re.compile(r"\([^()]*\)")
_BEYOND = re.compile(r"[?*+@!]\(|[|<>]|\A\(+\.")
"""Groups of alternatives, numbers in a range: what they expand to isn't worked out."""


def glob_of(step: str) -> Glob | None:
    """The glob that a step of a shell word is, None if it is a plain name."""
    if not any(letter in step for letter in "*?[(<"):
        return None
    if _BEYOND.search(step):
        return Glob("*", dotted=True, odd=True)
    first = _BRACKET.match(step)
    dotted = step[:1] == "." or (first is not None and ("." in first[0] or first[0][1] in "!^"))
    text = re.sub(r"\*+", "*", _BRACKET.sub("?", _GROUP.sub("*", step)))
    return Glob(text, dotted, odd="[" in text, deep=step == "**")


def overlap(one: str, other: str, weights: Sequence[int]) -> int | None:
    """The most that two globs of ``*`` and ``?`` can agree upon in a name that both stand for, None if there is none.

    ``weights`` says for each character of the other what it is worth that both spell it out.
    """
    if (len(one) + 1) * (len(other) + 1) > _MAX_CELLS:
        return 1
    below: list[int | None] = [None] * len(other) + [0]
    for at in range(len(other) - 1, -1, -1):
        below[at] = below[at + 1] if other[at] == "*" else None
    for letter in reversed(one):
        row: list[int | None] = [below[-1] if letter == "*" else None]
        for at in range(len(other) - 1, -1, -1):
            if letter == "*" or other[at] == "*":
                row.append(_more(below[at] if letter == "*" else row[-1], row[-1] if letter == "*" else below[at]))
            elif letter == other[at] and letter != "?":
                rest = below[at + 1]
                row.append(None if rest is None else rest + weights[at])
            else:
                row.append(below[at + 1] if "?" in {letter, other[at]} else None)
        below = row[::-1]
    return below[0]


def _differ(one: str, other: str) -> bool:
    """Whether two characters at the same end of two globs rule out that they meet."""
    return one != other and one not in "*?" and other not in "*?"


def _more(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return other if one is None else one
    return max(one, other)


def _weights(step: str, counted: str) -> list[int]:
    """One for each character that is counted and no dot, nought for the others."""
    return [int(at < len(counted) and letter != ".") for at, letter in enumerate(step)]


def _regex(text: str) -> str:
    parts = (".*" if letter == "*" else "." if letter == "?" else re2.escape(letter) for letter in text)
    return "(?s)" + "".join(parts)
