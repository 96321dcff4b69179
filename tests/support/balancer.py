"""A load balancer as services in front of replicas are: it follows `/readyz`, and sends no request a second time."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Sequence

LOOK_S = 0.1
_PROBE = b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@dataclass
class Balancer:
    """Forwards while it is entered, a connection for each request; of the ready replicas each in turn.

    Where one can't be reached, nothing was sent, and the next one is tried. ``refused`` counts those requests that
    nobody took.
    """

    ports: Sequence[int]
    port: int = 0
    refused: int = 0
    ready: set[int] = field(default_factory=set)
    _turn: int = 0
    _tasks: set[asyncio.Task] = field(default_factory=set)
    _server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        await asyncio.gather(*map(self._look, self.ports))
        self._keep(asyncio.create_task(self._follow()))
        self._server = await asyncio.start_server(
            lambda *streams: self._keep(asyncio.create_task(self._serve(*streams))), "127.0.0.1", 0
        )
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _keep(self, task: asyncio.Task) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _follow(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            await asyncio.gather(*map(self._look, self.ports))

    async def _look(self, port: int) -> None:
        status = b""
        with suppress(OSError, EOFError, TimeoutError):
            async with asyncio.timeout(2):
                status = (await _asked(port, _PROBE))[:12]
        if status.endswith(b" 200"):
            self.ready.add(port)
        else:
            self.ready.discard(port)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                body = await reader.readexactly(_length(head))
                writer.write(await self._forwarded(head + body))
                await writer.drain()
        except (OSError, EOFError):
            pass
        finally:
            writer.transport.abort()

    async def _forwarded(self, request: bytes) -> bytes:
        """An answer; raises ``OSError`` and ``EOFError`` where a replica breaks off, and none takes the request."""
        self._turn += 1
        ports = sorted(self.ready)
        for n in range(len(ports)):
            try:
                streams = await asyncio.open_connection("127.0.0.1", ports[(self._turn + n) % len(ports)])
            except OSError:
                continue
            return await _exchange(streams, request)
        self.refused += 1
        raise ConnectionRefusedError


async def _asked(port: int, request: bytes) -> bytes:
    return await _exchange(await asyncio.open_connection("127.0.0.1", port), request)


async def _exchange(streams: tuple[asyncio.StreamReader, asyncio.StreamWriter], request: bytes) -> bytes:
    reader, writer = streams
    try:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        return head + await reader.readexactly(_length(head))
    finally:
        writer.transport.abort()


def _length(head: bytes) -> int:
    lines = (line.partition(b":") for line in head.lower().split(b"\r\n"))
    return next((int(value) for name, _, value in lines if name == b"content-length"), 0)
