"""Addresses: one path as each anchor of a pattern sees it, step by step."""

from __future__ import annotations

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


def names_of(path: str) -> Names:
    """The names of a normalised path; those of an absolute one from the root, a drive being the first folder."""
    if path[1:3] == ":/":
        return (path[0].lower(), *_names(path[3:]))
    return _names(path)


def absolute(path: str) -> bool:
    """Whether a normalised path says where it starts."""
    return path[:1] == "/" or path[1:3] == ":/"


def loose(view: str, ground: Ground, fold: Fold) -> Iterator[tuple[Anchor, Names]]:
    """Every address that a path may have, for what denies, asks or protects."""
    names = names_of(view)
    if not absolute(view):
        yield from _from_somewhere(names)
        return
    for known in _known_as(names, ground):
        yield Anchor.FREE, known
        yield Anchor.FILE_SYSTEM, known
        for anchor, bases in ((Anchor.ROOT, ground.roots), (Anchor.START, ground.roots + ground.cwds)):
            for base in bases:
                if (rest := _rest(known, names_of(base), fold)) is not None:
                    yield anchor, rest
        for home in ground.homes:
            if (rest := _rest(known, names_of(home), fold)) is not None:
                yield Anchor.HOME, rest


def strict(view: str, ground: Ground, fold: Fold) -> Iterator[tuple[Anchor, Names]]:
    """The addresses that a path surely has, for what allows; a start that nobody named stands for the root."""
    names = names_of(view)
    if absolute(view):
        yield Anchor.FILE_SYSTEM, names
        for root in ground.roots:
            if (rest := _rest(names, names_of(root), fold)) is not None:
                yield Anchor.ROOT, rest
        for home in ground.homes:
            if (rest := _rest(names, names_of(home), fold)) is not None:
                yield Anchor.HOME, rest
    elif view[:1] == "~":
        if names[0] == "~" and ".." not in names:
            yield Anchor.HOME, names[1:]
    elif not ground.roots and names[:1] != ("..",):
        yield Anchor.ROOT, names


def _names(path: str) -> Names:
    return tuple(name for name in path.split("/") if name not in {"", "."})


def _rest(names: Names, base: Names, fold: Fold) -> Names | None:
    """What follows a folder's names, None if it isn't that folder."""
    if len(names) < len(base) or any(fold(mine) != fold(other) for mine, other in zip(names, base, strict=False)):
        return None
    return names[len(base) :]


def _from_somewhere(names: Names) -> Iterator[tuple[Anchor, Names]]:
    """The addresses of a path from a directory or a home that isn't known: it may be any of them."""
    if names[:1] and names[0][0] == "~":
        yield Anchor.FREE, names[1:]
        if names[0] == "~":
            yield Anchor.HOME, names[1:]
        return
    while names[:1] == ("..",):
        names = names[1:]
    for anchor in Anchor:
        yield anchor, names


def _known_as(names: Names, ground: Ground) -> Iterator[Names]:
    """The names, and those under which the system knows the same place by links of its own."""
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
            yield from _known_as(names[3:], ground)
        elif names[2] == "cwd":
            for cwd in ground.cwds:
                yield (*names_of(cwd), *names[3:])
