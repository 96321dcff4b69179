"""A wire to Postgres that a test can cut: before the server hears, or while it does what it was asked."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Self
from urllib.parse import parse_qs, quote, urlsplit, urlunsplit


class Wire:
    """Passes bytes on between clients and the server at ``url``; ``self.url`` is where clients connect."""

    def __init__(self, url: str, folder: Path) -> None:
        parts = urlsplit(url)
        self._server = Path(parse_qs(parts.query)["host"][0]) / ".s.PGSQL.5432"
        self._socket = folder / ".s.PGSQL.5432"
        self.url = urlunsplit(parts._replace(query=f"host={quote(str(folder), safe='')}"))
        self.deaf = False
        """Nothing of what clients say reaches the server: they are cut off when they speak."""
        self.mute = False
        """Nothing of what the server says reaches clients: they are cut off when it has done what they asked."""
        self._open: list[asyncio.StreamWriter] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_unix_server(self._connected, self._socket)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._listener.close()
        self.cut()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        """Cut all connections; the server notices when it has done what it was asked, and wants to say so."""
        for writer in self._open:
            writer.transport.abort()
        self._open.clear()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_unix_connection(self._server)
        self._open += writer, to_server
        for way in (self._pass(reader, to_server, "deaf"), self._pass(from_server, writer, "mute")):
            self._tasks.add(asyncio.create_task(way))

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, fault: str) -> None:
        try:
            while data := await source.read(1 << 16):
                if getattr(self, fault):
                    break
                sink.write(data)
                await sink.drain()
        except ConnectionError:
            return
        self.cut()
