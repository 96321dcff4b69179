"""Workspace roots: which folders may be one, and how later calls narrow those that a session has."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from lineclear.core.call import Environment
from lineclear.core.paths.addresses import absolute, names_of
from lineclear.core.paths.ground import ground_of
from lineclear.core.paths.landmarks import home_of, top
from lineclear.core.paths.locate import inside, locate
from lineclear.core.paths.matcher import PathIndex
from lineclear.core.paths.pattern import DEEP, Anchor, PathPattern
from lineclear.core.paths.spelling import Family, read

_DRIVE_FOLDERS = frozenset({"mnt", "cygdrive"})


def is_absolute(path: str) -> bool:
    """Whether a path says itself where it starts, on some platform; ``~`` doesn't."""
    return any(read(path, family).absolute for family in Family)


def acceptable_root(root: str, environment: Environment, allow_roots: tuple[str, ...] | None) -> bool:
    """Whether a folder may be a workspace root.

    Never a root of a file system, a drive or a share, a home, or a folder that holds one; and only what one of
    ``allow_roots`` matches, where there are any. These are path patterns, checked when the policy is loaded; as there
    is no workspace yet, ``/p`` is read from the root of the file system there.
    """
    ground = ground_of(environment)
    place = locate(root, environment, None)
    views = [view for view in place.views if absolute(view)]
    if not views or place.doubtful:
        return False
    for view in views:
        names = names_of(view)
        if top(view, names) is not None or home_of(view, names, ground) is not None or _shows_drive(names):
            return False
    return allow_roots is None or bool(_allowed(allow_roots).match(place, environment))


def listed(folder: str, environment: Environment, patterns: tuple[str, ...]) -> bool:
    """Whether a folder is surely one that the patterns name, read as those of ``allow_roots``."""
    return bool(_allowed(patterns).match(locate(folder, environment, None), environment))


def narrowed(
    fixed: tuple[str, ...], asked: tuple[str, ...], environment: Environment | None = None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Of the roots that a later call asks for, those that lie in the session's, and those that are ignored."""
    within = replace(environment or Environment(), roots=fixed)
    kept = tuple(root for root in asked if inside(locate(root, within, None), within, writing=False))
    return kept, tuple(root for root in asked if root not in kept)


def _shows_drive(names: tuple[str, ...]) -> bool:
    return len(names) == 2 and names[0] in _DRIVE_FOLDERS and len(names[1]) == 1  # noqa: PLR2004 - /mnt/c


@lru_cache(maxsize=64)
def _allowed(patterns: tuple[str, ...]) -> PathIndex:
    return PathIndex((_from_the_root(PathPattern.parse(text)), True) for text in patterns)


def _from_the_root(pattern: PathPattern) -> PathPattern:
    if pattern.anchor is Anchor.FREE:
        return replace(pattern, anchor=Anchor.FILE_SYSTEM, steps=(DEEP, *pattern.steps))
    return pattern if pattern.anchor is Anchor.HOME else replace(pattern, anchor=Anchor.FILE_SYSTEM)
