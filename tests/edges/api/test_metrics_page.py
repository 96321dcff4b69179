"""Metrics are for their own role, or alone on an address of their own."""

from __future__ import annotations

import httpx
import pytest

from lineclear.api.metrics import MetricsAlone
from lineclear.core.call import Role


async def test_a_metrics_key_scrapes(world):
    async with world.client(Role.METRICS) as client:
        answer = await client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    assert 'lineclear_build_info{version="0"} 1.0' in answer.text
    assert 'lineclear_classifier_state{state="not_configured"} 1.0' in answer.text


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/metrics", 200), ("GET", "/v1/policy", 404), ("POST", "/metrics", 404)]
)
async def test_on_its_own_address_there_is_nothing_else(world, method, path, status):
    transport = httpx.ASGITransport(MetricsAlone(world.metrics))
    async with httpx.AsyncClient(transport=transport, base_url="http://metrics") as client:
        assert (await client.request(method, path)).status_code == status
