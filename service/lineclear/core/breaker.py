"""The denial breaker of a session: after too many denials by the classifier, a person decides.

A state machine over values; the database applies the same steps in one statement each, so that every replica and all
sub-agents share one breaker. Only what the classifier said counts: no rule, no outage, no read in between.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class OpenedBy(StrEnum):
    """Which limit opened a breaker; both at once is ``TOTAL``."""

    CONSECUTIVE = "consecutive"
    TOTAL = "total"


@dataclass(frozen=True, slots=True)
class Limits:
    """Denials in a row, and in all, at which a session's breaker opens (source: the two-stage design's 3 and 20)."""

    consecutive: int = 3
    total: int = 20


@dataclass(frozen=True, slots=True)
class Breaker:
    """A session's breaker. ``opening`` counts its openings."""

    consecutive: int = 0
    total: int = 0
    opened_by: OpenedBy | None = None
    opening: int = 0

    @property
    def open(self) -> bool:
        """Whether what would go to the classifier goes to a person."""
        return self.opened_by is not None

    @property
    def episode(self) -> int:
        """Grows with each opening and each closing, so that an answer closes the opening that it was given in.

        Even while closed, odd while open.
        """
        return 2 * self.opening - self.open

    def denied(self, limits: Limits) -> Breaker:
        """After a denial by the classifier. While it is open nothing counts."""
        if self.open:
            return self
        counted = replace(self, consecutive=self.consecutive + 1, total=self.total + 1)
        if counted.total >= limits.total:
            return replace(counted, opened_by=OpenedBy.TOTAL, opening=self.opening + 1)
        if counted.consecutive >= limits.consecutive:
            return replace(counted, opened_by=OpenedBy.CONSECUTIVE, opening=self.opening + 1)
        return counted

    def allowed(self) -> Breaker:
        """After an allow by the classifier. One that comes too late, when the breaker is open, resets nothing."""
        return self if self.open else replace(self, consecutive=0)

    def approved(self, episode: int) -> Breaker:
        """After a person approved a question of an episode; one of another episode closes nothing."""
        return self.reset() if self.open and episode == self.episode else self

    def reset(self) -> Breaker:
        """Closed again; the total is forgotten only if it was what opened it."""
        total = 0 if self.opened_by is OpenedBy.TOTAL else self.total
        return replace(self, consecutive=0, total=total, opened_by=None)
