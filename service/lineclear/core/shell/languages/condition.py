"""Conditions, ``[ … ]`` and ``[[ … ]]``: tests of files and texts. What evaluates a name or a sum isn't let pass."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lineclear.core.shell.words import HOLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.core.shell.words import Word

_FILE = frozenset(
    ["-b", "-c", "-d", "-e", "-f", "-g", "-h", "-k", "-p", "-r", "-s", "-u", "-w", "-x", "-L", "-N", "-O", "-S", "-G"]
)
_TEXT = frozenset(["-n", "-z"])
_COMPARE = frozenset(["=", "==", "!=", "<", ">", "=~"])
_FILES = frozenset(["-nt", "-ot", "-ef"])
_SUMS = frozenset(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"])
_INTEGER = re.compile(r"-?[0-9]+")


class _Refused(Exception):
    pass


def read_condition(words: Sequence[Word], *, doubled: bool, evaluates: bool = True) -> list[Word] | None:
    """The paths that a condition looks at; None where it isn't one that only looks.

    ``doubled`` says that its operators are the shell's grammar, so that no value can turn into one; ``evaluates``, that
    what is compared as a number may be taken for a sum.
    """
    if any(HOLE in word.shape and not word.quoted for word in words):
        return None
    compound = any(word.shape in {"-a", "-o", "(", ")"} for word in words)
    if not doubled and (
        any((word.glob and not word.quoted) or word.several for word in words if not _counted(word, words))
        or (compound and any(_unknown(word) for word in words))
    ):
        return None
    reader = _Reader(words, doubled=doubled, evaluates=doubled or evaluates)
    try:
        if words:
            reader.either()
        return reader.paths if reader.at == len(words) else None
    except _Refused:
        return None


def _counted(word: Word, words: Sequence[Word]) -> bool:
    """Whether a word is one number or nothing, where nothing is an error."""
    three = [other.shape for other in words if other.shape != "!"]
    return len(three) == 3 and three[1] in _SUMS and word.several and _INTEGER.fullmatch(word.shape) is not None  # noqa: PLR2004 - two numbers


def _unknown(word: Word) -> bool:
    """Whether a word may be any text."""
    return HOLE in word.shape or word.torn


class _Reader:
    def __init__(self, words: Sequence[Word], *, doubled: bool, evaluates: bool) -> None:
        self.words = words
        self.evaluates = evaluates
        self.at = 0
        self.joins = {"&&", "||"} if doubled else {"-a", "-o"}
        self.paths: list[Word] = []
        self.depth = 0

    def peek(self, ahead: int = 0) -> str | None:
        at = self.at + ahead
        return self.words[at].shape if at < len(self.words) else None

    def take(self) -> Word:
        if self.at >= len(self.words):
            raise _Refused
        self.at += 1
        return self.words[self.at - 1]

    def either(self) -> None:
        self.term()
        while self.peek() in self.joins:
            self.take()
            self.term()

    def term(self) -> None:
        while self.peek() == "!" and self.peek(1) not in _COMPARE | {None}:
            self.take()
        if self.peek(1) in _COMPARE | _FILES | _SUMS and self.peek(2) is not None:
            self.binary()
        elif self.peek() == "(":
            self.take()
            self.depth += 1
            if self.depth > 20:  # noqa: PLR2004 - nobody writes more
                raise _Refused
            self.either()
            if self.take().shape != ")":
                raise _Refused
        elif self.peek() in _FILE | _TEXT | {"-t"} and self.peek(1) is not None:
            test = self.take().shape
            word = self.take()
            if test == "-t" and not _INTEGER.fullmatch(word.shape):
                raise _Refused
            if test in _FILE:
                self.paths.append(word)
        else:
            word = self.take()
            if word.shape.startswith("-") or (_unknown(word) and len(self.words) > 1):
                raise _Refused

    def binary(self) -> None:
        left, operator, right = self.take(), self.take().shape, self.take()
        if operator in _SUMS and not (self.number(left) and self.number(right)):
            raise _Refused
        if operator in _FILES:
            self.paths += [left, right]

    def number(self, word: Word) -> bool:
        """Whether a word is a number; where nothing is evaluated, what can't be known is at worst none."""
        return _INTEGER.fullmatch(word.shape) is not None or (HOLE in word.shape and not self.evaluates)
