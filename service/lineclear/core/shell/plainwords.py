"""A text of nothing but plain words is one command, and needs no grammar: every shell reads it the same.

Plain are letters, digits and signs that mean nothing to any shell, and whole quoted words in which nothing is expanded.
Whatever isn't plain goes to the grammar; a property test holds both ways of reading to the same words.
"""

from __future__ import annotations

import re

from lineclear.core.shell.grammar import RESERVED, TOKENS
from lineclear.core.shell.words import Word

MAX_PLAIN = 500
"""How many characters such a text may have: of a longer one, the grammar is the smaller part of the work."""

_BARE = r"[A-Za-z0-9_./:,+@%-][A-Za-z0-9_./:,+@%=-]*"
_QUOTED = r"'[^'~={\x00-\x1f\x7f][^'\x00-\x1f\x7f]*'|\"[^\"~={$`\\!\x00-\x1f\x7f][^\"$`\\!\x00-\x1f\x7f]*\""
_PLAIN = re.compile(rf"(?P<program>[A-Za-z_./][A-Za-z0-9_./+-]*)(?: (?:{_BARE}|{_QUOTED}))*", re.ASCII)
_WORD = re.compile(rf"{_BARE}|{_QUOTED}", re.ASCII)
_KEPT = RESERVED | TOKENS
"""What a text that is left to the grammar may begin with."""


def plain_words(text: str) -> list[Word] | None:
    """The words of such a text, None of any other."""
    if len(text) > MAX_PLAIN:
        return None
    found = _PLAIN.fullmatch(text)
    if found is None or found["program"] in _KEPT:
        return None
    if "'" not in text and '"' not in text:
        return [Word(word, word) for word in text.split(" ")]
    return [Word(word[1:-1] if word[0] in "'\"" else word, word) for word in _WORD.findall(text)]
