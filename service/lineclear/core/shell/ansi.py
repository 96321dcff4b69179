"""ANSI-C quoting, ``$'…'``: the value of its escapes, or nothing where the shells differ."""

from __future__ import annotations

import re

_LETTERS = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "?": "?",
}
_ESCAPE = re.compile(
    r"\\(?:([abeEfnrtv\\'\"?])|([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|(.?))",
    re.DOTALL,
)


def end_of_ansi(text: str, start: int) -> int:
    """Where the quote that ends the string begins, ``start`` being behind the one that opens it; -1 if nowhere."""
    at = start
    while at < len(text):
        if text[at] == "\\":
            at += 2
        elif text[at] == "'":
            return at
        else:
            at += 1
    return -1


def ansi_value(body: str) -> str | None:
    """What stands between the quotes, with escapes resolved; None for an escape that isn't known or isn't text."""
    unknown = False

    def value(match: re.Match[str]) -> str:
        nonlocal unknown
        letter, octal, short, four, eight, _other = match.groups()
        if letter is not None:
            return _LETTERS[letter]
        code = -1
        if octal is not None:
            code = int(octal, 8)
        elif digits := short or four or eight:
            code = int(digits, 16)
        byte = octal is not None or short is not None
        if code <= 0 or (byte and code > 0x7F) or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:  # noqa: PLR2004
            unknown = True
            return ""
        return chr(code)

    text = _ESCAPE.sub(value, body)
    return None if unknown else text
