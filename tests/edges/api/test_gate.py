"""Every request has an id and one answer; what is too much is shed at once."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress

import httpx
import pytest

from lineclear.api.body import ClientGone
from lineclear.core.call import Role
from lineclear.engine.log import StorageUnavailable
from lineclear.wire.errors import Malformed

REQUEST = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}}


@pytest.mark.parametrize(
    ("sent", "echoed"),
    [
        ("abc-123_X.y:z", "abc-123_X.y:z"),
        ("a b\tc", "abc"),
        ("a" * 500, "a" * 64),
        ('<script>"', "script"),
        ("ünïcode", "ncode"),
    ],
)
async def test_a_request_id_is_echoed_clean_and_bounded(world, sent, echoed):
    async with world.client() as client:
        answer = await client.get("/nowhere", headers={"x-request-id": sent.encode("latin-1")})
    assert answer.headers["x-request-id"] == answer.json()["request_id"] == echoed


@pytest.mark.parametrize(
    "headers", [{}, {"x-request-id": ""}, {"x-request-id": "€€"}], ids=["none", "empty", "unusable"]
)
async def test_without_one_an_id_is_made(world, headers):
    async with world.client() as client:
        first = await client.get("/livez", headers={k: v.encode() for k, v in headers.items()})
        second = await client.get("/livez")
    ids = {first.headers["x-request-id"], second.headers["x-request-id"]}
    assert len(ids) == 2
    assert all(re.fullmatch(r"[0-9a-f]{32}", one) for one in ids)


async def under_way(world, *clients):
    """Calls of clients, one each, that the engine holds until it is told to go on."""
    world.engine.waits = world.go.wait
    begun = [asyncio.create_task(client.post("/v1/decisions", json=REQUEST)) for client in clients]
    while len(world.engine.seen) < len(begun):  # noqa: ASYNC110 - no event tells
        await asyncio.sleep(0)
    return begun


async def test_what_is_too_much_is_shed_and_probes_still_answer(world):
    async with world.client(Role.HOST) as host, world.client(Role.AGENT) as agent:
        held = await under_way(world, host, host, host, agent)
        shed = await agent.post("/v1/decisions", json=REQUEST)
        probes = [await host.get(path) for path in ("/livez", "/readyz")]
        in_flight = world.count("lineclear_requests_in_flight ")
        world.go.set()
        answers = await asyncio.gather(*held)
        after = await host.post("/v1/decisions", json=REQUEST)
    assert (shed.status_code, shed.json()["code"], shed.headers["retry-after"]) == (503, "overloaded", "1")
    assert [probe.status_code for probe in probes] == [200, 200]
    assert [answer.status_code for answer in [*answers, after]] == [200] * 5
    assert in_flight == 4
    assert world.count("lineclear_requests_in_flight ") == 0
    assert world.count("lineclear_requests_shed_total") == 1


async def test_one_principal_leaves_room_for_others(world):
    async with (
        world.client(Role.HOST) as host,
        world.client(Role.AGENT) as agent,
        world.client(Role.OPERATOR) as operator,
    ):
        held = await under_way(world, host, host, host)
        shed = await host.post("/v1/decisions", json=REQUEST)
        watching = await operator.get("/v1/approvals")
        other = asyncio.create_task(agent.post("/v1/decisions", json=REQUEST))
        await asyncio.sleep(0)
        world.go.set()
        answers = [*await asyncio.gather(*held, other), await host.post("/v1/decisions", json=REQUEST)]
    assert (shed.status_code, shed.json()["code"]) == (503, "overloaded")
    assert "of this principal" in shed.json()["detail"]
    assert watching.status_code == 200
    assert [answer.status_code for answer in answers] == [200] * 5
    assert world.count("lineclear_requests_shed_total") == 1


async def test_a_request_that_fails_gives_its_place_back(world):
    async with world.client(Role.HOST) as host:
        for error in [Malformed([]), RuntimeError(), ClientGone()] * 2:
            world.engine.error = error
            with suppress(AssertionError, httpx.HTTPError):  # whoever has left gets no answer
                await host.post("/v1/decisions", json=REQUEST)
        world.engine.error = None
        answers = await asyncio.gather(*(host.post("/v1/decisions", json=REQUEST) for _ in range(3)))
    assert [answer.status_code for answer in answers] == [200] * 3


async def test_only_http_is_served(world):
    with pytest.raises(RuntimeError, match="only http"):
        await world.app({"type": "websocket"}, None, None)


async def test_an_outage_of_the_keys_lets_nobody_in(world):
    async def down(_):
        raise StorageUnavailable("down")

    world.keys.find = down
    async with world.client(Role.HOST) as client:
        answer = await client.post("/v1/decisions", json=REQUEST)
    assert (answer.status_code, answer.json()["code"]) == (503, "storage_unavailable")
    assert world.engine.seen == []
