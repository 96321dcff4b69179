"""A line between two programs that can be cut, stalled and slowed: a TCP port of its own before a server's address."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path

_CHUNK = 1 << 16


@dataclass
class Line:
    """Forwards while it is entered; ``to`` is a unix socket or the port of a server on this machine."""

    to: Path | int
    port: int = 0
    delay_s: float = 0.0
    """How long each piece is under way, in either direction."""
    refusing: bool = False
    """Whether new connections are reset at once."""
    _flowing: asyncio.Event = field(default_factory=asyncio.Event)
    _writers: set[asyncio.StreamWriter] = field(default_factory=set)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._flowing.set()
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        for task in (tasks := tuple(self._tasks)):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def live(self) -> int:
        """How many connections there are now."""
        return len(self._writers) // 2

    def cut(self) -> None:
        """Reset every connection: neither side gets to say anything more."""
        for writer in tuple(self._writers):
            writer.transport.abort()

    def stall(self) -> None:
        """Let nothing through, and tell nobody: new connections are taken, and stay silent."""
        self._flowing.clear()

    def resume(self) -> None:
        """Let everything through again, what was held back included."""
        self._flowing.set()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # By a task of our own: the standard library's would report one that is ended at the end as a failure.
        task = asyncio.create_task(self._connected(reader, writer), name="line")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refusing:
            writer.transport.abort()
            return
        try:
            far_reader, far_writer = await self._dialled()
        except OSError:
            writer.transport.abort()
            return
        ends = {writer, far_writer}
        self._writers |= ends
        try:
            await asyncio.gather(self._carry(reader, far_writer), self._carry(far_reader, writer))
        finally:
            self._writers -= ends
            for end in ends:
                end.transport.abort()

    async def _dialled(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if isinstance(self.to, int):
            return await asyncio.open_connection("127.0.0.1", self.to)
        return await asyncio.open_unix_connection(self.to)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, RuntimeError):  # the other direction has closed it meanwhile
            while piece := await reader.read(_CHUNK):
                await self._flowing.wait()
                if self.delay_s:
                    await asyncio.sleep(self.delay_s)
                writer.write(piece)
                await writer.drain()
            writer.write_eof()
