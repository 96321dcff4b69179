"""Every host can be named where hosts are: in a policy's `hosts` section, and as a label of the metrics."""

from __future__ import annotations

from lineclear import resources
from lineclear.hosts.registry import HOSTS
from lineclear.policyfiles.load import load
from lineclear.telemetry import metrics


def test_in_a_policy(tmp_path):
    (tmp_path / "organisation").mkdir()
    said = "".join(f"  {host}: {{authority: sole}}\n" for host in HOSTS)
    (tmp_path / "organisation" / "hosts.yaml").write_text(f"version: 1\nhosts:\n{said}")
    policy = load(tmp_path, resources.builtin())
    assert policy.sections["hosts"] == {host: {"authority": "sole"} for host in HOSTS}


def test_in_the_metrics():
    assert set(HOSTS) <= metrics.HOSTS
