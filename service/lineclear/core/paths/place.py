"""A place: where a spelled path leads, lexically and, where the caller resolved it, in truth."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A normalised path.

    ``lexical`` has forward slashes, no ``.`` and no ``..`` that could be removed; it is absolute (``/a/b``, ``C:/a``,
    ``//server/share/a``), or relative where the directory isn't known (``src/a.py``, ``../x``). ``real`` is the path
    behind all links, None where nobody vouched for one: the place is then *lexical only*.
    Only ``core.paths.locate`` makes places.
    """

    spelled: str
    lexical: str
    real: str | None = None

    @property
    def views(self) -> tuple[str, ...]:
        """The one or two paths on which rules are matched."""
        return (self.lexical,) if self.real is None or self.real == self.lexical else (self.lexical, self.real)
