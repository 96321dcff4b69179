"""A text that can't be parsed is searched line by line for a pattern's literal words, in order, at word boundaries.

Only deny and ask rules are tried so. What some shell takes out of a word (quotes, escapes) is taken out in a second
reading, line continuations in both.
"""

from __future__ import annotations

import re

from lineclear.core.rules.globs import STAR
from lineclear.core.rules.spelling import base_name

_CONTINUATION = re.compile(r"[\\`^]\r?\n")
_NOISE = str.maketrans("", "", "\"'\\`^")
_WORD = re.compile(r"[\w-]+")


def lines(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Each line as written, with its readings, case folded."""
    found: list[tuple[str, tuple[str, ...]]] = []
    for line in _CONTINUATION.sub("", text).splitlines():
        plain = line.casefold()
        bare = plain.translate(_NOISE)
        found.append((line.strip(), (plain,) if bare == plain else (plain, bare)))
    return found


def names(text: str) -> frozenset[str]:
    """Every run of letters in the text that could be a program's name, case folded."""
    return frozenset(word for _, readings in lines(text) for reading in readings for word in _WORD.findall(reading))


def line(words: tuple[str, ...], text: str) -> str | None:
    """The first line in which the literal pieces of the words come in order, None if there is none."""
    first = words[0] if STAR in words[0] else base_name(words[0])
    folded = (word.casefold() for word in (first, *words[1:]))
    pieces = [(word, piece) for word in folded for piece in word.split(STAR) if piece]
    if not pieces:
        return None
    for written, readings in lines(text):
        if any(_in_order(pieces, reading) for reading in readings):
            return written
    return None


def _in_order(pieces: list[tuple[str, str]], reading: str) -> bool:
    at = 0
    for word, piece in pieces:
        at = _after(word, piece, reading, at)
        if at < 0:
            return False
    return True


def _after(word: str, piece: str, reading: str, at: int) -> int:
    """The position behind the piece at the next place where it stands at a word's boundaries, -1 if nowhere."""
    starts = word.startswith(piece)
    ends = word.endswith(piece)
    while (found := reading.find(piece, at)) >= 0:
        end = found + len(piece)
        before_ok = not starts or found == 0 or not _joins(reading[found - 1], piece[0])
        after_ok = not ends or end == len(reading) or not _joins(reading[end], piece[-1])
        if before_ok and after_ok:
            return end
        at = found + 1
    return -1


def _joins(neighbour: str, edge: str) -> bool:
    """Whether a neighbouring character makes a longer word of a piece's edge."""
    return _WORD.fullmatch(neighbour) is not None and _WORD.fullmatch(edge) is not None
