"""A client that never finishes the head of its request is let go."""

from __future__ import annotations

import asyncio

import pytest
from uvicorn.server import ServerState

from lineclear.bootstrap.protocol import BoundedProtocol
from lineclear.bootstrap.server import config


async def hello(_, receive, send):
    await receive()
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@pytest.fixture
async def connection(monkeypatch):
    """The two ends of a connection to a server that waits a tenth of a second."""
    monkeypatch.setattr("lineclear.bootstrap.protocol.HEAD_WITHIN_S", 0.1)
    settings = config(hello)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: BoundedProtocol(settings, ServerState(), {}, loop), "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    yield reader, writer
    writer.close()
    server.close()


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost:"], ids=["nothing", "half a head"])
async def test_before_the_first_request(connection, begun):
    reader, writer = connection
    writer.write(begun)
    with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
        await asyncio.wait_for(reader.readexactly(1), 2)


async def test_between_requests_too(connection):
    reader, writer = connection
    writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 204 ")
    await asyncio.sleep(0.2)
    writer.write(b"GET / HTTP/1.1\r\nHost:")
    with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
        await asyncio.wait_for(reader.readexactly(1), 2)


async def test_one_that_is_idle_between_requests_is_not_hurried(connection):
    reader, writer = connection
    for _ in range(2):
        writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 204 ")
        await asyncio.sleep(0.25)
