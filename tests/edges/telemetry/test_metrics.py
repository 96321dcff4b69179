"""Metrics: documented, with closed label sets, apart for each service."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from lineclear.telemetry.metrics import HOSTS, Metrics

OPERATIONS = (Path(__file__).parents[3] / "docs" / "operations.md").read_text()
CATALOGUES = Path(__file__).parents[3] / "policies" / "builtin" / "catalogues"


def samples(metrics, name):
    """Values by the labels' values, those in the order of the labels' names."""
    families = text_string_to_metric_families(metrics.exposition().decode())
    found = [sample for family in families for sample in family.samples if sample.name == name]
    return {tuple(value for _, value in sorted(sample.labels.items())): sample.value for sample in found}


@pytest.fixture
def metrics():
    return Metrics("1.2.3")


def test_each_metric_is_documented_and_each_documented_one_exists(metrics):
    documented = set(re.findall(r"^\| `(lineclear_\w+)` \|", OPERATIONS, re.MULTILINE))
    assert metrics.names() == documented


def test_labels_are_documented(metrics):
    rows = dict(re.findall(r"^\| `(lineclear_\w+)` \| (.*?) \|", OPERATIONS, re.MULTILINE))
    metrics.decided("allow", "safe_tool", "auto", "codex", enforced=True)
    metrics.policy_loaded("v", 1.0)
    metrics.storage_failed("read")
    metrics.problem("conflict")
    metrics.auth_failed("role")
    metrics.decision_took(0.1)
    metrics.check_took("rules", 0.1)
    metrics.when_failed("deny")
    metrics.breaker_opened("total")
    metrics.answered("host", "approved")
    for family in text_string_to_metric_families(metrics.exposition().decode()):
        for sample in family.samples:
            name = re.sub(r"_(bucket|count|sum)$", "", sample.name)
            labels = set(sample.labels) - {"le"}
            assert labels == set(re.findall(r"`(\w+)`", rows[name])), sample.name


@pytest.mark.parametrize("host", ["my-own-agent", "", None, "claude-code\n", "Claude-Code"])
def test_a_caller_makes_no_series(metrics, host):
    metrics.decided("deny", "deny_rule", "default", host, enforced=False)
    assert samples(metrics, "lineclear_decisions_total") == {
        ("deny_rule", "false", "other", "default", "deny"): 1.0,
    }


def test_known_hosts_have_labels_of_their_own(metrics):
    for host in HOSTS:
        metrics.decided("ask", "ask_rule", "auto", host, enforced=True)
    assert {labels[2] for labels in samples(metrics, "lineclear_decisions_total")} == HOSTS


def test_known_hosts_are_those_with_a_catalogue():
    assert {path.stem for path in CATALOGUES.glob("*.yaml")} <= HOSTS


def test_only_the_current_policy_keeps_a_series(metrics):
    metrics.policy_loaded("sha256:a", 1.0)
    metrics.policy_loaded("sha256:b", 2.0)
    assert samples(metrics, "lineclear_policy_info") == {("sha256:b",): 1.0}
    assert samples(metrics, "lineclear_policy_loaded_timestamp_seconds") == {(): 2.0}


def test_two_services_in_one_process_do_not_mix(metrics):
    metrics.shed()
    assert samples(Metrics("x"), "lineclear_requests_shed_total") == {(): 0.0}


def test_durations_are_in_seconds(metrics):
    metrics.decision_took(0.002)
    assert samples(metrics, "lineclear_decision_duration_seconds_sum")[("deterministic",)] == 0.002
