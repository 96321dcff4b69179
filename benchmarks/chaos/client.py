"""A client of one connection that does no more than it must: at the moment of a fault, calls should be under way."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any


class Broken(Exception):
    """The connection ended before an answer had come, or none came in time: nobody knows what was decided."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class Client:
    """Asks a service on this machine, one request at a time; connects when it must. It waits ``within_s`` seconds."""

    port: int
    within_s: float = 20.0
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = field(default=None, init=False)

    async def decide(self, call: dict[str, Any], key: str) -> Answer:
        """``POST /v1/decisions``. Raises ``Broken``."""
        body = json.dumps(call).encode()
        head = (
            f"POST /v1/decisions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        try:
            async with asyncio.timeout(self.within_s):
                return await self._asked(head.encode("ascii") + body)
        except (OSError, EOFError, TimeoutError) as error:
            raise Broken(type(error).__name__) from error
        finally:
            if self._streams is not None and self._streams[0].at_eof():
                self.close()

    def close(self) -> None:
        """Leave."""
        if self._streams is not None:
            self._streams[1].transport.abort()
            self._streams = None

    async def _asked(self, request: bytes) -> Answer:
        # Taken out while it is in use: whoever is cut off in the middle leaves a connection that no one can use.
        streams, self._streams = self._streams, None
        reader, writer = streams or await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(request)
            status, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines) if name}
            body = await reader.readexactly(int(headers["content-length"]))
        except BaseException:
            writer.transport.abort()
            raise
        self._streams = (reader, writer)
        return Answer(int(status.split()[1]), headers, json.loads(body))
