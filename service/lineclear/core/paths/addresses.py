"""Addresses: one path as each anchor of a pattern sees it, step by step."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from lineclear.core.call import Platform
from lineclear.core.paths.pattern import Anchor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lineclear.core.paths.ground import Ground

Names: TypeAlias = tuple[str, ...]
Fold: TypeAlias = "Callable[[str], str]"

_LINKED_BY_MACOS = frozenset({"etc", "tmp", "var"})
"""Folders of the root that macOS links to ``/private``."""

_DRIVES = frozenset({"mnt", "cygdrive"})
"""Folders of the root in which Unix systems on Windows show the drives."""


@lru_cache(maxsize=4096)
def names_of(path: str) -> Names:
    """The names of a normalised path; those of an absolute one from the root, a drive being the first folder."""
    if path[1:3] == ":/":
        return (path[0].lower(), *_names(path[3:]))
    return _names(path)


@lru_cache(maxsize=4096)
def folded(names: Names, fold: Fold) -> Names:
    """The names, each folded."""
    return tuple(map(fold, names))


def absolute(path: str) -> bool:
    """Whether a normalised path says where it starts."""
    return path[:1] == "/" or path[1:3] == ":/"


def loose(view: str, ground: Ground, fold: Fold) -> Iterator[tuple[Anchor, Names]]:
    """Every address that a path may have, folded, for what denies, asks or protects."""
    names = names_of(view)
    if not absolute(view):
        yield from _from_somewhere(folded(names, fold))
        return
    for known in known_as(names, ground):
        path = folded(known, fold)
        yield Anchor.FREE, path
        yield Anchor.FILE_SYSTEM, path
        for root in ground.roots:
            if (rest := _rest(path, folded(names_of(root), fold))) is not None:
                yield Anchor.ROOT, rest
                yield Anchor.START, rest
        for cwd in ground.cwds:
            if cwd not in ground.roots and (rest := _rest(path, folded(names_of(cwd), fold))) is not None:
                yield Anchor.START, rest
        for home in ground.homes:
            if (rest := _rest(path, folded(names_of(home), fold))) is not None:
                yield Anchor.HOME, rest


def strict(view: str, ground: Ground, fold: Fold) -> Iterator[tuple[Anchor, Names]]:
    """The addresses that a path surely has, folded, for what allows.

    Where nobody named roots or a directory, the one in which the call starts stands for the root.
    """
    path = folded(names_of(view), fold)
    if absolute(view):
        yield Anchor.FILE_SYSTEM, path
        for anchor, bases in ((Anchor.ROOT, ground.roots), (Anchor.HOME, ground.homes)):
            for base in bases:
                if (rest := _rest(path, folded(names_of(base), fold))) is not None:
                    yield anchor, rest
    elif view[:1] == "~":
        if path[0] == "~" and ".." not in path:
            yield Anchor.HOME, path[1:]
    elif not ground.roots and path[:1] != ("..",):
        yield Anchor.ROOT, path


def known_as(names: Names, ground: Ground) -> Iterator[Names]:
    """The names of an absolute path, and those under which the system shows the same place by links of its own."""
    yield names
    if len(names) < 2:  # noqa: PLR2004 - a link of the system's, and what is behind it
        return
    first, second = names[0].casefold(), names[1].casefold()
    if ground.platform in {Platform.MACOS, Platform.UNKNOWN}:
        if first == "private" and second in _LINKED_BY_MACOS:
            yield names[1:]
        elif first in _LINKED_BY_MACOS:
            yield ("private", *names)
    if first in _DRIVES and len(second) == 1:
        yield names[1:]
    if first == "proc" and len(names) > 2:  # noqa: PLR2004 - /proc/<process>/<link>
        if names[2] == "root":
            yield from known_as(names[3:], ground)
        elif names[2] == "cwd":
            for cwd in ground.cwds:
                yield (*names_of(cwd), *names[3:])


def _names(path: str) -> Names:
    return tuple(name for name in path.split("/") if name not in {"", "."})


def _rest(path: Names, base: Names) -> Names | None:
    """What follows a folder's names, None if it isn't that folder."""
    return path[len(base) :] if path[: len(base)] == base else None


def _from_somewhere(names: Names) -> Iterator[tuple[Anchor, Names]]:
    """The addresses of a path from a directory or a home that isn't known: it may be any of them."""
    if names[:1] and names[0][:1] == "~":
        yield Anchor.FREE, names[1:]
        if names[0] == "~":
            yield Anchor.HOME, names[1:]
        return
    while names[:1] == ("..",):
        names = names[1:]
    for anchor in Anchor:
        yield anchor, names
