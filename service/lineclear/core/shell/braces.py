"""Brace lists, ``{a,b}`` and ``{1..3}``, on a word whose quoted characters are marked.

A word is two strings of one length: its characters, and a mask with ``u`` where one is unquoted, ``q`` where it is
quoted, ``p`` where it is of a pattern that the value of a variable fits.
"""

from __future__ import annotations

import re
from itertools import pairwise

MOST = 64
"""How many words a list may become, and how many braces a word may open; with more it isn't expanded."""

Marked = tuple[str, str]

_SEQUENCE = re.compile(r"(-?[0-9]{1,4})\.\.(-?[0-9]{1,4})(?:\.\.(-?[0-9]{1,4}))?|([A-Za-z])\.\.([A-Za-z])")


class TooManyWords(Exception):
    """A brace list that would become more words than are looked at."""


def expand_braces(value: str, mask: str) -> list[Marked]:
    """The words that a word becomes, in order; itself alone where it holds no list. Raises ``TooManyWords``."""
    if sum(letter == "{" and mark == "u" for letter, mark in zip(value, mask, strict=True)) > MOST:
        raise TooManyWords
    if value.count("{") > MOST:
        raise TooManyWords
    results: list[Marked] = []
    pending: list[Marked] = [(value, mask)]
    while pending:
        value, mask = pending.pop()
        split = _first_list(value, mask)
        if split is None:
            results.append((value, mask))
        else:
            head, items, tail = split
            pending.extend((head[0] + text + tail[0], head[1] + marks + tail[1]) for text, marks in reversed(items))
        if len(results) + len(pending) > MOST:
            raise TooManyWords
    return results


def _first_list(value: str, mask: str) -> tuple[Marked, list[Marked], Marked] | None:
    opened = -1
    while True:
        opened = value.find("{", opened + 1)
        if opened < 0:
            return None
        if mask[opened] != "u":
            continue
        closed, commas = _span(value, mask, opened)
        if closed < 0:
            continue
        cuts = [opened, *commas, closed]
        items = [(value[a + 1 : b], mask[a + 1 : b]) for a, b in pairwise(cuts)]
        if not commas:
            sequence = _sequence(*items[0])
            if sequence is None:
                continue
            items = sequence
        return (value[:opened], mask[:opened]), items, (value[closed + 1 :], mask[closed + 1 :])


def _span(value: str, mask: str, opened: int) -> tuple[int, list[int]]:
    """Where a brace is closed, and the commas between; -1 if it isn't."""
    depth = 0
    commas: list[int] = []
    for at in range(opened, len(value)):
        if mask[at] != "u":
            continue
        letter = value[at]
        if letter == "{":
            depth += 1
        elif letter == "}":
            depth -= 1
            if depth == 0:
                return at, commas
        elif letter == "," and depth == 1:
            commas.append(at)
    return -1, commas


def _sequence(value: str, mask: str) -> list[Marked] | None:
    found = _SEQUENCE.fullmatch(value)
    if found is None or mask.strip("u"):
        return None
    first, last, step, letter, other = found.groups()
    if letter is not None:
        start, stop = ord(letter), ord(other)
    else:
        start, stop = int(first), int(last)
    stride = max(abs(int(step)), 1) if step else 1
    count = abs(stop - start) // stride + 1
    if count > MOST:
        raise TooManyWords
    way = stride if stop >= start else -stride
    numbers = range(start, start + way * count, way)
    width = 0
    if letter is None and any(re.match(r"-?0[0-9]", end) for end in (first, last)):
        width = max(len(first), len(last))
    texts = [chr(number) if letter else str(number).zfill(width) for number in numbers]
    return [(text, "u" * len(text)) for text in texts]
