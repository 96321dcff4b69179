"""Words as the shell would resolve them: a second reading of what the grammar calls a word.

Every character between a word's ends is accounted for here by the shell's own rules of quoting. Where this reading and
the grammar's disagree, the text is unreadable; nothing is repaired.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lineclear.core.call import Dialect
from lineclear.core.shell.ansi import ansi_value, end_of_ansi
from lineclear.core.shell.braces import TooManyWords, expand_braces
from lineclear.core.shell.variables import identifier
from lineclear.core.shell.words import HOLE, Word

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from lineclear.core.shell.scope import Scope

PIPE_PATH = "/dev/fd/63"
"""What a process substitution becomes: the path of a pipe, which is no file."""

_SIMPLE = re.compile(r"[A-Za-z0-9_./:,+@%-][A-Za-z0-9_./:,+@%=-]*")
_RUN = re.compile(r"[^\\'\"$`;&|()<>\s]+")
_CONDITION_RUN = re.compile(r"[^\\'\"$`\s]+")
_QUOTED_RUN = re.compile(r"[^\\\"$`]+")
_BODY_RUN = re.compile(r"[^\\$`]+")
_EXPANSION = re.compile(r"\$\{(#?)([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[?@*#])(.*)\}", re.DOTALL)
_OPERATION = re.compile(r"(?::?[-+]|%%?|##?|//?|\^\^?|,,?)[^$`\\\"'{}()<>]*|:[0-9]+(?::[0-9]+)?")
_ARITHMETIC = re.compile(r"\$\(\([0-9\s+\-*/%()<>=!&|^~?:,]*\)\)")
_SAFE_VALUE = re.compile(r"[A-Za-z0-9_./:,+@%=-]*")
_AFTER_DOLLAR = frozenset(" \t\n\"'/|,.;:)%&<>]}\\")


class Unreadable(Exception):
    """A text that the grammar and the rules of quoting read differently, or a form that isn't understood."""


@dataclass(slots=True)
class Found:
    """What stands in words besides text."""

    inner: list[Node] = field(default_factory=list)
    """Substitutions, whose commands run."""
    names: set[str] = field(default_factory=set)
    """Variables whose value is used."""


class Expander:
    """Resolves the words of one text."""

    def __init__(self, text: str, dialect: Dialect) -> None:
        self.text = text
        self.zsh = dialect in {Dialect.ZSH, Dialect.UNKNOWN}
        self.posix = dialect is Dialect.SH

    def words(
        self, start: int, end: int, hollows: Mapping[int, Node], scope: Scope, found: Found, *, condition: bool = False
    ) -> list[Word]:
        """What stands between two offsets, as words. Raises ``Unreadable``."""
        raw = self.text[start:end]
        if not condition and _SIMPLE.fullmatch(raw):
            return [Word(raw, raw)]
        scan = _Scan(self, start, end, hollows, scope, found, condition=condition)
        scan.run()
        value, mask = "".join(scan.value), "".join(scan.mask)
        if condition:
            return [Word(value, raw, quoted=HOLE in value)]
        try:
            parts = expand_braces(value, mask) if "{" in value else [(value, mask)]
        except TooManyWords:
            raise Unreadable from None
        if self.posix and len(parts) > 1:
            parts = [(HOLE, "u")]
        return [self._word(text, marks, raw, scope) for text, marks in parts if text or scan.quotes]

    def value(self, start: int, end: int, hollows: Mapping[int, Node], scope: Scope, found: Found) -> str | None:
        """What an assignment would put into a variable, None where it isn't known. Raises ``Unreadable``."""
        if start == end:
            return ""
        scan = _Scan(self, start, end, hollows, scope, found, condition=False)
        scan.run()
        value, mask = "".join(scan.value), "".join(scan.mask)
        if value[:1] == "~" and mask[:1] == "u":
            value, mask = self._tilde(value, mask, scope)
        if HOLE in value or (self.zsh and value[:1] == "=") or ":~" in value:
            return None
        return value

    def body(self, start: int, end: int, hollows: Mapping[int, Node], scope: Scope, found: Found) -> str:
        """What an unquoted here-document becomes, with holes. Raises ``Unreadable``."""
        scan = _Scan(self, start, end, hollows, scope, found, condition=False)
        scan.body()
        return "".join(scan.value)

    def _word(self, value: str, mask: str, raw: str, scope: Scope) -> Word:
        if value[:1] == "~" and mask[0] == "u":
            value, mask = self._tilde(value, mask, scope)
        elif self.zsh and value[:1] == "=" and mask[0] == "u" and len(value) > 1 and value not in {"==", "=~"}:
            value, mask = HOLE, "u"
        glob = _has_glob(value, mask)
        if glob:
            value = "".join(
                "?" if mark == "q" and letter in "*?[" else letter for letter, mark in zip(value, mask, strict=True)
            )
        hollow = HOLE in value
        quoted = hollow and all(mark == "q" for letter, mark in zip(value, mask, strict=True) if letter == HOLE)
        return Word(value, raw, quoted=quoted, glob=glob)

    def _tilde(self, value: str, mask: str, scope: Scope) -> tuple[str, str]:
        name, slash, _ = value.partition("/")
        rest = len(name)
        if "q" in mask[: rest + len(slash)]:
            return value, "q" * len(value)
        if name == "~":
            if scope.home is None:
                return value, mask
            return scope.home + value[rest:], "q" * len(scope.home) + mask[rest:]
        if self.zsh or name[1:2] in {"+", "-"} or name[1:2].isdigit():
            return HOLE + value[rest:], "u" + mask[rest:]
        return value, mask


