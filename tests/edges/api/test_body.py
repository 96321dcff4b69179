"""A body is counted while it streams in, and nobody waits for the rest of one that is too large."""

from __future__ import annotations

import json

import pytest

from lineclear.core.call import Role

LIMIT = 4096


def scope(headers):
    return {
        "type": "http",
        "method": "POST",
        "path": "/v1/decisions",
        "query_string": b"",
        "headers": [
            (b"host", b"localhost"),
            (b"content-type", b"application/json"),
            (b"authorization", b"Bearer lck_host"),
            *headers,
        ],
    }


async def served(world, messages, headers=()):
    """What the application sends, and how many of the messages it took."""
    sent, taken = [], 0

    async def receive():
        nonlocal taken
        taken += 1
        return messages[taken - 1]

    async def send(message):
        sent.append(message)

    await world.app(scope(headers), receive, send)
    return sent, taken


def chunk(body, more):
    return {"type": "http.request", "body": body, "more_body": more}


async def test_a_chunked_body_is_cut_off_at_the_limit(world):
    sent, taken = await served(world, [chunk(b" " * 1000, more=True)] * 1000)
    assert sent[0]["status"] == 413
    assert json.loads(sent[1]["body"])["code"] == "too_large"
    assert taken == 5
    assert (b"connection", b"close") in sent[0]["headers"]


async def test_an_announced_body_that_is_too_large_is_not_read_at_all(world):
    sent, taken = await served(world, [], [(b"content-length", b"100000000")])
    assert (sent[0]["status"], taken) == (413, 0)


async def test_a_body_of_one_piece_has_the_same_limit(world):
    sent, _ = await served(world, [chunk(b" " * (LIMIT + 1), more=False)])
    assert sent[0]["status"] == 413


async def test_a_body_at_the_limit_is_read_from_any_pieces(world):
    body = b'{"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}}'
    body += b" " * (LIMIT - len(body))
    pieces = [chunk(body[:1], more=True), chunk(b"", more=True), chunk(body[1:], more=False)]
    sent, _ = await served(world, pieces)
    assert sent[0]["status"] == 200


async def test_a_client_that_leaves_midway_gets_no_decision(world):
    sent, _ = await served(world, [chunk(b'{"session', more=True), {"type": "http.disconnect"}])
    assert (sent, world.engine.seen) == ([], [])


async def test_without_a_key_no_body_is_read(world):
    world.secrets[Role.HOST] = "lck_other"
    await world.keys.revoke("k-host")
    sent, taken = await served(world, [chunk(b"{}", more=False)])
    assert (sent[0]["status"], taken) == (401, 0)


@pytest.mark.parametrize("method", ["GET"])
async def test_reading_has_the_limit_too(world, method):
    async with world.client() as client:
        answer = await client.request(method, "/livez", content=b"x" * (LIMIT + 1))
    assert answer.status_code == 413
