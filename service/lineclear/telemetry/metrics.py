"""The metrics: one prefix, base units, closed label sets; never a session, a principal, an argument or a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, generate_latest

from lineclear.telemetry.models import ModelMetrics

if TYPE_CHECKING:
    from collections.abc import Callable

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
HOSTS = frozenset(
    {
        "claude-code", "codex", "gemini-cli", "opencode", "cline", "openhands", "kinetaios", "cursor", "copilot-cli",
        "windsurf", "kiro",
    }
)  # fmt: skip
"""The hosts that have a label of their own; every other one is ``other``, so that callers can't make series."""

PATHS = ("deterministic", "model")
STAGES = ("analysis", "rules", "classifier", "commit")
_DECISION_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_CHECK_S = (0.000_025, 0.000_05, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5)
_BATCH = (1, 2, 4, 8, 16, 32, 64, 128)


class Metrics:
    """Everything that is counted, in a registry of its own: two services in one process don't mix."""

    def __init__(self, version: str) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # a second series for each, of which nobody draws a graph
        registry = self._registry = CollectorRegistry()
        self._decisions = Counter(
            "lineclear_decisions",
            "Decisions answered.",
            ("verdict", "code", "mode", "host", "enforced"),
            registry=registry,
        )
        self._decision_s = Histogram(
            "lineclear_decision_duration_seconds",
            "Time from a request's arrival until its decision was committed.",
            ("path",),
            buckets=_DECISION_S,
            registry=registry,
        )
        self._check_s = Histogram(
            "lineclear_check_duration_seconds",
            "Time that one stage of a decision took.",
            ("stage",),
            buckets=_CHECK_S,
            registry=registry,
        )
        self._commit_s = Histogram(
            "lineclear_commit_duration_seconds",
            "Time that the transaction of a batch took.",
            buckets=_CHECK_S,
            registry=registry,
        )
        self._batch = Histogram(
            "lineclear_commit_batch_records", "Records in one batch.", buckets=_BATCH, registry=registry
        )
        self._queue = Gauge("lineclear_commit_queue_length", "Records that wait for their batch.", registry=registry)
        self._storage_failures = Counter(
            "lineclear_storage_failures", "Failures of the database.", ("kind",), registry=registry
        )
        self._policy_info = Gauge(
            "lineclear_policy_info", "1 for the policy version in force.", ("version",), registry=registry
        )
        self._policy_loaded = Gauge(
            "lineclear_policy_loaded_timestamp_seconds", "When the policy in force was loaded.", registry=registry
        )
        self._reload_failures = Counter(
            "lineclear_policy_reload_failures", "Changed policies that were refused.", registry=registry
        )
        self._disagreeing = Gauge(
            "lineclear_policy_replicas_disagreeing", "Live replicas with another policy version.", registry=registry
        )
        self._openings = Counter("lineclear_breaker_openings", "Breakers that opened.", ("cause",), registry=registry)
        self._approvals = Counter(
            "lineclear_approvals", "Questions that a person answered.", ("by", "outcome"), registry=registry
        )
        self._in_flight = Gauge("lineclear_requests_in_flight", "Requests under way.", registry=registry)
        self._shed = Counter("lineclear_requests_shed", "Requests refused for want of room.", registry=registry)
        self._problems = Counter(
            "lineclear_http_problems", "Requests that got no verdict.", ("code",), registry=registry
        )
        self._auth_failures = Counter(
            "lineclear_auth_failures", "Requests without a key that serves.", ("cause",), registry=registry
        )
        self._hook_failures = Counter(
            "lineclear_hook_failures", "Hooks answered without a decision.", ("host", "cause"), registry=registry
        )
        self._when_errors = Counter(
            "lineclear_when_errors", "Conditions of rules that couldn't be evaluated.", ("effect",), registry=registry
        )
        Gauge("lineclear_build_info", "1 for the running version.", ("version",), registry=registry).labels(
            version
        ).set(1)
        self._open_breakers = Gauge(
            "lineclear_breaker_open_sessions", "Sessions whose breaker is open.", registry=registry
        )
        self._pending = Gauge("lineclear_approvals_pending", "Questions that wait for a person.", registry=registry)
        self._days_ahead = Gauge(
            "lineclear_partition_days_ahead", "Days of the decision log that are ready beside today.", registry=registry
        )
        self.models = ModelMetrics(registry)
        # Looking up a child by its labels costs more than counting on it.
        self._decided: dict[tuple[str, str, str, str, bool], Counter] = {}
        self._paths = {path: self._decision_s.labels(path) for path in PATHS}
        self._stages = {stage: self._check_s.labels(stage) for stage in STAGES}

    def decided(self, verdict: str, code: str, mode: str, host: str | None, *, enforced: bool) -> None:
        """Count a decision; a host that isn't on the closed list counts as ``other``."""
        label = host if host in HOSTS else "other"
        key = (verdict, code, mode, label, enforced)
        child = self._decided.get(key)
        if child is None:
            child = self._decided[key] = self._decisions.labels(verdict, code, mode, label, str(enforced).lower())
        child.inc()

    def decision_took(self, seconds: float, path: str = "deterministic") -> None:
        """Observe the whole time of a decision; ``path`` is ``deterministic`` or ``model``."""
        self._paths[path].observe(seconds)

    def check_took(self, stage: str, seconds: float) -> None:
        """Observe a stage: one of ``STAGES``."""
        self._stages[stage].observe(seconds)

    def committed(self, records: int, seconds: float) -> None:
        """Observe a batch that was written."""
        self._batch.observe(records)
        self._commit_s.observe(seconds)

    def storage_failed(self, kind: str) -> None:
        """Count a failure of the database: ``kind`` is ``read``, ``write`` or ``refused``."""
        self._storage_failures.labels(kind).inc()

    def breaker_opened(self, cause: str) -> None:
        """Count a breaker's opening; ``cause`` is ``consecutive`` or ``total``."""
        self._openings.labels(cause).inc()

    def answered(self, by: str, outcome: str) -> None:
        """Count a person's answer: ``by`` is ``host`` or ``operator``, ``outcome`` ``approved`` or ``rejected``."""
        self._approvals.labels(by, outcome).inc()

    def waiting(self, *, open_breakers: int, questions: int) -> None:
        """Say how much waits for people, on all replicas."""
        self._open_breakers.set(open_breakers)
        self._pending.set(questions)

    def days_ahead(self, days: int) -> None:
        """Say how many days of the log are ready beside today."""
        self._days_ahead.set(days)

    def policy_loaded(self, version: str, at: float) -> None:
        """Name the policy in force; only the current version keeps a series. ``at`` is in seconds since the epoch."""
        self._policy_info.clear()
        self._policy_info.labels(version).set(1)
        self._policy_loaded.set(at)

    def policy_refused(self) -> None:
        """Count a changed policy that was refused."""
        self._reload_failures.inc()

    def replicas_disagree(self, count: int) -> None:
        """Say how many live replicas have another policy version."""
        self._disagreeing.set(count)

    def shed(self) -> None:
        """Count a request that was refused for want of room."""
        self._shed.inc()

    def problem(self, code: str) -> None:
        """Count an answer that is no verdict."""
        self._problems.labels(code).inc()

    def auth_failed(self, cause: str) -> None:
        """Count a request without a key that serves; ``cause`` is ``missing``, ``unknown`` or ``role``."""
        self._auth_failures.labels(cause).inc()

    def hook_failed(self, host: str, cause: str) -> None:
        """Count a hook that got a denial because there was no decision; ``cause`` is a problem's code or ``late``."""
        self._hook_failures.labels(host if host in HOSTS else "other", cause).inc()

    def when_failed(self, effect: str) -> None:
        """Count a condition that couldn't be evaluated; ``effect`` is that of its rule."""
        self._when_errors.labels(effect).inc()

    def watch_in_flight(self, count: Callable[[], float]) -> None:
        """Read the number of requests under way when it is asked for."""
        self._in_flight.set_function(count)

    def watch_queue(self, length: Callable[[], float]) -> None:
        """Read the length of the commit queue when it is asked for."""
        self._queue.set_function(length)

    def names(self) -> frozenset[str]:
        """Every metric's name, as a scrape shows it."""
        return frozenset(
            family.name + ("_total" if family.type == "counter" else "") for family in self._registry.collect()
        )

    def exposition(self) -> bytes:
        """All of it in the text format."""
        return generate_latest(self._registry)
