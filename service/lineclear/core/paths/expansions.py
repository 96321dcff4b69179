"""What the names of a path may stand for: globs that a shell expands, and Windows' short names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.paths.short_names import is_short, long_names
from lineclear.core.paths.steps import glob_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lineclear.core.paths.trie import Step


def steps_of(names: Sequence[str], *, glob: bool) -> Sequence[Step]:
    """The names as steps; with ``glob`` those that a shell expands as globs."""
    return [glob_of(name) or name for name in names] if glob else names


def expansions(names: Sequence[str], *, glob: bool, windows: bool) -> Iterator[Sequence[Step]]:
    """The steps that names may stand for, the plain ones first."""
    yield steps_of(names, glob=glob)
    if windows and any(is_short(name) for name in names):
        for dotted in (False, True):
            yield [next((long for long in long_names(name) if long.dotted is dotted), name) for name in names]
