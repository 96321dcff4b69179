"""Protected paths: places from which a tool would run something, or that hold secrets. They hold in every mode.

A name is compared after everything is undone by which it could be made to look different; a suspicion is enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from lineclear.core.effects import Deed
from lineclear.core.paths.exceptions import Exceptions
from lineclear.core.paths.ground import ground_of
from lineclear.core.paths.names import protected
from lineclear.core.paths.readings import Loose
from lineclear.core.paths.trie import Vague

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lineclear.core.call import Environment
    from lineclear.core.effects import Touch
    from lineclear.core.paths.pattern import PathPattern
    from lineclear.core.rules.audience import Audience
    from lineclear.core.rules.rule import Layer, Origin
    from lineclear.core.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Protection:
    """One entry of ``protected_paths``.

    ``pattern`` holds at any depth unless it is anchored. ``exceptions`` are anchored at the workspace roots, a bare
    name at any depth inside one, and hold where the lexical and the real path are among them. ``audience`` is for whom
    a team's entry is meant, None for everybody.
    """

    id: str
    pattern: PathPattern
    access: Literal["read", "write", "any"]
    effect: Literal["ask", "deny"]
    exceptions: tuple[PathPattern, ...]
    layer: Layer
    origin: Origin
    audience: Audience | None = None


class Protections:
    """All entries of a policy, in one index."""

    def __init__(self, entries: Iterable[Protection]) -> None:
        self.entries = tuple(entries)
        indexes = {"ask": Loose(protected), "deny": Loose(protected)}
        self._exceptions: dict[int, Exceptions] = {}
        for position, entry in enumerate(self.entries):
            indexes[entry.effect].add(entry.pattern, position)
            if entry.exceptions:
                self._exceptions[position] = Exceptions(entry.pattern, entry.exceptions)
        self._indexes = {effect: index for effect, index in indexes.items() if index}

    def breached(self, touch: Touch, environment: Environment, effect: Verdict | None = None) -> tuple[Protection, ...]:
        """The entries that a touch breaches, in their order: all of them, or those of one effect.

        What removes or moves a folder with all that it holds breaches the entries that name it on the way to a place
        below. A recursive reader doesn't touch what it comes across, nor does a glob that names nothing (``*``) or, for
        a reader, no more than an extension.
        """
        indexes = [index for of, index in self._indexes.items() if effect is None or of == effect.value]
        if touch.place is None or not indexes:
            return ()
        ground = ground_of(environment)
        carries = touch.deed is Deed.MOVE or (touch.recursive and touch.deed is not Deed.READ)
        vague = Vague.NONE if touch.deed is Deed.READ else Vague.EXTENSIONS
        found: set[int] = set()
        for index in indexes:
            found |= index.match(touch.place, ground, glob=touch.glob, below=carries, vague=vague)
        if not found:
            return ()
        return tuple(
            self.entries[position]
            for position in sorted(found)
            if self.entries[position].access in {"any", touch.deed.access.value}
            and not (
                position in self._exceptions and self._exceptions[position].hold(touch.place, ground, glob=touch.glob)
            )
        )
