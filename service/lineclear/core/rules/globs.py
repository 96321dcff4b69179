"""A star stands for any run of characters, the empty one too; nothing else in a pattern is special.

The one wildcard of the policy language outside of paths. Matching is linear: no pattern and no text can make it slow.
"""

from __future__ import annotations

from dataclasses import dataclass

STAR = "\ufdd1"
"""Stands for a wildcard in a pattern that was split into words. A Unicode noncharacter, so that no literal holds it."""


@dataclass(frozen=True, slots=True)
class Glob:
    """A pattern as the literal pieces between its stars; one piece means no star."""

    pieces: tuple[str, ...]

    @staticmethod
    def of(text: str, star: str = "*") -> Glob:
        """The pattern of a text in which ``star`` is the wildcard."""
        return Glob(tuple(text.split(star)))

    @property
    def literal(self) -> str | None:
        """The only text that it matches, None where it has a star."""
        return self.pieces[0] if len(self.pieces) == 1 else None

    @property
    def everything(self) -> bool:
        """Whether it is a star and nothing else."""
        return len(self.pieces) > 1 and not any(self.pieces)

    def matches(self, text: str) -> bool:
        """Whether the whole text fits."""
        first, *rest = self.pieces
        if not rest:
            return text == first
        last = rest.pop()
        if len(text) < len(first) + len(last) or not text.startswith(first) or not text.endswith(last):
            return False
        at, end = len(first), len(text) - len(last)
        for piece in rest:
            found = text.find(piece, at, end)
            if found < 0:
                return False
            at = found + len(piece)
        return True

    def meets(self, other: Glob) -> bool:
        """Whether some text fits both."""
        if self.literal is not None:
            return other.matches(self.literal)
        if other.literal is not None:
            return self.matches(other.literal)
        mine, theirs = self.pieces, other.pieces
        return _agree(mine[0], theirs[0]) and _agree(mine[-1][::-1], theirs[-1][::-1])


def _agree(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)
