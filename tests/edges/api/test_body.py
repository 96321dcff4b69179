"""A body is counted while it streams in, and nobody waits for the rest of one that is too large."""

from __future__ import annotations

import asyncio
import json
import tracemalloc

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


async def quiet(_):
    pass


def chunk(body, more):
    return {"type": "http.request", "body": body, "more_body": more}


async def test_a_chunked_body_is_refused_at_the_limit(world):
    pieces = [chunk(b" " * 1000, more=True)] * 9 + [chunk(b"", more=False)]
    sent, taken = await served(world, pieces)
    assert sent[0]["status"] == 413
    assert json.loads(sent[1]["body"])["code"] == "too_large"
    assert (b"connection", b"close") in sent[0]["headers"]
    assert taken == len(pieces), "the client must be able to finish, or it never reads the answer"


@pytest.mark.parametrize(
    ("length", "status"),
    [(b"2", 400), (b"0", 400), (b"0" * 9999 + b"2", 400), (b"9" * 9999, 413), (b"1" + b"0" * 25, 413)],
    ids=["short", "nought", "noughts before it", "endless", "large"],
)
async def test_a_length_is_read_whatever_it_looks_like(world, length, status):
    sent, _ = await served(world, [chunk(b"{}", more=False)], [(b"content-length", length)])
    assert sent[0]["status"] == status


async def test_of_a_body_that_is_too_large_nothing_is_kept(world):
    async def receive():
        return chunk(b" " * 1_000_000, more=next(pieces, None) is not None)

    pieces = iter(range(200))
    tracemalloc.start()
    try:
        await world.app(scope([]), receive, quiet)
        (_, peak) = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10_000_000


async def test_nobody_waits_for_a_client_that_goes_on_and_on(world, monkeypatch):
    monkeypatch.setattr("lineclear.api.body._PATIENCE_S", 0.05)

    async def receive():
        await asyncio.sleep(0.001)
        return chunk(b" " * 1000, more=True)

    sent = []

    async def send(message):
        sent.append(message)

    await asyncio.wait_for(world.app(scope([]), receive, send), 2)
    assert sent[0]["status"] == 413


async def test_an_announced_body_that_is_too_large_is_not_asked_for(world):
    sent, taken = await served(world, [], [(b"content-length", b"100000000"), (b"expect", b"100-continue")])
    assert (sent[0]["status"], taken) == (413, 0)


async def test_an_announced_body_that_is_already_under_way_is_let_finish(world):
    sent, taken = await served(world, [chunk(b"x", more=False)], [(b"content-length", b"100000000")])
    assert (sent[0]["status"], taken) == (413, 1)


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


async def test_a_body_that_never_comes_holds_no_place(world, monkeypatch):
    monkeypatch.setattr("lineclear.api.body._WITHIN_S", 0.05)
    sent = []

    async def send(message):
        sent.append(message)

    await asyncio.wait_for(world.app(scope([]), asyncio.Event().wait, send), 2)
    assert sent[0]["status"] == 400
    assert "did not arrive" in json.loads(sent[1]["body"])["detail"]


async def test_what_only_reads_waits_for_no_body(world):
    sent = []

    async def send(message):
        sent.append(message)

    probe = scope([(b"content-length", b"10")]) | {"method": "GET", "path": "/livez"}
    await asyncio.wait_for(world.app(probe, asyncio.Event().wait, send), 2)
    assert sent[0]["status"] == 200
