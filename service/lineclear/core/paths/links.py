"""Links: the real paths that the caller gave, and what follows from them for what lies below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.paths.spelling import Family, Spelling, read

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Links:
    """Real paths by the path that they were resolved for: absolute where that is known, its ``..`` kept."""

    def __init__(self, targets: Mapping[str, str], fold: Callable[[str], str], family: Family) -> None:
        self._targets, self._fold, self._family = targets, fold, family
        self._longest = max(map(len, targets), default=0)

    def real(self, spelling: Spelling) -> tuple[str | None, bool]:
        """The path behind the links, None if none is known; and whether the caller resolved this very path.

        The entry of the normalised path doesn't vouch for a spelling that climbs: ``link/..`` leads elsewhere.
        """
        if not self._targets:
            return None, False
        exact = self._target(spelling.text)
        if exact is not None:
            return exact, True
        return self._through(spelling) or self._target(spelling.collapsed().text), False

    def _through(self, spelling: Spelling) -> str | None:
        """Where the steps lead one after the other, None if no link is on the way."""
        reached, linked = Spelling(spelling.anchor, ()).text if spelling.anchor else "", False
        for step in spelling.steps:
            if step == "..":
                reached = read(f"{reached}/..", self._family).collapsed().text
            else:
                reached += step if reached.endswith("/") or not reached else f"/{step}"
            target = self._target(reached)
            if target is not None:
                reached, linked = target, True
        return reached if linked else None

    def _target(self, path: str) -> str | None:
        return self._targets.get(self._fold(path)) if len(path) <= self._longest else None
