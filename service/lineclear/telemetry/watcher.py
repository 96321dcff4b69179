"""What the engine tells of its work becomes metrics, and one log event a decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from lineclear.core.breaker import OpenedBy
    from lineclear.core.course import Answer, By
    from lineclear.core.rules.rule import Rule
    from lineclear.engine.log import Record
    from lineclear.telemetry.metrics import Metrics

log = structlog.get_logger("lineclear.decisions")


class Watcher:
    """The engine's observer."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def decided(self, record: Record, *, seconds: float, by_model: bool = False) -> None:
        """Count a committed decision and log it: who, what kind of tool, how it came out; never an argument."""
        self._metrics.decided(record.verdict, record.code, record.mode, record.host, enforced=record.enforced)
        self._metrics.decision_took(seconds, "model" if by_model else "deterministic")
        log.info(
            "decision",
            decision_id=str(record.id),
            verdict=record.verdict,
            code=record.code,
            mode=record.mode,
            kind=record.kind,
            rules=record.rules,
            enforced=record.enforced,
            principal=record.session[0],
            key_id=record.key_id,
            policy_version=record.policy_version,
            duration_ms=round(seconds * 1000, 3),
        )

    def stage(self, name: str, seconds: float) -> None:
        """Observe the time of a stage."""
        self._metrics.check_took(name, seconds)

    def condition_failed(self, rule: Rule) -> None:
        """Count it, and log which rule it was: as long as it fails, it denies or asks more than it says."""
        self._metrics.when_failed(rule.effect)
        log.warning("condition_failed", rule=rule.name, effect=rule.effect, source=str(rule.origin))

    def breaker_opened(self, record: Record, cause: OpenedBy) -> None:
        """Count a breaker's opening and log it: from now on this session is back with a person."""
        self._metrics.breaker_opened(cause)
        log.warning("breaker_opened", cause=cause, decision_id=str(record.id), principal=record.session[0])

    def answered(self, record: Record, answer: Answer, by: By) -> None:
        """Count a person's answer and log it."""
        self._metrics.answered(by, answer)
        log.info("answered", answer=answer, by=by, decision_id=str(record.id), code=record.code)

    def storage_failed(self, kind: str) -> None:
        """Count a failure of the log."""
        self._metrics.storage_failed(kind)
        log.warning("storage_failed", kind=kind)
