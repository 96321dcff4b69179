"""The shell's rules of quoting, character by character: a second reading of what the grammar calls a word.

Every character between a word's ends is accounted for here. Where this reading and the grammar's disagree, the text is
unreadable; nothing is repaired.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct, field

from lineclear.core.shell.ansi import ansi_value, end_of_ansi
from lineclear.core.shell.sums import sum_of
from lineclear.core.shell.variables import identifier
from lineclear.core.shell.words import HOLE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from lineclear.core.shell.braces import Marked
    from lineclear.core.shell.scope import Scope

PIPE_PATH = "/dev/fd/63"
"""What a process substitution becomes: the path of a pipe, which is no file."""

_RUN = re.compile(r"[^\\'\"$`;&|()<> \t\n]+")
_CONDITION_RUN = re.compile(r"[^\\'\"$`<> \t\n]+")
_QUOTED_RUN = re.compile(r"[^\\\"$`]+")
_PLAIN_QUOTED = re.compile(r'"([^\\"$`]*)"')
_BODY_RUN = re.compile(r"[^\\$`]+")
_EXPANSION = re.compile(r"\$\{(#?)([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[?@*#])(.*)\}", re.DOTALL)
_ELEMENT = re.compile(r"\[(?:(?P<all>[@*])|[0-9]+)\]")
"""One element of a list, or all of them: no other place in it is told by a number that stands there."""
_OPERATION = re.compile(r"(?::?[-+]|%%?|##?|//?|\^\^?|,,?)(?:[^$`\\\"'{}()<>]|\$'\\[a-z]')*|:[0-9]+(?::[0-9]+)?")
_ARITHMETIC = re.compile(r"\$\(\([0-9\s+\-*/%()<>=!&|^~?:,]*\)\)")
_NAMED = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")
_SAFE_VALUE = re.compile(r"[A-Za-z0-9_./:,+@%=-]*")
_AFTER_DOLLAR = frozenset(" \t\n\"'/|,.;:)%&<>]}\\")


class Unreadable(Exception):
    """A text that the grammar and the rules of quoting read differently, or a form that isn't understood."""


class Found(Struct):
    """What stands in words besides text."""

    inner: list[Node] = field(default_factory=list)
    """Substitutions, whose commands run."""
    names: set[str] = field(default_factory=set)
    """Variables whose value is used."""


