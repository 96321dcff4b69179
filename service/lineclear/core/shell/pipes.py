"""Names go through a pipe only from a command that prints nothing else to one that reads nothing else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tree_sitter import Node

    from lineclear.core.shell.found import FoundNames, Handed
    from lineclear.core.shell.simple import Simple

_QUIET = re.compile(r"2>\s*/dev/null")
_READING = re.compile(r"2>\s*/dev/null|<\s*[^\s<>&|;()]+")
_PRINTED = re.compile(r"[12&]?>\s*/dev/null|2>&1")
_TELLING = frozenset({"command", "pipeline", "redirected_statement"})
"""Statements of which all that is printed may come from one command."""


def quiet(redirects: Iterable[str]) -> bool:
    """Whether redirects change neither what a command reads nor what it prints."""
    return all(_QUIET.fullmatch(text) for text in redirects)


def printed_by(told: FoundNames | None, redirects: Iterable[str]) -> FoundNames | None:
    """What a command prints whose input doesn't matter, as it tells a number of whatever it reads."""
    return told if told is not None and told.count and all(_READING.fullmatch(text) for text in redirects) else None


def only_piped(command: Simple, redirects: Sequence[str]) -> bool:
    """Whether a command reads from the pipe before it and prints to the one behind it, whatever redirects it has."""
    return quiet(redirects) and command.stdin is None and len(command.redirects) == len(redirects)


class Pipes:
    """What each statement of a text prints and reads, by where it begins, as far as that is names."""

    def __init__(self) -> None:
        self._told: dict[int, FoundNames] = {}
        self._fed: dict[int, FoundNames] = {}
        self._closed = 0
        self.asked = 0
        """How many pipelines and substitutions are under way, in which it matters what is printed."""

    def tell(self, node: Node, names: FoundNames | None) -> None:
        """A statement prints names, or what isn't known."""
        self._told.pop(node.start_byte, None)
        if names is not None:
            self._told[node.start_byte] = names

    def told(self, node: Node) -> FoundNames | None:
        """What a statement was found to print."""
        return self._told.pop(node.start_byte, None)

    def ended(self, node: Node) -> None:
        """A statement is behind: what the first command in it prints isn't all that most kinds of statement print."""
        if node.type not in _TELLING:
            self._told.pop(node.start_byte, None)

    def feed(self, node: Node, names: FoundNames | None) -> None:
        """A statement stands behind a pipe through which names come."""
        if names is not None and not self._closed:
            self._fed[node.start_byte] = names

    def fed(self, node: Node) -> FoundNames | None:
        """What a statement reads."""
        return self._fed.pop(node.start_byte, None)

    def enter(self, redirects: Iterable[str]) -> bool:
        """A statement with redirects of the whole begins: the grammar gives it those of its last command too.

        Returns what ``leave`` is to be given.
        """
        reads = not all(_PRINTED.fullmatch(text) for text in redirects)
        self._closed += reads
        return reads

    def leave(self, reads: bool) -> None:  # noqa: FBT001 - what `enter` gave
        """It has ended."""
        self._closed -= reads

    def printed_in(self, inner: Iterable[Node], text: str) -> dict[str, Handed]:
        """The names that a substitution becomes, unquoted and in double quotes."""
        nodes = list(inner)
        names = self.told(nodes[0]) if len(nodes) == 1 else None
        if names is None:
            return {}
        quoted = f'"{text}"'
        return {text: names.handed(text), quoted: names.quoted(quoted)}
