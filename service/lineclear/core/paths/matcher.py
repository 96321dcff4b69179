"""The index of path patterns: which of very many match a place, by the reading that each effect calls for.

What denies or asks matches by any view and any reading; what allows by every view under one strict reading.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.call import Platform
from lineclear.core.paths import names
from lineclear.core.paths.ground import ground_of
from lineclear.core.paths.readings import Loose, Strict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lineclear.core.call import Environment
    from lineclear.core.paths.pattern import PathPattern
    from lineclear.core.paths.place import Place

_MAY_FOLD = frozenset({Platform.MACOS, Platform.WINDOWS, Platform.UNKNOWN})


class PathIndex:
    """Patterns by position, each strict (it allows) or not."""

    def __init__(self, patterns: Iterable[tuple[PathPattern, bool]]) -> None:
        self._loose, self._loose_folded = Loose(names.exact), Loose(names.any_case)
        self._strict, self._strict_folded = Strict(names.exact), Strict(names.ascii_case)
        for position, (pattern, allows) in enumerate(patterns):
            for index in (self._strict, self._strict_folded) if allows else (self._loose, self._loose_folded):
                index.add(pattern, position)

    def match(self, place: Place, environment: Environment, *, glob: bool = False) -> frozenset[int]:
        """The positions of the patterns that match a place; ``glob`` says that a shell expands its path."""
        ground = ground_of(environment)
        loose = self._loose_folded if ground.platform in _MAY_FOLD else self._loose
        strict = self._strict_folded if ground.folds else self._strict
        return frozenset(loose.match(place, ground, glob=glob) | strict.match(place, ground, glob=glob))
