"""Probes need no key, and tell details only where they are asked."""

from __future__ import annotations

import pytest

from lineclear.api.health import Readiness

BROKEN = Readiness({"database": "it can't be reached", "policy": None}, ("classifier not configured",))
WARNED = Readiness({"database": None}, ("last reload refused",))


async def get(world, path):
    async with world.client() as client:
        return await client.get(path)


async def test_the_process_lives_whatever_else_is_wrong(world):
    world.health.found = BROKEN
    assert (await get(world, "/livez")).status_code == 200


@pytest.mark.parametrize(
    ("found", "path", "status", "document"),
    [
        (WARNED, "/readyz", 200, {"status": "ok"}),
        (
            WARNED,
            "/readyz?verbose",
            200,
            {"status": "ok", "checks": {"database": "ok"}, "warnings": ["last reload refused"]},
        ),
        (BROKEN, "/readyz", 503, {"status": "not ready"}),
        (
            BROKEN,
            "/readyz?verbose=1",
            503,
            {
                "status": "not ready",
                "checks": {"database": "it can't be reached", "policy": "ok"},
                "warnings": ["classifier not configured"],
            },
        ),
    ],
)
async def test_readiness(world, found, path, status, document):
    world.health.found = found
    answer = await get(world, path)
    assert (answer.status_code, answer.json()) == (status, document)
    assert answer.headers["cache-control"] == "no-store"
