"""A condition as tokens: just enough of CEL's lexis to see names, calls and literals where they stand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum


class Lexeme(Enum):
    """What a token is."""

    NAME = "name"
    TEXT = "text"
    NUMBER = "number"
    MARK = "mark"


@dataclass(frozen=True, slots=True)
class Token:
    """One token; ``at`` is its first character's position in the text, from 0."""

    lexeme: Lexeme
    text: str
    at: int


_TOKEN = re.compile(
    r"""
    (?P<blank>\s+|//[^\n]*)
    | (?P<text>
        [bB]?[rR][bB]?(?:\"{3}.*?\"{3}|'{3}.*?'{3}|"[^"\n]*"|'[^'\n]*')
        | [bB]?(?:\"{3}(?:\\.|[^\\])*?\"{3}|'{3}(?:\\.|[^\\])*?'{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
      )
    | (?P<name>[A-Za-z_]\w*)
    | (?P<number>\d\w*(?:\.\d\w*)?|\.\d\w*)
    | (?P<mark>&&|\|\||[=!<>]=|.)
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)


def tokens(text: str) -> tuple[Token, ...]:
    """The tokens of a text; what is no CEL comes out as marks, for the library to refuse."""
    return tuple(
        Token(Lexeme(found.lastgroup), found[0], found.start())
        for found in _TOKEN.finditer(text)
        if found.lastgroup != "blank"
    )
