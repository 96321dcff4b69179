"""A simple command's node becomes words, assignments and redirects, each as the shell resolves it."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct, field

from lineclear.core.call import Dialect
from lineclear.core.shell.descriptors import before_arrow, is_descriptor
from lineclear.core.shell.expand import Expander
from lineclear.core.shell.grammar import hollows
from lineclear.core.shell.heredoc import read_heredoc
from lineclear.core.shell.scan import Found, Unreadable
from lineclear.core.shell.simple import MAX_WORDS, Redirect, Simple
from lineclear.core.shell.variables import identifier

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tree_sitter import Node

    from lineclear.core.shell.scope import Scope
    from lineclear.core.shell.words import Word

GAP = re.compile(r"(?:[ \t]|\\\n)*")
"""What may stand between two words."""

LINES = re.compile(r"(?:[ \t\n]|\\\n)*")
"""What may stand between two statements, and behind an operator."""

MAX_ASSIGNMENTS = 100
"""How many variables may be set by one command."""

_JOIN = re.compile(r"(?:\\\n)+")
"""A line that is continued without a blank: what stands before and behind is one."""

_HOLLOW = re.compile(r"[$`<>]")
REDIRECTS = frozenset({"file_redirect", "herestring_redirect", "heredoc_redirect"})
_NO_PROGRAM = re.compile(r"[^\W\d]\w*(?:\[|\+?=)|\{.")
"""How a word begins that some shell takes for an assignment or a group, where a program could stand."""
_KEYWORDS = frozenset(
    {"if", "then", "elif", "else", "fi", "for", "in", "while", "until", "do", "done", "case", "esac"}
    | {"{", "}", "!", "[", "[[", "]", "]]"}
)
_EDGE = frozenset(" \t\n;&|()<>")
_ENDS = _EDGE | {""}
_MORE = ("<(", ">(")
"""With what a word goes on where the grammar may have ended it."""
_NO_WORDS = REDIRECTS | {"variable_assignment", "comment", "file_descriptor"}
_OPERATORS = frozenset({"&&", "||", "|", "|&", "(", "{", "$(", "<("})


class Read(Struct):
    """A command, the substitutions in its words, and what a here-document's line holds behind it."""

    simple: Simple
    inner: list[Node]
    following: list[tuple[str, Node]] = field(default_factory=list)


