"""What a program's description makes of the words of a command: subcommand, options, operands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from lineclear.core.shell.words import Word


class Option(Struct, frozen=True):
    """One option as it was given.

    ``name`` is its canonical spelling by the description (``--recursive`` for ``-r``, ``-R`` and ``-rf``'s first
    letter), or the word itself where the description doesn't list it (``known`` is then false).
    """

    name: str
    value: Word | None = None
    known: bool = True


class Invocation(Struct, frozen=True):
    """A command of a known program, read by its description.

    ``subcommand`` holds the literal words that chose the subcommand, past global options (``("remote", "add")``).
    ``operands`` are the remaining words, in order. ``holes`` says that an unresolved unquoted word stands where an
    option, a subcommand or several words could.
    """

    program: str
    subcommand: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    operands: tuple[Word, ...] = ()
    holes: bool = False
