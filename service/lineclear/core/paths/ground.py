"""The ground: the fixed points of an environment from which paths are read, and the links that it knows of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from lineclear.core.call import Dialect, Environment, Platform
from lineclear.core.paths.addresses import names_of
from lineclear.core.paths.landmarks import home_of, top
from lineclear.core.paths.links import Links
from lineclear.core.paths.names import ascii_case
from lineclear.core.paths.spelling import Family, Spelling, read

if TYPE_CHECKING:
    from collections.abc import Mapping

_FAMILIES = {
    Platform.LINUX: (Family.POSIX,),
    Platform.MACOS: (Family.POSIX,),
    Platform.WINDOWS: (Family.WINDOWS,),
    Platform.UNKNOWN: (Family.POSIX, Family.WINDOWS),
}
_POSIX_SHELLS = frozenset({Dialect.BASH, Dialect.SH, Dialect.ZSH})


MOST_KEPT_CHARS = 16_384
"""Environments whose paths are longer than this together are remembered by nobody, so that what is kept stays small."""


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """An environment, read once: each fixed point with its lexical and its real views. Only itself is equal to it.

    A ``heavy`` one comes with its call and goes with it: nothing that is made of it may be kept.
    """

    platform: Platform
    families: tuple[Family, ...]
    posix_shell: bool
    bases: Mapping[Family, Spelling | None]
    homes: tuple[str, ...]
    cwds: tuple[str, ...]
    roots: tuple[str, ...]
    links: Links
    heavy: bool = False

    @property
    def windows(self) -> bool:
        """Whether Windows' way with names has to be reckoned with."""
        return Family.WINDOWS in self.families

    @property
    def folds(self) -> bool:
        """Whether names that differ in case only are surely the same."""
        return self.platform in {Platform.MACOS, Platform.WINDOWS}

    def key(self, path: str) -> str:
        """What two paths have in common that surely are the same; letters beyond ASCII fold differently everywhere."""
        return ascii_case(path) if self.folds else path


class _Last:
    """The environment that was asked for last, and its ground: a call asks for that of its own a hundred times."""

    __slots__ = ("pair",)

    def __init__(self) -> None:
        self.pair: tuple[Environment, Ground] | None = None


_LAST = _Last()


def ground_of(environment: Environment) -> Ground:
    """The ground of an environment; the same environment gives the same ground."""
    pair = _LAST.pair
    if pair is not None and pair[0] is environment:
        return pair[1]
    resolved = environment.real_paths
    chars = sum(map(len, environment.roots or ())) + sum(map(len, resolved)) + sum(map(len, resolved.values()))
    given = (
        environment.cwd, environment.roots, environment.home, environment.platform, environment.dialect,
        tuple(resolved.items()),
    )  # fmt: skip
    ground = _ground(*given) if chars <= MOST_KEPT_CHARS else replace(_ground.__wrapped__(*given), heavy=True)
    _LAST.pair = (environment, ground)
    return ground


@lru_cache(maxsize=512)
def _ground(
    cwd: str | None,
    roots: tuple[str, ...] | None,
    home: str | None,
    platform: Platform,
    dialect: Dialect,
    real_paths: tuple[tuple[str, str], ...],
) -> Ground:
    families = _FAMILIES[platform]
    bases = {family: _absolute(cwd, family) for family in families}
    nothing = Links({}, str, families[0])
    bare = Ground(platform, families, dialect in _POSIX_SHELLS, bases, (), (), (), nothing)
    linked = replace(bare, links=_links(bare, real_paths))
    housed = replace(linked, homes=_views(linked, (home,)), cwds=_views(linked, (cwd,)))
    return replace(housed, roots=tuple(root for root in _views(linked, roots or ()) if not _beyond(root, housed)))


def _beyond(root: str, ground: Ground) -> bool:
    """Whether a root, or what it turns out to be behind a link, is more than a workspace can be."""
    names = names_of(root)
    return top(root, names) is not None or home_of(root, names, ground) is not None


def _links(bare: Ground, real_paths: tuple[tuple[str, str], ...]) -> Links:
    """What the caller resolved, by absolute path; what isn't resolved to an absolute one is left out."""
    links: dict[str, str] = {}
    for spelled, target in real_paths:
        for family in bare.families:
            real = _absolute(target, family)
            if real is None:
                continue
            start = read(spelled, family)
            base = bare.bases[family]
            if start.relative and base is not None:
                start = Spelling(base.anchor, base.steps + start.steps)
            links.setdefault(bare.key(start.text), real.text)
    return Links(links, bare.key, bare.families[0])


def _views(ground: Ground, paths: tuple[str | None, ...]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for path in paths:
        for family in ground.families:
            spelling = _absolute(path, family)
            if spelling is not None:
                found[spelling.text] = None
                real, _ = ground.links.real(spelling)
                if real is not None:
                    found[real] = None
    return tuple(found)


def _absolute(path: str | None, family: Family) -> Spelling | None:
    """A path that says itself where it starts, without ``..``; None for any other."""
    if path is None:
        return None
    spelling = read(path, family).collapsed()
    return spelling if spelling.absolute and ".." not in spelling.steps else None
