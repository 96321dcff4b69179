"""A local server that speaks the Messages API over a real socket: records the bytes it gets, and plays a script."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self

from support.plays import ALLOW, Drop, Hang, Play, Raw, Say, Status

_PHRASES = {200: "OK", 400: "Bad Request", 404: "Not Found", 429: "Too Many Requests", 500: "Internal Server Error"}


@dataclass(frozen=True, slots=True)
class Received:
    """One request, as it came over the socket."""

    head: bytes
    body: bytes

    @property
    def path(self) -> str:
        return self.head.split(b" ", 2)[1].decode()

    @property
    def json(self) -> dict:
        return json.loads(self.body)

    @property
    def headers(self) -> dict[str, str]:
        lines = self.head.decode("latin-1").split("\r\n")[1:]
        return {name.lower(): value for name, _, value in (line.partition(": ") for line in lines) if name}

    @property
    def parts(self) -> tuple[str, str, str]:
        """System prompt, session and call, as texts."""
        session, call = self.json["messages"][0]["content"]
        return self.json["system"][0]["text"], session["text"], call["text"]

    def data(self, title: str) -> object:
        """What was quoted under a title."""
        _, session, call = self.parts
        return json.loads(re.search(rf"^BEGIN [0-9a-f]{{32}} {title}\n(.*)\nEND", session + call, re.MULTILINE)[1])


Judge = Callable[[Received], Play]


@dataclass(slots=True)
class MessagesServer:
    """Serves while it is entered. ``script`` is played in order, one a message; then ``judge`` answers, else 500.

    ``models`` are the answers to ``GET /v1/models/{id}``: a description, or something to play; 404 for others.
    ``abandoned`` counts the clients that left before they had their answer.
    """

    script: list[Play] = field(default_factory=list)
    judge: Judge | None = None
    models: dict[str, dict | Play] = field(default_factory=dict)
    host: str = "127.0.0.1"
    port: int = 0
    requests: list[Received] = field(default_factory=list)
    abandoned: int = 0
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    _server: asyncio.Server | None = None
    _tasks: set[asyncio.Task] = field(default_factory=set)

    @property
    def base_url(self) -> str:
        return f"http://{self.host}:{self.port}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connection, self.host, self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        self._tasks.add(task)
        try:
            while (request := await _request(reader)) is not None:
                if not await self._answered(request, reader, writer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            self.abandoned += 1
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _answered(self, request: Received, reader, writer) -> bool:
        """Play one request; false where the connection is over."""
        play = self._play(request)
        if play.delay_s and not await _still_there(reader, play.delay_s):
            self.abandoned += 1
            return False
        if isinstance(play, Drop | Hang):
            if isinstance(play, Drop) and play.midway:
                writer.write(_head(200, len(ALLOW.body("m"))) + ALLOW.body("m")[:20])
                await writer.drain()
            return False
        writer.write(_bytes(play, request))
        await writer.drain()
        return True

    def _play(self, request: Received) -> Play:
        if request.path.startswith("/v1/models/"):
            told = self.models.get(request.path.rpartition("/")[2], Status(404, {"type": "error"}))
            return Raw(json.dumps(told).encode()) if isinstance(told, dict) else told
        self.requests.append(request)
        self.arrived.set()
        if self.script:
            return self.script.pop(0)
        return self.judge(request) if self.judge is not None else Status(500, {"type": "error"})


async def _request(reader: asyncio.StreamReader) -> Received | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    length = int(Received(head, b"").headers.get("content-length", "0"))
    return Received(head, await reader.readexactly(length))


async def _still_there(reader: asyncio.StreamReader, seconds: float) -> bool:
    """Wait, and tell whether the client did too."""
    try:
        async with asyncio.timeout(seconds):
            return await reader.read(1) != b""
    except TimeoutError:
        return True


def _bytes(play: Say | Status | Raw, request: Received) -> bytes:
    match play:
        case Say():
            body = play.body(request.json["model"])
            return _head(200, len(body)) + body
        case Raw():
            return _head(200, len(play.body), content_type=play.content_type) + play.body
        case Status():
            body = play.body if isinstance(play.body, bytes) else json.dumps(play.body).encode()
            return _head(play.code, len(body), play.headers) + body


def _head(code: int, length: int, headers: Iterable = (), content_type: str = "application/json") -> bytes:
    lines = [f"HTTP/1.1 {code} {_PHRASES.get(code, 'Error')}", f"content-length: {length}"]
    lines += [
        f"content-type: {content_type}",
        "request-id: req_local",
        *(f"{name}: {value}" for name, value in headers),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
