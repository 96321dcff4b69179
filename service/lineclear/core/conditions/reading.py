"""A condition read before it is compiled: what it names, what it walks, and which of it can't be taken.

The library bounds nothing, so that what would take long is found here: no loop stands in another one, and every regular
expression is a literal.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from lineclear.core.conditions.names import BUILDING, FIELDS, FUNCTIONS, MACROS, MATCHES, METHODS, TYPES, WORDS
from lineclear.core.conditions.tokens import Lexeme, Token, tokens
from lineclear.core.rules.faults import RuleFault

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MAX_CHARS = 2000
"""Longest condition (point 21 of the policy format)."""

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_NOWHERE = Token(Lexeme.MARK, "", -1)


@dataclass(slots=True)
class Loop:
    """A macro's walk over a list: how much stands in its brackets, to bound the time that it takes.

    ``builds`` says that it makes a list, ``foreign`` that its body names more than the element; ``searches`` counts
    the tests for membership and ``texts`` the functions of texts in it.
    """

    name: str
    builds: bool
    tokens: int = 0
    searches: int = 0
    texts: int = 0
    foreign: bool = False


@dataclass(slots=True)
class _Frame:
    """An open bracket; ``bound`` is the element's name where it is a macro's."""

    mark: str
    loop: Loop | None = None
    bound: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read.

    ``fields`` are the names that are used, each with its fields, None where it is used whole; ``data`` the names of
    data that are read by name; ``members`` all that stands behind a dot, and all texts. ``patterns`` are the
    tokens of regular expressions, each with that of the ``matches`` before it.
    """

    tokens: tuple[Token, ...]
    fields: Mapping[str, frozenset[str] | None]
    data: frozenset[str]
    members: frozenset[str]
    loops: tuple[Loop, ...]
    patterns: tuple[tuple[Token, Token], ...]
    joins: int


