"""Running the service to its end, in one process and one event loop."""

from __future__ import annotations

import asyncio
import gc
import sys
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from lineclear.bootstrap.server import Server, SideServer, claimed, config, listening
from lineclear.bootstrap.service import assembled
from lineclear.settings import variable

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from lineclear.api.health import Readiness
    from lineclear.bootstrap.service import Service
    from lineclear.settings import Settings


def run(settings: Settings, started: Callable[[Service, int | None, Readiness], None]) -> None:
    """Serve until asked to stop.

    ``started`` is called once calls are taken, with the port (None: a unix socket) and whether the service is ready.
    Raises ``CannotStart``.
    """
    if sys.platform == "win32":
        asyncio.run(_run(settings, started))
        return
    import uvloop  # noqa: PLC0415 - there is none on Windows

    uvloop.run(_run(settings, started))


async def _run(settings: Settings, started: Callable[[Service, int | None, Readiness], None]) -> None:
    async with AsyncExitStack() as stack:
        # Claimed first: a second service ends here, before it touches the database of the one that runs.
        sockets = None
        if settings.uds is None:
            sockets = [stack.enter_context(listening(settings.host, settings.port))]
        uds = None if settings.uds is None else claimed(settings.uds)
        port = None if sockets is None else sockets[0].getsockname()[1]
        service = await stack.enter_async_context(assembled(settings, port))
        if settings.metrics_listen is not None:
            await _beside(stack, service, settings.metrics_listen)
        found = await service.health.readiness()
        # What is there by now stays: looking through it for garbage would hold all calls up for a tenth of a second.
        gc.collect()
        gc.freeze()
        server = Server(
            config(service.app, uds=uds),
            started=lambda: started(service, port, found),
            asked_to_stop=service.health.drain,
            drain_s=settings.drain_s,
        )
        await server.serve(sockets)


async def _beside(stack: AsyncExitStack, service: Service, address: str) -> None:
    """Serve the metrics on an address of their own."""
    host, _, port = address.rpartition(":")
    listener: socket.socket = listening(host.strip("[]"), int(port), set_by=variable("metrics_listen"))
    server = SideServer(config(service.metrics_app))
    serving = asyncio.create_task(server.serve([listener]), name="metrics server")

    async def stop() -> None:
        server.should_exit = True
        await serving

    stack.push_async_callback(stop)
