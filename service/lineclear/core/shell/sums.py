"""Sums, ``$((…))``: a shell evaluates what a name in them holds, so each name must hold a number for certain."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+|[0-9]+)(?![\w#.])|\$?(?P<name>[A-Za-z_][A-Za-z0-9_]*|(?<=\$)[?#])(?!\[)"
    r"|\$\{(?P<braced>[A-Za-z_][A-Za-z0-9_]*)\}|(?P<sign><<|>>|[<>=!]=|&&|\|\||\*\*|(?!\+\+|--)[-+*/%()<>!&|^~?:,]))"
)
_BLANK = re.compile(r"\s*")
_LARGEST = 2**31
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,8})")
"""A number that every shell reads in the same way: a zero before it would make it another one."""

_OF_THE_SHELL = frozenset({"?", "#", "RANDOM", "SECONDS", "LINENO"})
"""What the shell itself keeps as a number."""

_CHANGE = re.compile(
    r"\s*(?:(\+\+|--)\s*)?([A-Za-z_][A-Za-z0-9_]*)\s*(?:(\+\+|--)|([-+*/%]?)=(?!=)(.*))?\s*", re.DOTALL
)

_SUM = re.compile(r"\$\(\((?:[^()]++|\([^()]*+\))*+\)\)")
_SUMS = re.compile(_SUM.pattern.replace(r"\$", r"\$?", 1))
"""Sums in words, and those that are statements."""

_SET_TO_NUMBER = re.compile(r"=-?[0-9]+(?=[\s;&|)`]|\Z)")
_MOST_NAMES = 50
"""How many variables of one text may be numbers."""

_SETS = re.compile(
    r"\b(?:read|select|mapfile|readarray|getopts|declare|typeset|local|export|readonly|let|unset|eval|source|coproc)\b"
    r"|printf\s+-v|\(\(|(?:^|[\s;&|(])\.\s"
)
"""Words that may set a variable whose name stands somewhere behind them."""

_PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2}


def number(text: str | None) -> int | None:
    """The number that a text is to every shell, None for any other."""
    return int(text) if text is not None and _NUMBER.fullmatch(text) else None


def is_sum(text: str) -> bool:
    """Whether a text is one sum, and nothing besides."""
    return _SUM.fullmatch(text) is not None


def sum_of(body: str, value: Callable[[str], str | None], numbers: Iterable[str]) -> str | None:
    """What a sum comes to: a number, or an empty text where that isn't known; None if it may be more than a sum.

    ``value`` tells what a variable holds, as far as that is known; ``numbers`` are those that hold some number.
    """
    tokens: list[str | int] = []
    at, known = 0, True
    while (blank := _BLANK.match(body, at)) is not None and blank.end() < len(body):
        token = _TOKEN.match(body, at)
        if token is None:
            return None
        at = token.end()
        name = token["name"] or token["braced"]
        if token["number"]:
            plain = number(token["number"])
            known = known and plain is not None
            tokens.append(plain or 0)
        elif name:
            held = number(value(name))
            if held is None and name not in _OF_THE_SHELL and name not in numbers:
                return None
            known = known and held is not None
            tokens.append(held or 0)
        else:
            tokens.append(token["sign"])
    result = _Computed(tokens).result() if known else None
    return "" if result is None else str(result)


def change_of(body: str, value: Callable[[str], str | None], numbers: Iterable[str]) -> str | None:
    """The variable that a sum sets to a number, or an empty text for none; None if the sum may be more than that."""
    found = _CHANGE.fullmatch(body)
    if found is None or not (found[1] or found[3] or found[5] is not None):
        return None if sum_of(body, value, numbers) is None else ""
    before, name, behind, sign, operand = found.groups()
    if (before is not None) + (behind is not None) + (operand is not None) != 1:
        return None
    if operand is not None and (not operand.strip() or sum_of(operand, value, numbers) is None):
        return None
    own = operand is None or sign
    return None if own and sum_of(name, value, numbers) is None else name


class Assigned:
    """What a text puts into its variables, as far as that matters for sums: looked for once for each name."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._rest: str | None = None
        self._sets = False
        self._found: dict[str, bool] = {}

    def holds_numbers(self, name: str) -> bool:
        """Whether all that the text puts into a variable is a number, wherever it does so."""
        if self._rest is None:
            self._rest = _SUMS.sub("0", self._text)
            self._sets = _SETS.search(self._rest) is not None
        if name not in self._found:
            self._found[name] = len(self._found) < _MOST_NAMES and self._only_numbers(name, self._rest)
        return self._found[name]

    def _only_numbers(self, name: str, rest: str) -> bool:
        for found in re.finditer(rf"{name}(?![A-Za-z0-9_])", rest):
            start, end = found.span()
            if rest.endswith(("$", "${", "${#"), 0, start):
                continue
            if rest.startswith(("=", "+=", "["), end):
                if not _SET_TO_NUMBER.match(rest, end):
                    return False
            elif self._sets:
                return False
            else:
                while start and rest[start - 1] in " \t\n\\":
                    start -= 1
                if rest.endswith("for", 0, start):
                    return False
        return True


class _Computed:
    """A sum of numbers, by the four kinds of calculation and parentheses; no other is computed."""

    def __init__(self, tokens: list[str | int]) -> None:
        self.tokens = tokens
        self.at = 0

    def result(self) -> int | None:
        try:
            value = self._terms(1)
        except (ValueError, IndexError, ZeroDivisionError, RecursionError):
            return None
        return value if self.at == len(self.tokens) and abs(value) < _LARGEST else None

    def _terms(self, least: int) -> int:
        left = self._term()
        while self.at < len(self.tokens) and _PRECEDENCE.get(str(self.tokens[self.at]), 0) >= least:
            sign = str(self.tokens[self.at])
            self.at += 1
            right = self._terms(_PRECEDENCE[sign] + 1)
            left = _calculated(left, sign, right)
        return left

    def _term(self) -> int:
        first = self.tokens[self.at]
        self.at += 1
        if isinstance(first, int):
            return first
        if first == "-":
            return -self._term()
        if first == "+":
            return self._term()
        if first != "(":
            raise ValueError
        value = self._terms(1)
        if self.tokens[self.at] != ")":
            raise ValueError
        self.at += 1
        return value


def _calculated(left: int, sign: str, right: int) -> int:
    if sign == "+":
        value = left + right
    elif sign == "-":
        value = left - right
    elif sign == "*":
        value = left * right
    else:  # towards zero, as the shells do it
        value = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        value = value if sign == "/" else left - value * right
    if abs(value) >= _LARGEST:
        raise ValueError
    return value
