"""Who watches: the port through which telemetry learns of decisions and time spent, without the engine knowing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from lineclear.engine.log import Record


class Observer(Protocol):
    """The port. Methods return at once and never raise."""

    def decided(self, record: Record, *, seconds: float) -> None:
        """A decision was committed; ``seconds`` since the request arrived."""

    def stage(self, name: str, seconds: float) -> None:
        """Time spent in a stage: ``judge`` (analysis and rules) or ``commit``."""

    def storage_failed(self, kind: str) -> None:
        """The log couldn't be read or written: ``read`` or ``write``."""


class Silent:
    """The observer that watches nothing, for the command line and tests."""

    def decided(self, record: Record, *, seconds: float) -> None:
        """Nothing."""

    def stage(self, name: str, seconds: float) -> None:
        """Nothing."""

    def storage_failed(self, kind: str) -> None:
        """Nothing."""
