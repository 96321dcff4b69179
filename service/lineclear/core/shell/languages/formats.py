"""Formats of ``printf``: they print texts and numbers. Some shells evaluate what a number's place is given."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.core.shell.words import Word

_CONVERSION = re.compile(
    r"%(?:(%)|[-+# 0]*[0-9]*(?:\.[0-9]*)?(?:([sbcq])|([diouxXeEfFgGaA])|\([^()]*\)(T))|.|\Z)", re.DOTALL
)
_NUMBER = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?)|['\"].")
"""What is a number to every ``printf``; behind a quote, the number of a letter."""


def format_fits(text: str, words: Sequence[Word], *, evaluates: bool) -> bool:
    """Whether a format only prints what it is given: where a number belongs, there is one.

    ``evaluates`` says that the shell may take a word in such a place for a sum: then it must be literal. In another,
    what can't be known is at worst no number.
    """
    places = _places(text)
    if None in places:
        return False
    if not any(places):
        return True
    if evaluates and not all(word.literal for word in words):
        return False
    return all(
        not word.literal or not places[at % len(places)] or _NUMBER.fullmatch(word.shape) is not None
        for at, word in enumerate(words)
    )


def _places(text: str) -> list[bool | None]:
    """For each word that a format takes, whether it has to be a number; None for what isn't understood."""
    found = [match for match in _CONVERSION.finditer(text) if match[1] is None]
    return [False if match[2] else True if match[3] or match[4] else None for match in found]
