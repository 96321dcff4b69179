"""The two readings of patterns: the loose one of what denies, asks or protects, the strict one of what allows."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from lineclear.core.paths import addresses
from lineclear.core.paths.expansions import expansions, steps_of
from lineclear.core.paths.pattern import DEEP, Anchor, PathPattern
from lineclear.core.paths.trie import Trie, Vague

if TYPE_CHECKING:
    from collections.abc import Callable

    from lineclear.core.paths.ground import Ground
    from lineclear.core.paths.place import Place


_MOST_KEPT = 64
"""So many places are remembered: a command that names one of them a hundred times is looked up once."""


class Loose:
    """Patterns of what denies, asks or protects: any view, any address."""

    def __init__(self, fold: Callable[[str], str]) -> None:
        self._fold, self._trie = fold, Trie()
        self._kept = lru_cache(maxsize=_MOST_KEPT)(self._match)

    def __bool__(self) -> bool:
        return bool(self._trie)

    def add(self, pattern: PathPattern, position: int) -> None:
        """Add a pattern. It covers what is in the folder that it names, and with ``folder/**`` the folder itself."""
        steps = [step if step == DEEP else self._fold(step) for step in pattern.steps]
        while steps and steps[-1] == DEEP:
            steps.pop()
        if pattern.anchor is Anchor.FREE:
            steps.insert(0, DEEP)
        self._trie.add(pattern.anchor, steps, position, covers=True)
        self._kept.cache_clear()

    def match(
        self, place: Place, ground: Ground, *, glob: bool, below: bool = False, vague: Vague = Vague.ALL
    ) -> frozenset[int]:
        """The positions that match; for ``below`` and ``vague`` see ``Trie.match``."""
        if not self._trie:
            return frozenset()
        matching = self._match if ground.heavy else self._kept
        return matching(place, ground, glob=glob, below=below, vague=vague)

    def _match(self, place: Place, ground: Ground, *, glob: bool, below: bool, vague: Vague) -> frozenset[int]:
        found: set[int] = set()
        for view in place.views:
            for anchor, path in addresses.loose(view, ground, self._fold):
                if anchor not in self._trie:
                    continue
                for steps in expansions(path, glob=glob, windows=ground.windows):
                    found |= self._trie.match(anchor, steps, below=below, vague=vague)
        return frozenset(found)


class Strict:
    """Patterns of what allows: every view, one address, nothing in doubt."""

    def __init__(self, fold: Callable[[str], str]) -> None:
        self._fold, self._trie = fold, Trie()

    def add(self, pattern: PathPattern, position: int) -> None:
        """Add a pattern. It covers what is in a folder only where the folder's name is written out."""
        steps = [step if step == DEEP else self._fold(step) for step in pattern.steps]
        anchor = pattern.anchor
        if anchor in {Anchor.START, Anchor.FREE}:
            anchor = Anchor.ROOT
        if pattern.bare:
            steps.insert(0, DEEP)
        if steps and steps[-1] == DEEP:
            while steps and steps[-1] == DEEP:
                steps.pop()
            self._trie.add(anchor, [*steps, "*"], position, covers=True)
            if not steps:
                self._trie.add(anchor, steps, position, covers=True)
            return
        literal = not steps or ("*" not in steps[-1] and "?" not in steps[-1])
        self._trie.add(anchor, steps, position, covers=literal)

    def match(self, place: Place, ground: Ground, *, glob: bool) -> set[int]:
        """The positions that match every view of a place."""
        if place.adrift or place.doubtful or not self._trie:
            return set()
        found: set[int] | None = None
        for view in place.views:
            here = self._match(view, ground, glob=glob)
            found = here if found is None else found & here
            if not found:
                break
        return found or set()

    def _match(self, view: str, ground: Ground, *, glob: bool) -> set[int]:
        found: set[int] = set()
        for anchor, path in addresses.strict(view, ground, self._fold):
            steps = steps_of(path, glob=glob)
            found |= self._trie.match(anchor, steps, strict=True)
        return found
