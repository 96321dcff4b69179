"""Who watches: the port through which telemetry learns of decisions and time spent, without the engine knowing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from lineclear.core.breaker import OpenedBy
    from lineclear.core.course import Answer, By
    from lineclear.core.rules.rule import Rule
    from lineclear.engine.log import Record


class Observer(Protocol):
    """The port. Methods return at once and never raise."""

    def decided(self, record: Record, *, seconds: float, by_model: bool = False) -> None:
        """A decision was committed, ``seconds`` since the request arrived; ``by_model`` where a model was asked."""

    def stage(self, name: str, seconds: float) -> None:
        """Time spent in a stage: ``analysis``, ``rules``, ``classifier`` or ``commit``."""

    def condition_failed(self, rule: Rule) -> None:
        """The condition of a rule couldn't be evaluated for a call that was decided; that spoke against the call."""

    def breaker_opened(self, record: Record, cause: OpenedBy) -> None:
        """This decision opened its session's breaker; told once for each opening, whoever races."""

    def answered(self, record: Record, answer: Answer, by: By) -> None:
        """A person answered the question that this decision is."""

    def storage_failed(self, kind: str) -> None:
        """The log couldn't be read or written (``read``, ``write``), or refused a record (``refused``)."""


class Silent:
    """The observer that watches nothing, for the command line and tests."""

    def decided(self, record: Record, *, seconds: float, by_model: bool = False) -> None:
        """Nothing."""

    def stage(self, name: str, seconds: float) -> None:
        """Nothing."""

    def condition_failed(self, rule: Rule) -> None:
        """Nothing."""

    def storage_failed(self, kind: str) -> None:
        """Nothing."""

    def breaker_opened(self, record: Record, cause: OpenedBy) -> None:
        """Nothing."""

    def answered(self, record: Record, answer: Answer, by: By) -> None:
        """Nothing."""
