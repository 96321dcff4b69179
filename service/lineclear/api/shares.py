"""A place for everybody: one principal never holds all that are served at once, however it floods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.api.problems import Problem, ProblemCode

if TYPE_CHECKING:
    from lineclear.telemetry.metrics import Metrics


class Shares:
    """Counts what each principal has under way; a quarter of ``max_in_flight`` is for the others, and for operators."""

    def __init__(self, max_in_flight: int, metrics: Metrics) -> None:
        self._most = max_in_flight - max_in_flight // 4
        self._metrics = metrics
        self._held: dict[str, int] = {}

    def take(self, principal: str) -> None:
        """Take a place, which is to be given back; raises ``Problem`` where none is left for this principal."""
        held = self._held.get(principal, 0)
        if held >= self._most:
            self._metrics.shed()
            raise Problem(
                ProblemCode.OVERLOADED, "too many requests of this principal are under way; try again shortly"
            )
        self._held[principal] = held + 1

    def give_back(self, principal: str) -> None:
        """Give a place back."""
        self._held[principal] -= 1
        if self._held[principal] == 0:
            del self._held[principal]
