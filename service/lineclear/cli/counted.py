"""How many there are of something, in words for people: `1 link`, `2 links`."""

from __future__ import annotations


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun; ``many`` is the plural, ``one`` with an `s` if it isn't given."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def times(number: int) -> str:
    """How often something came, to stand behind it; nothing where it came once."""
    return "" if number == 1 else f" ({number} times)"