def read(text: str) -> Reading:
    """Read a condition. Raises ``RuleFault``."""
    if len(text) > MAX_CHARS:
        raise RuleFault(f"the condition has {len(text)} characters, more than {MAX_CHARS}; split the rule")
    return _Reader(text).reading()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokens(text)
        self._frames: list[_Frame] = []
        self._loops: list[Loop] = []
        self._patterns: list[tuple[Token, Token]] = []
        self._fields: dict[str, set[str] | None] = defaultdict(set)
        self._data: set[str] = set()

    def reading(self) -> Reading:
        for at, token in enumerate(self._tokens):
            self._note(at, token)
        names = {token.text for at, token in enumerate(self._tokens) if self._is_member(at)}
        names |= {token.text.strip("\"'") for token in self._tokens if token.lexeme is Lexeme.TEXT}
        return Reading(
            self._tokens,
            {name: None if fields is None else frozenset(fields) for name, fields in self._fields.items()},
            frozenset(self._data),
            frozenset(names),
            tuple(self._loops),
            tuple(self._patterns),
            sum(token.text == "+" for token in self._tokens),
        )

    def _note(self, at: int, token: Token) -> None:
        for frame in self._frames:
            if frame.loop is not None:
                frame.loop.tokens += 1
                frame.loop.searches += token.text == "in"
                frame.loop.texts += self._is_member(at) and token.text in METHODS
        if token.lexeme is Lexeme.NAME:
            self._name(at, token)
        elif token.text in _CLOSING:
            self._open(at, token)
        elif self._frames and token.text == _CLOSING[self._frames[-1].mark]:
            self._frames.pop()
        elif token.text == "." and not self._is_value(at - 1):
            raise self._fault(token, "a name can't begin with a dot; leave it out")

    def _name(self, at: int, token: Token) -> None:
        called, member = self._at(at + 1).text == "(", self._is_member(at)
        if self._at(at + 1).text == "{":
            raise self._fault(token, f"`{token.text}{{…}}` makes a message, and there are none; use a map: `{{…}}`")
        if called:
            self._function(at, token, member=member)
        elif not member and not self._is_binding(at):
            self._value(at, token)

    def _function(self, at: int, token: Token, *, member: bool) -> None:
        known = METHODS | MACROS if member else FUNCTIONS
        if token.text not in known:
            other = FUNCTIONS if member else METHODS | MACROS
            if token.text in other:
                form = f"{token.text}(x)" if member else f"x.{token.text}(…)"
                raise self._fault(token, f"`{token.text}` is written `{form}`")
            raise self._fault(token, f"there is no function `{token.text}`; {_advice(token.text, known)}")
        if token.text == MATCHES:
            pattern = self._at(at + 2)
            if pattern.lexeme is not Lexeme.TEXT or self._at(at + 3).text != ")":
                raise self._fault(token, "the regular expression of `matches` must be a literal text")
            self._patterns.append((token, pattern))

    def _value(self, at: int, token: Token) -> None:
        bound = {frame.bound for frame in self._frames}
        if token.text in WORDS | TYPES or token.text in bound:
            return
        if token.text not in FIELDS:
            raise self._fault(token, f"there is no name `{token.text}`; {_advice(token.text, FIELDS)}")
        for frame in self._frames:
            if frame.loop is not None:
                frame.loop.foreign = True
        self._use(token, self._field_behind(at))

    def _field_behind(self, at: int) -> Token | None:
        """The token of the field that is taken of a name, None where the name is used as a whole."""
        mark, field, behind = (self._at(at + step) for step in (1, 2, 3))
        if mark.text == "." and field.lexeme is Lexeme.NAME and behind.text != "(":
            return field
        if mark.text == "[" and field.lexeme is Lexeme.TEXT and behind.text == "]":
            return field
        return None

    def _use(self, token: Token, field: Token | None) -> None:
        known = FIELDS[token.text]
        name = "" if field is None else field.text if field.lexeme is Lexeme.NAME else field.text[1:-1]
        if token.text == "data" and name:
            self._data.add(name)
        if known is None or field is None:
            self._fields[token.text] = None
            return
        if name not in known:
            raise self._fault(field, f"`{token.text}` has no `{name}`; {_advice(name, known)}")
        used = self._fields[token.text]
        if used is not None:
            used.add(name)

    def _open(self, at: int, token: Token) -> None:
        before = self._at(at - 1)
        if token.text != "(" or before.text not in MACROS or not self._is_member(at - 1):
            self._frames.append(_Frame(token.text))
            return
        if any(frame.loop is not None for frame in self._frames):
            raise self._fault(before, f"`{before.text}` stands inside another loop; write a rule for each, or `in`")
        element = self._at(at + 1)
        if element.lexeme is not Lexeme.NAME or self._at(at + 2).text != ",":
            raise self._fault(before, f"`{before.text}` names its element first: `{before.text}(x, …)`")
        if element.text in FIELDS or element.text in WORDS:
            raise self._fault(element, f"`{element.text}` means something already; name the element otherwise")
        loop = Loop(before.text, before.text in BUILDING)
        self._loops.append(loop)
        self._frames.append(_Frame(token.text, loop, element.text))

    def _is_member(self, at: int) -> bool:
        return self._at(at).lexeme is Lexeme.NAME and self._at(at - 1).text == "."

    def _is_binding(self, at: int) -> bool:
        """Whether the name is where a macro names its element."""
        return self._at(at - 1).text == "(" and self._at(at - 2).text in MACROS and self._is_member(at - 2)

    def _is_value(self, at: int) -> bool:
        token = self._at(at)
        return token.lexeme is not Lexeme.MARK or token.text in {")", "]", "}"}

    def _at(self, at: int) -> Token:
        return self._tokens[at] if 0 <= at < len(self._tokens) else _NOWHERE

    def _fault(self, token: Token, message: str) -> RuleFault:
        return RuleFault(f"the condition at character {token.at + 1}: {message}")


def _advice(name: str, known: Iterable[str]) -> str:
    known = sorted(known)
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    return f"did you mean `{near[0]}`" if near else "there are " + ", ".join(f"`{one}`" for one in known)
