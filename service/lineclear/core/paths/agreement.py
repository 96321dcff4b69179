"""Two globs of ``*`` and ``?``: is there a name that both stand for, and is there one of which both spell out a letter.

The time grows with the length of one of them: all places in the other that its letters can lead to are the bits of one
number, so that each letter moves them all at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_MAX_CELLS = 65_536
"""Above this product of lengths two globs are taken to agree."""


def agreement(glob: str, step: str, counted: int) -> bool | None:
    """None where no name is one that both stand for; else whether both spell out a letter of such a name.

    Of the step the first ``counted`` characters count, dots apart. It is a pattern's: what is known of it is kept.
    """
    if (len(glob) + 1) * (len(step) + 1) > _MAX_CELLS:
        return True
    places = _places(step, counted)
    reached, agreed = places.passed(1), 0
    for letter in glob:
        if letter == "*":
            reached, agreed = places.from_lowest(reached), places.from_lowest(agreed)
        elif letter == "?":
            reached, agreed = places.moved(reached, places.singles), places.moved(agreed, places.singles)
        else:
            same = places.letters.get(letter, 0)
            both = places.moved(reached & same & places.counted, same)
            reached, agreed = (places.moved(bits, same | places.marks) for bits in (reached, agreed))
            agreed |= both
        if not reached:
            return None
    return bool(agreed & places.end) if reached & places.end else None


@dataclass(frozen=True, slots=True)
class _Places:
    """A step, each place in it a bit, the first the lowest: where each letter stands, each ``?`` and each ``*``.

    ``singles`` are the places of one character, ``counted`` those of letters that count; ``end`` is behind the last.
    """

    letters: Mapping[str, int]
    marks: int
    stars: int
    singles: int
    counted: int
    end: int

    def moved(self, bits: int, over: int) -> int:
        """Where one more character of a name leads: behind the places ``over`` which it can go, or on at a star."""
        return self.passed((bits & over) << 1 | bits & self.stars)

    def passed(self, bits: int) -> int:
        """With the places behind stars, which may stand for nothing."""
        while (more := (bits & self.stars) << 1) & ~bits:
            bits |= more
        return bits

    def from_lowest(self, bits: int) -> int:
        """The lowest place and all behind it."""
        return (self.end << 1) - (bits & -bits) if bits else 0


@lru_cache(maxsize=4096)
def _places(step: str, counted: int) -> _Places:
    letters: dict[str, int] = {}
    for at, letter in enumerate(step):
        letters[letter] = letters.get(letter, 0) | 1 << at
    stars, marks = letters.pop("*", 0), letters.pop("?", 0)
    end = 1 << len(step)
    dots = letters.get(".", 0)
    plain = (end - 1) & ~(stars | marks)
    return _Places(letters, marks, stars, plain | marks, plain & ~dots & (1 << counted) - 1, end)
