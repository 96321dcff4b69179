"""Exceptions of a protected path: anchored at the workspace roots, and proven for every view.

One within the protected folder itself (``.claude/worktrees/``) frees what lies there, but not a ``.claude/`` in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.paths import addresses, names
from lineclear.core.paths.expansions import steps_of
from lineclear.core.paths.pattern import DEEP, Anchor, PathPattern, PatternError
from lineclear.core.paths.steps import Glob, Wild
from lineclear.core.paths.trie import Trie, Vague

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lineclear.core.paths.ground import Ground
    from lineclear.core.paths.place import Place
    from lineclear.core.paths.trie import Step


class Exceptions:
    """The exceptions of one entry."""

    def __init__(self, entry: PathPattern, exceptions: tuple[PathPattern, ...]) -> None:
        """Raise ``PatternError`` for an exception that isn't anchored at the workspace roots."""
        for exception in exceptions:
            if exception.anchor in {Anchor.FILE_SYSTEM, Anchor.HOME}:
                raise PatternError(
                    f"exception `{exception.text}` lies outside of workspaces: "
                    "write it from `/`, the workspace's root, or as a bare name"
                )
        self._entry = Trie()
        if entry.anchor is Anchor.FREE:
            self._entry.add(Anchor.FREE, [DEEP, *map(names.protected, entry.steps)], 0, covers=True)
        self._exceptions = tuple((exception, self._holds(exception.steps, glob=True)) for exception in exceptions)

    def hold(self, place: Place, ground: Ground, *, glob: bool) -> bool:
        """Whether every view of a place is surely among the exceptions."""
        return not (place.adrift or place.doubtful) and all(self._free(view, ground, glob=glob) for view in place.views)

    def _free(self, view: str, ground: Ground, *, glob: bool) -> bool:
        fold = names.ascii_case if ground.folds else names.exact
        for anchor, path in addresses.strict(view, ground, fold):
            if anchor is not Anchor.ROOT:
                continue
            steps = steps_of(path, glob=glob)
            for exception, within in self._exceptions:
                pattern = [fold(step) for step in exception.steps]
                for covered in _covered(pattern, steps, anywhere=exception.bare):
                    if not (within and self._holds(path[covered:], glob=glob)):
                        return True
        return False

    def _holds(self, path: Sequence[str], *, glob: bool) -> bool:
        """Whether the entry, if it isn't anchored, holds for a path taken by itself."""
        folded = [names.protected(name) for name in path]
        return bool(self._entry.match(Anchor.FREE, steps_of(folded, glob=glob), vague=Vague.EXTENSIONS))


def _covered(pattern: Sequence[str], path: Sequence[Step], *, anywhere: bool) -> Iterator[int]:
    """How many steps of a path a pattern takes, if what then is left lies in a folder that it names."""
    content = bool(pattern) and pattern[-1] == DEEP
    if content:
        pattern = pattern[:-1]
    named = content or not (pattern and ("*" in pattern[-1] or "?" in pattern[-1]))
    for start in range(len(path)) if anywhere else range(1):
        for end in _ends(pattern, path, start):
            if (named and end < len(path)) or (end == len(path) and not content):
                yield end


def _ends(pattern: Sequence[str], path: Sequence[Step], at: int) -> Iterator[int]:
    if not pattern:
        yield at
    elif pattern[0] == DEEP:
        for skipped in range(at, len(path) + 1):
            yield from _ends(pattern[1:], path, skipped)
    elif at < len(path) and _stands_for(pattern[0], path[at]):
        yield from _ends(pattern[1:], path, at + 1)


def _stands_for(step: str, mine: Step) -> bool:
    wild = "*" in step or "?" in step
    if isinstance(mine, Glob):
        return wild and Wild(step).contains(mine)
    return Wild(step).fits(mine) if wild else step == mine
