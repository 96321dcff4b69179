"""Characters that a person can't see: what is approved must be what is read."""

from __future__ import annotations

import re
import unicodedata

_CONTROLS = {
    0x00: "null",
    0x07: "bell",
    0x08: "backspace",
    0x0B: "line tabulation",
    0x0C: "form feed",
    0x0D: "carriage return",
    0x1B: "escape",
    0x7F: "delete",
    0x85: "next line",
}
"""The names of controls that people know; Unicode gives them none."""

_CANDIDATE = re.compile(r"[^\t\n\x20-\x7e]")
_JOINER, _EMOJI_VARIATION, _TEXT_VARIATION = "\u200d", "\ufe0f", "\ufe0e"
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Letters and marks by category, of which nothing is drawn."""

_SIGNS = frozenset("\u2194\u2640\u2642\u2695\u27a1\u2b1b\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
_TAKES_VARIATION = frozenset("0123456789#*\u203c\u2049\u2139\u3030")
"""What isn't a picture by category and is drawn as one with a variation selector."""

_PICTURES = (0x1F000, 0x1FAFF)
_TO_BE_ASSIGNED = (_PICTURES, (0x20000, 0x2FFFD), (0x30000, 0x3FFFD))
"""Blocks that are set aside for pictures and for ideographs, of which later versions of Unicode assign more."""


def hidden(text: str) -> str | None:
    """The first hidden character of a text by number and name (``U+200B zero width space``), None if all is visible.

    Not hidden: tab, line feed, a carriage return that ends a line, and joiners and variation selectors in an emoji.
    """
    if text.isascii() and text.isprintable():
        return None
    for match in _CANDIDATE.finditer(text):
        if is_hidden(text, match.start()):
            return _name(match[0])
    return None


def visible(text: str) -> str:
    """The text without what a person can't see."""
    if text.isascii() and text.isprintable():
        return text
    return _CANDIDATE.sub(lambda match: "" if is_hidden(text, match.start()) else match[0], text)


def is_hidden(text: str, at: int) -> bool:
    """Whether the character of a text at a place, which isn't plain ASCII, is one that a person can't see there."""
    letter = text[at]
    if letter == "\r":
        return text[at + 1 : at + 2] != "\n"
    if letter == _JOINER:
        return not (_ends_emoji(text[max(0, at - 2) : at]) and _is_emoji(text[at + 1 : at + 2]))
    if letter in {_EMOJI_VARIATION, _TEXT_VARIATION}:
        before = text[max(0, at - 1) : at]
        return not (_is_emoji(before) or (before != "" and before in _TAKES_VARIATION))
    if letter in _BLANK or "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef":
        return True
    category = unicodedata.category(letter)
    if category == "Cn":
        return not any(first <= ord(letter) <= last for first, last in _TO_BE_ASSIGNED)
    return category in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


def _ends_emoji(text: str) -> bool:
    return _is_emoji(text[-1:]) or (text[-1:] == _EMOJI_VARIATION and _is_emoji(text[:-1]))


def _is_emoji(letter: str) -> bool:
    """Whether a character can be part of a picture: a symbol, or a skin tone."""
    return letter != "" and (
        unicodedata.category(letter) == "So" or _PICTURES[0] <= ord(letter) <= _PICTURES[1] or letter in _SIGNS
    )


def _name(letter: str) -> str:
    point = ord(letter)
    control = _CONTROLS.get(point, "control character") if unicodedata.category(letter) == "Cc" else None
    return f"U+{point:04X} {control or unicodedata.name(letter, 'character without a name').lower()}"
