"""The classifier's metrics: what models were asked, how it ended, how long it took and what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prometheus_client import Counter, Gauge, Histogram

from lineclear.engine.classify import Stage, State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prometheus_client import CollectorRegistry

    from lineclear.engine.classify import StageReport

_SECONDS = (0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 12, 20, 30)
_READ_FROM_CACHE, _WRITTEN_TO_CACHE = 0.1, 1.25
"""What a cached token costs of an uncached one (source: the API's price list, five-minute cache)."""


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    input: float = 0.0
    output: float = 0.0


class ModelMetrics:
    """Watches the classifier, from whichever thread it runs in."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.prices: Mapping[Stage, Price] = {}
        """Of those stages whose price is known; the others cost nothing here."""
        self._calls = Counter(
            "lineclear_classifier_calls", "Stages that a model was asked in.", ("stage", "outcome"), registry=registry
        )
        self._seconds = Histogram(
            "lineclear_classifier_duration_seconds",
            "Time that a stage took.",
            ("stage",),
            buckets=_SECONDS,
            registry=registry,
        )
        self._tokens = Counter(
            "lineclear_classifier_tokens", "Tokens that models read and wrote.", ("stage", "kind"), registry=registry
        )
        self._cost = Counter(
            "lineclear_classifier_cost_usd", "What models cost, by the prices set.", ("stage",), registry=registry
        )
        self._in_flight = Gauge("lineclear_classifier_in_flight", "Stages under way.", ("stage",), registry=registry)
        self._state = Gauge(
            "lineclear_classifier_state", "1 for the classifier's state.", ("state",), registry=registry
        )
        for stage in Stage:
            self._in_flight.labels(stage).set(0)
        self.state_changed(State.NOT_CONFIGURED)

    def stage_began(self, stage: Stage) -> None:
        """A stage is in flight."""
        self._in_flight.labels(stage).inc()

    def stage_ended(self, report: StageReport) -> None:
        """A stage that was in flight has ended."""
        stage = report.stage
        self._in_flight.labels(stage).dec()
        self._calls.labels(stage, report.outcome).inc()
        self._seconds.labels(stage).observe(report.duration_ms / 1000)
        fresh = report.input_tokens - report.cache_read_tokens - report.cache_write_tokens
        for kind, count in (
            ("input", fresh),
            ("cache_read", report.cache_read_tokens),
            ("cache_write", report.cache_write_tokens),
            ("output", report.output_tokens),
        ):
            self._tokens.labels(stage, kind).inc(max(0, count))
        price = self.prices.get(stage, Price())
        read = fresh + report.cache_read_tokens * _READ_FROM_CACHE + report.cache_write_tokens * _WRITTEN_TO_CACHE
        self._cost.labels(stage).inc(max(0.0, read * price.input + report.output_tokens * price.output) / 1e6)

    def state_changed(self, state: State) -> None:
        """The classifier does better or worse than before."""
        for one in State:
            self._state.labels(one).set(one is state)
