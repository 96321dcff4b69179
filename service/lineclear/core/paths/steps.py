"""One step of a path against one step of a pattern, and a shell's glob against both."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import re2

from lineclear.core.paths.agreement import agreement


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
    head: str = field(init=False, repr=False, compare=False)
    tail: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        head, tail = _ends(self.text)
        object.__setattr__(self, "head", head)
        object.__setattr__(self, "tail", tail)

    def meets(self, step: str) -> bool:
        """Whether it can expand to a name that a pattern's step stands for."""
        if not self._may_meet(step):
            return False
        return self.odd or agreement(self.text, step, 0) is not None

    def names(self, step: str, *, extensions: bool) -> bool:
        """Whether it doesn't merely come across such a name, but holds a letter of it, or both begin with a dot.

        ``*`` names nothing, ``a*`` doesn't name ``*.pem``; without ``extensions``, ``*.json`` doesn't name ``a.json``.
        """
        if not self._may_meet(step):
            return False
        if self.odd:
            return True
        if all(letter in "*?." for letter in self.text):
            return self.text[:1] == step[:1] == "." and self.meets(step)
        stem, _, _ = step.rpartition(".")
        counted = stem if not extensions and any(letter.isalnum() for letter in stem) else step
        return agreement(self.text, step, len(counted)) is True

    def _may_meet(self, step: str) -> bool:
        """Whether their ends don't rule it out: a glob is tried on many steps, few of which it can meet."""
        if step[:1] == "." and not self.dotted:
            return False
        if self.odd:
            return True
        if "*" in step or "?" in step:
            head, tail = _pattern_ends(step)
            return _agree(self.head, head) and _agree(self.tail[::-1], tail[::-1])
        long_enough = len(step) >= len(self.head) + len(self.tail)
        return long_enough and step.startswith(self.head) and step.endswith(self.tail)


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


def _ends(text: str) -> tuple[str, str]:
    """What stands before the first ``*`` or ``?``, and behind the last; nothing behind where there is none."""
    head, *others = re.split(r"[*?]", text)
    return head, others[-1] if others else ""


_pattern_ends = lru_cache(maxsize=4096)(_ends)
"""The same, kept: for the steps of patterns, which a policy has so many of and no call adds to."""


def _agree(one: str, other: str) -> bool:
    """Whether one of two beginnings is that of the other."""
    return one.startswith(other) or other.startswith(one)


def _regex(text: str) -> str:
    parts = (".*" if letter == "*" else "." if letter == "?" else re2.escape(letter) for letter in text)
    return "(?s)" + "".join(parts)
