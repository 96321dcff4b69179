"""The containers are set up with settings that exist, and Prometheus scrapes where the metrics are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from lineclear.settings import names, variable

ROOT = Path(__file__).parents[3]
DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text()


def loaded(name):
    return yaml.safe_load((ROOT / name).read_text())


@pytest.fixture(scope="module")
def services():
    return loaded("docker-compose.yml")["services"]


def test_every_setting_that_is_set_exists(services):
    known = {variable(name) for name in names()}
    used = set(re.findall(r"\b(LINECLEAR_[A-Z_]+)=", DOCKERFILE)) | set(services["service"]["environment"])
    assert used <= known
    assert used


def test_the_container_may_write_nothing_and_is_not_root(services):
    for name in ("service", "migrate"):
        assert services[name]["read_only"] is True
        assert services[name]["cap_drop"] == ["ALL"]
    assert re.search(r"^USER 10001", DOCKERFILE, re.MULTILINE)
    assert "HEALTHCHECK" in DOCKERFILE


def test_migrations_run_before_the_service(services):
    assert services["migrate"]["command"] == ["db", "upgrade"]
    assert services["service"]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"


def test_prometheus_scrapes_the_metrics_address():
    (port,) = re.findall(r"LINECLEAR_METRICS_LISTEN=0\.0\.0\.0:(\d+)", DOCKERFILE)
    (scrape,) = loaded("deploy/prometheus.yml")["scrape_configs"]
    assert scrape["dns_sd_configs"] == [{"names": ["service"], "type": "A", "port": int(port)}]


def test_no_secret_has_a_default(services):
    text = (ROOT / "docker-compose.yml").read_text()
    assert re.findall(r"\$\{(\w+):-", text) == []
    assert "${LINECLEAR_SECRET:?" in services["service"]["environment"]["LINECLEAR_SECRET"]


def test_it_has_time_to_end(services):
    (drain,) = re.findall(r"LINECLEAR_DRAIN_S=(\d+)", DOCKERFILE)
    assert int(services["service"]["stop_grace_period"].removesuffix("s")) >= int(drain) + 35
