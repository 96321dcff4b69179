"""The contract is what is served: checked in, complete, and readable without another server."""

from __future__ import annotations

import json
import re
from pathlib import Path

from lineclear.api.endpoints import ENDPOINTS

CHECKED_IN = Path(__file__).parents[3] / "docs" / "openapi.json"


async def served(world, path):
    async with world.client() as client:
        return await client.get(path)


async def test_the_checked_in_contract_is_current(world):
    document = (await served(world, "/openapi.json")).json()
    advice = "write what /openapi.json serves, indented by 2, to docs/openapi.json"
    assert json.loads(CHECKED_IN.read_text()) == document, advice


async def test_each_endpoint_is_in_it_with_its_roles(world):
    document = (await served(world, "/openapi.json")).json()
    assert document["openapi"].startswith("3.1")
    described = {(m.upper(), path): op for path, ops in document["paths"].items() for m, op in ops.items()}
    wanted = [endpoint for endpoint in ENDPOINTS if endpoint.path not in {"/docs", "/openapi.json"}]
    assert set(described) == {(endpoint.method, endpoint.path) for endpoint in wanted}
    for endpoint in wanted:
        operation = described[endpoint.method, endpoint.path]
        assert operation.get("x-roles", []) == sorted(endpoint.roles or ())
        assert "422" not in operation["responses"]
        assert ("401" in operation["responses"]) is (endpoint.roles is not None)


async def test_every_reference_leads_somewhere(world):
    text = (await served(world, "/openapi.json")).text
    names = set(re.findall(r'"#/components/schemas/([^"]+)"', text))
    assert names
    assert names <= set(json.loads(text)["components"]["schemas"])


async def test_the_page_needs_no_other_server(world):
    answer = await served(world, "/docs")
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert not re.findall(r"https?://|<script|<link|@import", answer.text)
    assert "POST /v1/decisions" in answer.text