class CommandReader:
    """Reads the simple commands of one text. Its methods raise ``Unreadable``."""

    def __init__(self, text: str, dialect: Dialect, tells_folder: Callable[[str], bool]) -> None:
        self.text = text
        self.posix = dialect is Dialect.SH
        self.expander = Expander(text, dialect, tells_folder)
        self.hollow = _HOLLOW.search(text) is not None

    def read(self, node: Node | None, scope: Scope, redirects: Sequence[Node] = ()) -> Read:
        """Read a command with the redirects behind it; without a node, redirects that open files for nothing."""
        found = Found()
        simple = Simple([], "", scope, names=found.names)
        arguments: list[Node] = []
        opened = list(redirects)
        if node is not None:
            self.gaps(node.children, GAP)
            simple.text = self.text_of(node)
            if node.type == "test_command":
                simple.words = self._condition(node, scope, found)
            else:
                assigned: list[Node] = []
                for child in node.children:
                    if child.type == "variable_assignment" and not arguments and node.type == "command":
                        if self.text.startswith(_MORE, child.end_byte):
                            raise Unreadable
                        assigned.append(child)
                    elif child.type in REDIRECTS:
                        opened.append(child)
                    else:
                        arguments.append(child)
                simple.assigned = self.assignments(assigned, scope, found)
        elif opened:
            simple.text = self.text[opened[0].start_byte : opened[-1].end_byte]
        read = Read(simple, found.inner)
        for redirect in opened:
            arguments += self._opened(redirect, read, scope, found)
        named = len(simple.words)
        simple.words += self.words(arguments, scope, found)
        if not named and simple.words and _NO_PROGRAM.match(simple.words[0].raw.replace("\\\n", "")):
            raise Unreadable
        return read

    def assignments(self, nodes: Sequence[Node], scope: Scope, found: Found) -> list[tuple[str, str | None]]:
        """The names that assignments set, and the values where they are known."""
        if len(nodes) > MAX_ASSIGNMENTS:
            raise Unreadable
        return [self._assignment(node, scope, found) for node in nodes]

    def _assignment(self, node: Node, scope: Scope, found: Found) -> tuple[str, str | None]:
        if node.type != "variable_assignment" or node.child_count < 2:  # noqa: PLR2004 - a name and an operator
            raise Unreadable
        name, operator = node.children[0], node.children[1]
        variable = self.text_of(name)
        if name.type != "variable_name" or not identifier(variable):
            raise Unreadable
        if any(child.type == "array" for child in node.children):
            for start, hollow in self._hollows(node).items():
                self.expander.value(start, hollow.end_byte, {start: hollow}, scope, found)
            return variable, None
        value = self.expander.value(operator.end_byte, node.end_byte, self._hollows(node), scope, found)
        return variable, value if operator.type == "=" else None

    def redirect(self, node: Node, scope: Scope, found: Found, opened: list[Redirect]) -> list[Node]:
        """Take a redirect to a file; what the grammar holds for further targets are the command's own words."""
        self.gaps(node.children, GAP)
        operator = next((child for child in node.children if not child.is_named), None)
        number = node.child_by_field_name("descriptor")
        if node.type != "file_redirect" or operator is None:
            raise Unreadable
        if number is not None and not is_descriptor(self.text, number):
            raise Unreadable
        targets = node.children_by_field_name("destination")
        closes = operator.type in {">&-", "<&-"}
        if not (targets or closes) or (closes and self.text[operator.end_byte : operator.end_byte + 1] not in _ENDS):
            raise Unreadable
        if closes:  # what the grammar takes for its target is the command's own
            return targets
        count = 1
        while count < len(targets) and self._joined(targets[count - 1].end_byte, targets[count].start_byte):
            count += 1
        words = self.words(targets[:count], scope, found)
        target = words[0] if len(words) == 1 and not words[0].glob else None
        if operator.type in {"&>", "&>>"} and self.posix:
            raise Unreadable
        opened.append(Redirect(operator.type, target, self.text[targets[0].start_byte : targets[count - 1].end_byte]))
        return targets[count:]

    def words(self, nodes: Sequence[Node], scope: Scope, found: Found) -> list[Word]:
        """The words of some nodes, of which those that touch are one; a number before an arrow is none.

        There are no more than one above the limit, which shows that it was passed.
        """
        words: list[Word] = []
        at = 0
        while at < len(nodes) and len(words) <= MAX_WORDS:
            first = nodes[at]
            end = first.end_byte
            inside = self._hollows(first)
            at += 1
            while at < len(nodes) and self._joined(end, nodes[at].start_byte):
                inside |= self._hollows(nodes[at])
                end = nodes[at].end_byte
                at += 1
            if not before_arrow(self.text, first.start_byte, end):
                words += self.expander.words(first.start_byte, end, inside, scope, found)
        return words

    def _hollows(self, node: Node) -> dict[int, Node]:
        """The nodes in a word whose value isn't known; each begins with one of a few letters."""
        if not (self.hollow and _HOLLOW.search(self.text, node.start_byte, node.end_byte)):
            return {}
        return hollows(node, self.text)

    def gaps(self, nodes: Sequence[Node], blank: re.Pattern[str]) -> None:
        """Nothing but blanks may stand between nodes."""
        for before, after in pairwise(nodes):
            start, end = before.end_byte, after.start_byte
            if start == end or (end - start == 1 and self.text[start] == " "):
                continue
            if not blank.fullmatch(self.text, start, end):
                raise Unreadable
            words = before.is_named and after.is_named and not {before.type, after.type} & _NO_WORDS
            if _JOIN.fullmatch(self.text, start, end) and not (words or before.type in _OPERATORS):
                raise Unreadable

    def keywords(self, node: Node) -> None:
        """A word of the grammar is one only if it is a word: nothing else may touch it."""
        for child in node.children:
            if child.type in _KEYWORDS:
                start, end = child.start_byte, child.end_byte
                while self.text.endswith("\\\n", 0, start):
                    start -= 2
                if (start and self.text[start - 1] not in _EDGE) or self.text[end : end + 1] not in _ENDS:
                    raise Unreadable

    def _joined(self, end: int, start: int) -> bool:
        """Whether nothing, or only the end of a continued line, stands between two nodes."""
        return start == end or (self.text[end] == "\\" and _JOIN.fullmatch(self.text, end, start) is not None)

    def text_of(self, node: Node) -> str:
        """What a node spans."""
        return self.text[node.start_byte : node.end_byte]

    def _opened(self, redirect: Node, read: Read, scope: Scope, found: Found) -> list[Node]:
        """Take any redirect of a command, and give back the words of the command that stand behind it."""
        simple = read.simple
        end = redirect.end_byte
        if redirect.type != "heredoc_redirect" and (
            self.text[end : end + 1] not in _ENDS or self.text.startswith(_MORE, end)
        ):
            raise Unreadable
        if redirect.type == "file_redirect":
            return self.redirect(redirect, scope, found, simple.redirects)
        if simple.stdin is not None:
            raise Unreadable
        if redirect.type == "herestring_redirect":
            simple.stdin = self.herestring(redirect, scope, found)
            return []
        heredoc = read_heredoc(self.text, redirect)
        arguments = list(heredoc.arguments)
        for inner in heredoc.redirects:
            arguments += self.redirect(inner, scope, found, simple.redirects)
        read.following += heredoc.following
        start, end = heredoc.span
        simple.stdin = self.text[start:end]
        if not heredoc.quoted:
            simple.stdin = self.expander.body(start, end, heredoc.hollows, scope, found)
        return arguments

    def herestring(self, redirect: Node, scope: Scope, found: Found) -> str:
        """The text of ``<<< text``."""
        if self.posix:
            raise Unreadable
        self.gaps(redirect.children, GAP)
        return " ".join(word.shape for word in self.words(redirect.children[1:], scope, found))

    def _condition(self, node: Node, scope: Scope, found: Found) -> list[Word]:
        """The words of ``[ … ]`` and ``[[ … ]]``, which the grammar takes apart as an expression."""
        first, last = node.children[0], node.children[-1]
        doubled = first.type == "[["
        if first.type not in {"[", "[["} or (self.posix and doubled) or last.is_missing:
            raise Unreadable
        self.keywords(node)
        inside = hollows(node, self.text)
        words = self.expander.words(first.start_byte, first.end_byte, {}, scope, found, condition=True)
        at = first.end_byte
        while True:
            gap = (LINES if doubled else GAP).match(self.text, at, last.start_byte)
            at = gap.end() if gap else at
            if at >= last.start_byte:
                break
            end = self._word_end(at, last.start_byte, inside)
            words += self.expander.words(at, end, inside, scope, found, condition=doubled)
            at = end
        return words + self.expander.words(last.start_byte, last.end_byte, {}, scope, found, condition=True)

    def _word_end(self, at: int, end: int, inside: Mapping[int, Node]) -> int:
        quote = ""
        while at < end:
            letter = self.text[at]
            if at in inside and quote != "'":
                at = inside[at].end_byte
                continue
            if letter == "\\" and quote != "'":
                at += 1
            elif quote:
                quote = "" if letter == quote else quote
            elif letter in "'\"":
                quote = letter
            elif letter in " \t\n":
                return at
            at += 1
        return min(at, end)
