"""A command pattern is split into words as a shell would, and holds one simple command.

Unquoted stars become ``STAR``; a backslash makes any character literal; ``? [ { $ ~`` and a star right behind a colon
are literal.
"""

from __future__ import annotations

from lineclear.core.rules.faults import RuleFault
from lineclear.core.rules.globs import STAR

_OPERATORS = frozenset(";&|<>()\n\r")
_BLANKS = frozenset(" \t")


def split(text: str, *, quoted_star: bool) -> list[str]:
    """The words of a pattern.

    ``quoted_star`` says that a star within quotes is a wildcard as well: the wider reading, for deny and ask rules.
    Raises ``RuleFault`` for what isn't one simple command.
    """
    return _Splitter(text, quoted_star=quoted_star).words()


class _Splitter:
    def __init__(self, text: str, *, quoted_star: bool) -> None:
        self._text = text
        self._quoted_star = quoted_star
        self._at = 0
        self._words: list[str] = []
        self._word: list[str] | None = None

    def words(self) -> list[str]:
        while self._at < len(self._text):
            self._step()
        self._end_word()
        return self._words

    def _step(self) -> None:
        letter = self._next()
        if letter in _BLANKS:
            self._end_word()
        elif letter == "\\":
            self._add(self._escaped())
        elif letter == "'":
            self._single()
        elif letter == '"':
            self._double()
        elif letter == "*":
            self._add(self._star())
        elif letter in _OPERATORS:
            raise self._fault(f"holds the operator `{letter}`" if letter.isprintable() else "holds a line break")
        else:
            self._no_substitution(letter)
            self._add(letter)

    def _single(self) -> None:
        end = self._text.find("'", self._at)
        if end < 0:
            raise self._fault("has an open quote")
        while self._at < end:
            letter = self._next()
            self._add(self._star() if letter == "*" and self._quoted_star else letter)
        self._add("")
        self._at = end + 1

    def _double(self) -> None:
        self._add("")
        while self._at < len(self._text):
            letter = self._next()
            if letter == '"':
                return
            if letter == "\\" and self._text[self._at : self._at + 1] in {"\\", '"', "$", "`", "*"}:
                self._add(self._next())
            elif letter == "*" and self._quoted_star:
                self._add(self._star())
            else:
                self._no_substitution(letter)
                self._add(letter)
        raise self._fault("has an open quote")

    def _star(self) -> str:
        """A wildcard, but right behind a colon: ``:*`` means further words at the end of a pattern, else itself."""
        behind = self._text[: self._at - 1]
        return "*" if behind.endswith(":") and not behind.endswith("\\:") else STAR

    def _escaped(self) -> str:
        if self._at >= len(self._text):
            raise self._fault("ends with a backslash")
        return self._next()

    def _no_substitution(self, letter: str) -> None:
        if letter == "`" or (letter == "$" and self._text.startswith("(", self._at)):
            raise self._fault("holds a substitution")

    def _next(self) -> str:
        letter = self._text[self._at]
        self._at += 1
        return letter

    def _add(self, text: str) -> None:
        self._word = [*(self._word or []), text]

    def _end_word(self) -> None:
        if self._word is not None:
            self._words.append("".join(self._word))
            self._word = None

    def _fault(self, what: str) -> RuleFault:
        return RuleFault(
            f"command pattern `{self._text}` {what}; a pattern matches one simple command: write a rule for each, "
            "or put a backslash before a character that is meant literally"
        )
