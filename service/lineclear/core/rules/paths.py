"""The paths of a rule and how they must be touched: what counts for a denial doesn't count for an allowance."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lineclear.core.effects import Access, Touch
    from lineclear.core.paths.pattern import PathPattern


class Touching(StrEnum):
    """Which touches a rule's ``access`` means."""

    READ = "read"
    WRITE = "write"
    ANY = "any"

    def means(self, access: Access) -> bool:
        """Whether a touch of this access is meant."""
        return self is Touching.ANY or self.value == access.value


@dataclass(frozen=True, slots=True)
class PathMatcher:
    """The path patterns of a rule, of which any may match, and the access that they are about."""

    patterns: tuple[PathPattern, ...]
    access: Touching = Touching.ANY

    def means(self, touch: Touch) -> bool:
        """Whether the rule is about touches of this kind at all."""
        return self.access.means(touch.deed.access)
