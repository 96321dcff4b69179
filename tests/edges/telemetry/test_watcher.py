"""What the engine tells becomes metrics and log events: never an argument, a session, or a rule as a label."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from uuid import UUID

import pytest
from structlog.testing import capture_logs

from lineclear.core.breaker import OpenedBy
from lineclear.core.call import SessionKey
from lineclear.core.course import Answer, By
from lineclear.core.redact import Redacted
from lineclear.engine.log import Record
from lineclear.telemetry.metrics import Metrics
from lineclear.telemetry.watcher import Watcher

RECORD = Record(
    id=UUID(int=7),
    decided_at=datetime(2026, 6, 1, tzinfo=UTC),
    session=SessionKey(("installation-1", "session-xyz")),
    tool_use_id="toolu_xyz",
    key_id="k-1",
    role="host",
    tool_name="mcp__secret__tool",
    kind="shell",
    host="claude-code",
    mode="auto",
    verdict="ask",
    code="ask_rule",
    rules=("organisation:ask:Bash(git push *)",),
    enforced=True,
    request=Redacted({"tool_input": {"command": "git push --argument-xyz"}}),
    answer=Redacted({}),
    redactions=Redacted({}),
    input_sha256="",
    fingerprint="",
    policy_version="sha256:1",
    engine_version="0",
    duration_ms=1.0,
)


@pytest.fixture
def metrics():
    return Metrics("0")


def exposed(metrics):
    return metrics.exposition().decode()


@pytest.mark.parametrize(("by_model", "path"), [(False, "deterministic"), (True, "model")])
def test_a_decision_is_counted_by_its_path(metrics, by_model, path):
    with capture_logs() as logged:
        Watcher(metrics).decided(RECORD, seconds=0.01, by_model=by_model)
    text = exposed(metrics)
    assert f'lineclear_decision_duration_seconds_count{{path="{path}"}} 1.0' in text
    assert 'code="ask_rule",enforced="true",host="claude-code",mode="auto",verdict="ask"} 1.0' in text
    (event,) = logged
    assert (event["event"], event["code"], event["duration_ms"]) == ("decision", "ask_rule", 10.0)


def test_nothing_of_a_call_or_its_session_is_told(metrics):
    watcher = Watcher(metrics)
    with capture_logs() as logged:
        watcher.decided(RECORD, seconds=0.01)
        watcher.breaker_opened(RECORD, OpenedBy.TOTAL)
        watcher.answered(RECORD, Answer.APPROVED, By.OPERATOR)
        watcher.stage("commit", 0.001)
        watcher.storage_failed("read")
    for hidden in ("xyz", "mcp__secret__tool"):
        assert hidden not in str(logged) + exposed(metrics)
    assert "git push" not in exposed(metrics)
    assert "installation-1" not in exposed(metrics)


def test_openings_answers_and_failures_are_counted(metrics):
    watcher = Watcher(metrics)
    watcher.breaker_opened(RECORD, OpenedBy.CONSECUTIVE)
    watcher.answered(RECORD, Answer.REJECTED, By.HOST)
    watcher.storage_failed("write")
    text = exposed(metrics)
    assert 'lineclear_breaker_openings_total{cause="consecutive"} 1.0' in text
    assert 'lineclear_approvals_total{by="host",outcome="rejected"} 1.0' in text
    assert 'lineclear_storage_failures_total{kind="write"} 1.0' in text


def test_a_condition_that_failed_is_counted_by_its_effect_and_logged_by_its_rule():
    metrics = Metrics("0")
    rule = SimpleNamespace(name="organisation:r", effect="deny", origin="organisation/a.yaml:3:5")
    with capture_logs() as logged:
        Watcher(metrics).condition_failed(rule)
    assert 'lineclear_when_errors_total{effect="deny"} 1.0' in metrics.exposition().decode()
    (event,) = logged
    assert (event["event"], event["rule"], event["source"]) == ("condition_failed", rule.name, rule.origin)
