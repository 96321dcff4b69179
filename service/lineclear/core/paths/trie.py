"""Many patterns, matched at once step by step: the time grows with the path, not with the number of patterns."""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from lineclear.core.paths.pattern import DEEP
from lineclear.core.paths.steps import Glob, Wild

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lineclear.core.paths.pattern import Anchor

Step: TypeAlias = str | Glob
"""A step of a path: a name, or a glob that a shell expands."""


class Vague(Enum):
    """Which of the globs that can expand to a name count as naming it, where a pattern begins at any depth."""

    ALL = "all"
    EXTENSIONS = "extensions"
    """Those that hold a letter of it (``a*``, ``*.json``), not those that may come across it (``*``)."""
    NONE = "none"
    """Those that hold a letter of it before its extension, if there is any."""


class _Node:
    """Where some patterns stand after some steps. ``loops`` is true behind a ``**``, which takes any step."""

    __slots__ = ("below", "covering", "deep", "exact", "heads", "loops", "names", "tails")

    def __init__(self, *, loops: bool = False) -> None:
        self.loops = loops
        self.deep: _Node | None = None
        self.names: dict[str, _Node] = {}
        self.heads: dict[str, _Wilds] = {}
        """Steps with a wildcard by the letter that they begin with."""
        self.tails: dict[str, _Wilds] = {}
        """Those that begin with a wildcard by the letter that they end with, ``""`` where that is a wildcard too."""
        self.covering: list[int] = []
        self.exact: list[int] = []
        self.below: list[int] = []

    def grow(self, step: str) -> _Node:
        """The node behind a pattern's step, made if there is none yet."""
        if step == DEEP:
            if self.deep is None:
                self.deep = _Node(loops=True)
            return self.deep
        if "*" not in step and "?" not in step:
            return self.names.setdefault(step, _Node())
        wild = Wild(step)
        wilds = self.heads.setdefault(wild.head[0], {}) if wild.head else self.tails.setdefault(wild.tail[-1:], {})
        ends = wilds.setdefault((len(wild.head), len(wild.tail)), {}).setdefault((wild.head, wild.tail), {})
        return ends.setdefault(step, (wild, _Node()))[1]

    def by_name(self, name: str) -> list[_Node]:
        """Where a name leads."""
        node = self.names.get(name)
        found = [] if node is None else [node]
        for wilds in (self.heads.get(name[:1]), self.tails.get(name[-1:]), self.tails.get("")):
            if wilds is not None:
                found += _fitting(wilds, name)
        return found

    def by_glob(self, meets: Callable[[str], bool]) -> Iterator[_Node]:
        """Where the steps lead that a glob meets."""
        yield from (node for name, node in self.names.items() if meets(name))
        yield from (node for wild, node in self._each_wild() if meets(wild.text))

    def by_every_expansion(self, glob: Glob) -> Iterator[_Node]:
        """Where all expansions of a glob lead."""
        return (node for wild, node in self._each_wild() if wild.contains(glob))

    def descendants(self) -> Iterator[_Node]:
        """The node, and all that names and folders without a leading dot lead to."""
        yield self
        children = [node for name, node in self.names.items() if name[:1] != "."]
        children += [node for _, node in self._each_wild()]
        for child in children if self.deep is None else [*children, self.deep]:
            yield from child.descendants()

    def _each_wild(self) -> Iterator[tuple[Wild, _Node]]:
        for wilds in (*self.heads.values(), *self.tails.values()):
            for by_ends in wilds.values():
                for ends in by_ends.values():
                    yield from ends.values()


_Wilds: TypeAlias = dict[tuple[int, int], dict[tuple[str, str], dict[str, tuple[Wild, _Node]]]]
"""By the lengths of their literal ends, then by these ends: a name is compared with what can fit it only."""


def _fitting(wilds: _Wilds, name: str) -> Iterator[_Node]:
    for (head, tail), by_ends in wilds.items():
        if len(name) >= head + tail:
            ends = by_ends.get((name[:head], name[len(name) - tail :]))
            if ends is not None:
                yield from (node for wild, node in ends.values() if wild.fits(name))


class Trie:
    """Patterns by anchor, each with the position by which it is known."""

    def __init__(self) -> None:
        self._anchors: dict[Anchor, _Node] = {}

    def __bool__(self) -> bool:
        return bool(self._anchors)

    def __contains__(self, anchor: Anchor) -> bool:
        return anchor in self._anchors

    def add(self, anchor: Anchor, steps: Sequence[str], position: int, *, covers: bool) -> None:
        """Add a pattern; one that ``covers`` holds for everything below what it names, too."""
        node = self._anchors.setdefault(anchor, _Node())
        named = False
        for step in steps:
            if named:
                node.below.append(position)
            node = node.grow(step)
            named = named or step != DEEP
        (node.covering if covers else node.exact).append(position)

    def match(
        self,
        anchor: Anchor,
        path: Iterable[Step],
        *,
        strict: bool = False,
        below: bool = False,
        vague: Vague = Vague.ALL,
    ) -> set[int]:
        """The positions that match a path.

        ``strict`` takes a glob to match only where all its expansions do. ``below`` adds the patterns of places below
        the path. ``vague`` says which globs count where a pattern begins at any depth.
        """
        start = self._anchors.get(anchor)
        if start is None:
            return set()
        found: set[int] = set()
        active = _reach([start], found)
        for step in path:
            reached: Iterable[_Node]
            if isinstance(step, str):
                reached = _by_name(active, step)
            elif strict:
                reached = _by_every_expansion(active, step)
            else:
                reached = _by_glob(active, step, start.deep, vague)
            active = _reach(reached, found)
            if not active:
                break
        for node in active:
            found.update(node.exact)
            if below:
                found.update(node.below)
        return found


def _by_name(active: Iterable[_Node], name: str) -> list[_Node]:
    reached: list[_Node] = []
    for node in active:
        if node.loops:
            reached.append(node)
        reached += node.by_name(name)
    return reached


def _by_every_expansion(active: Iterable[_Node], glob: Glob) -> Iterator[_Node]:
    for node in active:
        if node.loops:
            yield node
        yield from node.by_every_expansion(glob)


def _by_glob(active: Iterable[_Node], glob: Glob, anywhere: _Node | None, vague: Vague) -> Iterator[_Node]:
    naming = partial(glob.names, extensions=vague is not Vague.NONE)
    for node in active:
        if node.loops:
            yield node
        yield from node.by_glob(naming if glob.short or (node is anywhere and vague is not Vague.ALL) else glob.meets)
        if glob.deep and not node.loops:
            yield from node.descendants()


def _reach(nodes: Iterable[_Node], found: set[int]) -> tuple[_Node, ...]:
    """The different nodes, with those that a ``**`` of no folder leads to; what covers is found on the way."""
    active: dict[_Node, None] = {}
    for reached in nodes:
        node: _Node | None = reached
        while node is not None and node not in active:
            active[node] = None
            found.update(node.covering)
            node = node.deep
    return tuple(active)
