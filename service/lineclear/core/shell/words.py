"""A shell word: what the shell would make of it, and what can't be known before it runs."""

from __future__ import annotations

from msgspec import Struct

HOLE = "\ufdd0"
"""Stands in a word's shape for what can't be known. A Unicode noncharacter; a text that holds it is not analysed."""


SOMETHING = "\N{CURRENCY SIGN}"
"""Stands for it in a path of which only the rest counts: a letter that nobody puts into the name of a pattern."""


class Word(Struct, frozen=True):
    """One word of a simple command, resolved as the shell would resolve it.

    ``shape`` is its value, with ``HOLE`` for each part that can't be known. ``raw`` is what stands in the text.
    ``quoted`` says of a word with holes that all of them are double-quoted, so that it is exactly one word whatever
    its value. ``glob`` says that ``shape`` is a pattern that the shell expands to file names; with ``quoted``, that it
    is exactly one path that fits the pattern. ``several`` says that the program gets many such words in its place;
    ``torn``, that a blank or a line's end in a name may have made several of it, of which each may be any text.
    """

    shape: str
    raw: str
    quoted: bool = False
    glob: bool = False
    several: bool = False
    torn: bool = False

    @property
    def text(self) -> str | None:
        """The literal value, or None where it can't be known."""
        return None if HOLE in self.shape else self.shape

    @property
    def literal(self) -> bool:
        """Whether the program gets exactly this text: no hole, no expansion to file names."""
        return HOLE not in self.shape and not self.glob and not self.several