class _Scan:
    def __init__(
        self,
        expander: Expander,
        start: int,
        end: int,
        hollows: Mapping[int, Node],
        scope: Scope,
        found: Found,
        *,
        condition: bool,
    ) -> None:
        self.text, self.at, self.end = expander.text, start, end
        self.zsh, self.posix = expander.zsh, expander.posix
        self.start = start
        self.hollows, self.scope, self.found = hollows, scope, found
        self.condition = condition
        self.value: list[str] = []
        self.mask: list[str] = []
        self.quotes = False

    def add(self, value: str, mark: str) -> None:
        self.value.append(value)
        self.mask.append(mark * len(value))

    def run(self) -> None:
        plain = _CONDITION_RUN if self.condition else _RUN
        if self.start >= self.end or self.text[self.start] == "#":
            raise Unreadable
        while self.at < self.end:
            run = plain.match(self.text, self.at, self.end)
            if run:
                self.add(run[0], "u")
                self.at = run.end()
                continue
            letter = self.text[self.at]
            if letter == "\\":
                self._escape()
            elif letter == "'":
                self._single()
            elif letter == '"':
                self._double()
            elif letter == "$" and self.text[self.at + 1 : self.at + 2] == "'":
                self._ansi()
            elif letter in "$`":
                self._hollow("u")
            elif letter in "<>" and self.at in self.hollows:
                self._pipe()
            elif self.condition and not letter.isspace():
                self.add(letter, "u")
                self.at += 1
            else:
                raise Unreadable
        if self.at != self.end:
            raise Unreadable

    def _escape(self) -> None:
        if self.at + 1 >= self.end:
            raise Unreadable
        letter = self.text[self.at + 1]
        if letter != "\n":
            self.add(letter, "q")
        self.quotes = True
        self.at += 2

    def _single(self) -> None:
        closed = self.text.find("'", self.at + 1, self.end)
        if closed < 0:
            raise Unreadable
        self.quotes = True
        self.add(self.text[self.at + 1 : closed], "q")
        self.at = closed + 1

    def _ansi(self) -> None:
        closed = end_of_ansi(self.text, self.at + 2)
        if closed < 0 or closed >= self.end:
            raise Unreadable
        value = None if self.posix else ansi_value(self.text[self.at + 2 : closed])
        self.quotes = True
        self.add(HOLE if value is None else value, "u" if value is None else "q")
        self.at = closed + 1

    def body(self) -> None:
        """A here-document: as within double quotes, which are nothing special there."""
        while self.at < self.end:
            self._inside(_BODY_RUN, '"')

    def _double(self) -> None:
        self.at += 1
        self.quotes = True
        while self.at < self.end:
            if self.text[self.at] == '"':
                self.at += 1
                return
            self._inside(_QUOTED_RUN, "")
        raise Unreadable

    def _inside(self, run_of: re.Pattern[str], unescaped: str) -> None:
        run = run_of.match(self.text, self.at, self.end)
        if run:
            self.add(run[0], "q")
            self.at = run.end()
        elif self.text[self.at] == "\\":
            following = self.text[self.at + 1 : self.at + 2]
            if following in {"$", "`", '"', "\\"} and following != unescaped:
                self.add(following, "q")
            elif following != "\n":
                self.add("\\" + following, "q")
            self.at += 2
        else:
            self._hollow("q")

    def _pipe(self) -> None:
        node = self.hollows[self.at]
        if node.type != "process_substitution" or node.end_byte > self.end or self.posix:
            raise Unreadable
        self.found.inner.append(node)
        self.add(PIPE_PATH, "q")
        self.at = node.end_byte

    def _hollow(self, mark: str) -> None:
        node = self.hollows.get(self.at)
        if node is None:
            following = self.text[self.at + 1 : self.at + 2] if self.at + 1 < self.end else ""
            if self.text[self.at] != "$" or (following and following not in _AFTER_DOLLAR):
                raise Unreadable
            if following == '"' and mark == "u":
                raise Unreadable
            self.add("$", "q")
            self.at += 1
            return
        if node.end_byte > self.end:
            raise Unreadable
        spelled = self.text[self.at : node.end_byte]
        self.at = node.end_byte
        if node.type == "command_substitution" and not spelled.startswith("$(("):
            self.found.inner.append(node)
            self.add(HOLE, mark)
        elif node.type == "arithmetic_expansion" or spelled.startswith("$(("):
            if not _ARITHMETIC.fullmatch(spelled):
                raise Unreadable
            self.add(HOLE, "q")
        elif node.type == "simple_expansion":
            self._variable(spelled[1:], mark)
            if self.zsh and self.text[self.at : self.at + 1] == "[" and self.at < self.end:
                raise Unreadable
        elif node.type == "expansion":
            self._braced(spelled, mark)
        else:
            raise Unreadable

    def _braced(self, spelled: str, mark: str) -> None:
        match = _EXPANSION.fullmatch(spelled)
        if match is None:
            raise Unreadable
        length, name, operation = match.groups()
        if operation:
            if length or not _OPERATION.fullmatch(operation):
                raise Unreadable
            self.found.names.add(name)
            self.add(HOLE, "u" if name in {"@", "*"} else mark)
        elif length:
            self.add(HOLE, "q")
        else:
            self._variable(name, mark)

    def _variable(self, name: str, mark: str) -> None:
        if name in {"?", "#", "$", "!"}:
            self.add(HOLE, "q")
            return
        if name in {"@", "*"}:
            self.add(HOLE, "u")
            return
        if not (identifier(name) or name.isdigit() or name in {"-", "0"}) or not name.isascii():
            raise Unreadable
        value = self.scope.value(name)
        if value is not None and (mark == "q" or (value and _SAFE_VALUE.fullmatch(value))):
            self.add(value, "q")
            return
        self.found.names.add(name)
        self.add(HOLE, mark)


def _has_glob(value: str, mask: str) -> bool:
    for at, letter in enumerate(value):
        if mask[at] == "u":
            if letter in "*?":
                return True
            if letter == "[" and any(value[to] == "]" and mask[to] == "u" for to in range(at + 1, len(value))):
                return True
    return False
