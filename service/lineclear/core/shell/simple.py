"""A simple command as it stands in a text: words, assignments and redirects, each as the shell resolves it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, field

if TYPE_CHECKING:
    from lineclear.core.effects import Doubt
    from lineclear.core.shell.found import FoundNames, Handed
    from lineclear.core.shell.scope import Scope
    from lineclear.core.shell.words import Word

MAX_TOUCHES = 400
"""How many paths one text may touch, and how often."""

MAX_WORDS = 1_000
"""How many words all commands of one text may have."""


class Redirect(Struct, frozen=True):
    """A file that the shell opens. ``target`` is None where the text names no single file."""

    operator: str
    target: Word | None
    raw: str


class Simple(Struct):
    """A simple command. ``names`` are the variables whose values stand in it, ``stdin`` a here-document's text.

    ``fed`` are the names that it reads from a pipe, ``known`` those that stand for words that can't be known, by how
    these are spelled; ``named`` are paths for which it is run, though no word shows them.
    """

    words: list[Word]
    text: str
    scope: Scope
    assigned: list[tuple[str, str | None]] = field(default_factory=list)
    redirects: list[Redirect] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    stdin: str | None = None
    fed: FoundNames | None = None
    known: dict[str, Handed] = field(default_factory=dict)
    named: tuple[Word, ...] = ()


class Sink(Protocol):
    """Who takes what a text is found to hold."""

    def simple(self, command: Simple) -> FoundNames | None:
        """Take a simple command, and give back which names it prints; its scope is changed as running it would."""

    def redirects(self, redirects: list[Redirect], scope: Scope) -> bool:
        """Take files that are opened for several commands, or for none."""

    def moves(self, text: str) -> bool:
        """Whether a text may hold a command that changes the directory."""

    def tells_folder(self, text: str) -> bool:
        """Whether a text is a command that prints the directory in which it runs, and nothing else."""

    def suppose(self, assignment: str) -> None:
        """Take note of what an assignment may put into a variable, as it is spelled."""

    def hear(self, text: str) -> None:
        """Take note of a text that several commands have for their input."""

    def doubt(self, doubt: Doubt, unread: str = "") -> None:
        """Take note that the structure can't be told, and which piece of the text isn't followed."""

    def full(self) -> bool:
        """Whether there is no use in finding more."""