class Scan:
    """One reading, from where a word begins to where it ends: ``value`` and ``mask`` are of one length."""

    def __init__(
        self,
        text: str,
        start: int,
        end: int,
        hollows: Mapping[int, Node],
        scope: Scope,
        found: Found,
        *,
        tells_folder: Callable[[str], bool],
        zsh: bool,
        posix: bool,
        condition: bool = False,
    ) -> None:
        self.text, self.start, self.at, self.end = text, start, start, end
        self.zsh, self.posix = zsh, posix
        self.hollows, self.scope, self.found = hollows, scope, found
        self.condition, self.tells_folder = condition, tells_folder
        self.value: list[str] = []
        self.mask: list[str] = []
        self.quotes = False
        self.bare = False
        """Whether a variable's name, or a dollar alone, ends where a list in braces could go on."""

    @property
    def marked(self) -> Marked:
        """What was read, and which of it was quoted."""
        return "".join(self.value), "".join(self.mask)

    def _add(self, value: str, mark: str) -> None:
        self.value.append(value)
        self.mask.append(mark * len(value))

    def word(self) -> None:
        """Read a word. Raises ``Unreadable``."""
        plain = _CONDITION_RUN if self.condition else _RUN
        if self.start >= self.end or self.text[self.start] == "#":
            raise Unreadable
        while self.at < self.end:
            run = plain.match(self.text, self.at, self.end)
            if run:
                self._add(run[0], "u")
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
            elif letter in "<>" and self.text[self.at + 1 : self.at + 2] == "(":
                raise Unreadable  # a substitution to the shell, whatever the grammar takes it for
            elif self.condition and letter not in " \t\n":
                self._add(letter, "u")
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
            self._add(letter, "q")
        self.quotes = True
        self.at += 2

    def _single(self) -> None:
        closed = self.text.find("'", self.at + 1, self.end)
        if closed < 0:
            raise Unreadable
        self.quotes = True
        self._add(self.text[self.at + 1 : closed], "q")
        self.at = closed + 1

    def _ansi(self) -> None:
        closed = end_of_ansi(self.text, self.at + 2)
        if closed < 0 or closed >= self.end:
            raise Unreadable
        value = None if self.posix else ansi_value(self.text[self.at + 2 : closed])
        self.quotes = True
        self._add(HOLE if value is None else value, "q")  # whatever it is, it is one word
        self.at = closed + 1

    def body(self) -> None:
        """A here-document: as within double quotes, which are nothing special there."""
        while self.at < self.end:
            self._inside(_BODY_RUN, '"')

    def _double(self) -> None:
        self.quotes = True
        plain = _PLAIN_QUOTED.match(self.text, self.at, self.end)
        if plain:
            self._add(plain[1], "q")
            self.at = plain.end()
            return
        self.at += 1
        while self.at < self.end:
            if self.text[self.at] == '"':
                self.at += 1
                return
            self._inside(_QUOTED_RUN, "")
        raise Unreadable

    def _inside(self, run_of: re.Pattern[str], unescaped: str) -> None:
        run = run_of.match(self.text, self.at, self.end)
        if run:
            self._add(run[0], "q")
            self.at = run.end()
        elif self.text[self.at] == "\\":
            following = self.text[self.at + 1 : self.at + 2]
            if following in {"$", "`", '"', "\\"} and following != unescaped:
                self._add(following, "q")
            elif following != "\n":
                self._add("\\" + following, "q")
            self.at += 2
        else:
            self._hollow("q")

    def _pipe(self) -> None:
        node = self.hollows[self.at]
        if node.type != "process_substitution" or node.end_byte > self.end or self.posix:
            raise Unreadable
        self.found.inner.append(node)
        self._add(PIPE_PATH, "q")
        self.at = node.end_byte

    def _hollow(self, mark: str) -> None:
        node = self.hollows.get(self.at)
        if node is None:
            named = _NAMED.match(self.text, self.at, self.end) if mark == "q" else None
            if named is not None:  # the grammar overlooks some at the beginning of a line of a here-document
                self.at = named.end()
                self._named(named[1], mark)
                return
            following = self.text[self.at + 1 : self.at + 2] if self.at + 1 < self.end else ""
            if self.text[self.at] != "$" or (following and following not in _AFTER_DOLLAR):
                raise Unreadable
            if (following == '"' and mark == "u") or self.text.startswith("\\\n", self.at + 1):
                raise Unreadable
            self.bare = True
            self._add("$", "q")
            self.at += 1
            return
        if node.end_byte > self.end:
            raise Unreadable
        spelled = self.text[self.at : node.end_byte]
        self.at = node.end_byte
        if node.type == "command_substitution" and not spelled.startswith("$(("):
            self.found.inner.append(node)
            self._output(spelled, mark)
        elif node.type == "arithmetic_expansion" or spelled.startswith("$(("):
            self._add(self._sum(spelled), "q")
        elif node.type == "simple_expansion":
            self._named(spelled[1:], mark)
        elif node.type == "expansion":
            self._braced(spelled, mark)
        else:
            raise Unreadable

    def _sum(self, spelled: str) -> str:
        """What a sum comes to, which is one number."""
        body = spelled[3:-2]
        numbers = self.scope.numbers | self.scope.counts
        found = sum_of(body, self.scope.value, numbers) if spelled.endswith("))") else None
        if found is None and not _ARITHMETIC.fullmatch(spelled):
            raise Unreadable
        return found or HOLE

    def _output(self, spelled: str, mark: str) -> None:
        """What a command prints is known only if that is where it runs."""
        inner = spelled[2:-1] if spelled[0] == "$" else spelled[1:-1]
        folder = self.scope.folder
        if folder is not None and (mark == "q" or _SAFE_VALUE.fullmatch(folder)) and self.tells_folder(inner):
            self._add(folder, "q")
        else:
            self._add(HOLE, mark)

    def _braced(self, spelled: str, mark: str) -> None:
        match = _EXPANSION.fullmatch(spelled)
        if match is None:
            raise Unreadable
        length, name, operation = match.groups()
        element = _ELEMENT.fullmatch(operation)
        if element is not None and not self.posix:
            self.found.names.add(name)
            self._add(HOLE, "q" if length else "u" if element["all"] else mark)
        elif operation:
            if length or not _OPERATION.fullmatch(operation):
                raise Unreadable
            self.found.names.add(name)
            self._add(HOLE, "u" if name in {"@", "*"} else mark)
        elif length:
            self._add(HOLE, "q")
        else:
            self._variable(name, mark)

    def _named(self, name: str, mark: str) -> None:
        """A variable without braces, behind whose name the reading goes on."""
        self.bare = True
        if self.text.startswith("\\\n", self.at):
            raise Unreadable
        self._variable(name, mark)
        if self.zsh and self.text[self.at : self.at + 1] == "[" and self.at < self.end:
            raise Unreadable

    def _variable(self, name: str, mark: str) -> None:
        if name in {"?", "#", "$", "!"}:
            self._add(HOLE, "q")
            return
        if name in {"@", "*"}:
            self._add(HOLE, "u")
            return
        if not (identifier(name) or name.isdigit() or name in {"-", "0"}) or not name.isascii():
            raise Unreadable
        value = self.scope.value(name)
        whole = mark == "q" or (value and _SAFE_VALUE.fullmatch(value) and "IFS" not in self.scope.tainted)
        if value is not None and whole:
            self._add(value, "q")
            return
        self.found.names.add(name)
        pattern = self.scope.patterns.get(name) if mark == "q" else None
        if pattern is not None:
            self._add(pattern, "p")
        else:
            self._add(HOLE, mark)
