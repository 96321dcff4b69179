"""The yardstick: an application that sends back the body that it got, on the server that Lineclear runs on."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import uvicorn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnContext

HOST = "127.0.0.1"


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """The whole of it."""
    assert scope["type"] == "http"
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    length = str(len(body)).encode("ascii")
    headers = [(b"content-type", b"application/json"), (b"content-length", length)]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@contextmanager
def echoing(context: SpawnContext) -> Iterator[tuple[int, int]]:
    """Process id and port of a process that echoes until the block ends."""
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    try:
        port: int = ours.recv()
        assert process.pid is not None
        yield process.pid, port
    finally:
        process.terminate()
        process.join()


def _serve(told: Connection) -> None:
    """Serve as ``lineclear serve`` does: the same server, parser, loop and socket options."""
    import uvloop  # noqa: PLC0415 - there is none on Windows

    from lineclear.bootstrap.server import config, listening  # noqa: PLC0415 - only the process that serves

    listener = listening(HOST, 0)
    server = uvicorn.Server(config(echo))

    async def serve() -> None:
        told.send(listener.getsockname()[1])
        await server.serve([listener])

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve())
