"""The HTTP server: asked to stop it is not ready at once, lets calls under way finish, and then ends."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import sys
from typing import TYPE_CHECKING

import uvicorn

from lineclear.bootstrap.problem import CannotStart
from lineclear.bootstrap.protocol import BoundedProtocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from starlette.types import ASGIApp

_BACKLOG = 2048
_FINISH_WITHIN_S = 35
"""A call is answered within 30 seconds unless it says otherwise; then it is cut off, which is no verdict."""
_KEEP_ALIVE_S = 75
_SOCKET_MODE = 0o660


class Server(uvicorn.Server):
    """Uvicorn, with our way of ending.

    ``started`` is called once calls are taken, ``asked_to_stop`` once, ``drain_s`` before none are taken any more.
    """

    def __init__(
        self, config: uvicorn.Config, *, started: Callable[[], None], asked_to_stop: Callable[[], None], drain_s: float
    ) -> None:
        super().__init__(config)
        self._asked_to_stop = asked_to_stop
        self._drain_s = drain_s
        self._started = started
        self._asked = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to take calls, and tell."""
        await super().startup(sockets)
        self._started()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on SIGTERM and SIGINT; unlike uvicorn's own, without raising the signal again before we cleaned up."""
        loop = asyncio.get_running_loop()
        numbers = () if sys.platform == "win32" else (signal.SIGTERM, signal.SIGINT)
        for number in numbers:
            loop.add_signal_handler(number, self._ask, loop)
        try:
            yield
        finally:
            for number in numbers:
                loop.remove_signal_handler(number)

    def _ask(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._asked:
            self._stop()
            return
        self._asked = True
        self._asked_to_stop()
        loop.call_later(self._drain_s, self._stop)

    def _stop(self) -> None:
        self.should_exit = True


class SideServer(uvicorn.Server):
    """A second server in the process, whose signals the first one minds."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """None."""
        yield


def config(app: ASGIApp, *, uds: Path | None = None) -> uvicorn.Config:
    """Uvicorn's settings: its fast parser and loop, and nothing about us in the headers."""
    return uvicorn.Config(
        app,
        uds=None if uds is None else str(uds),
        http=BoundedProtocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=_BACKLOG,
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=_FINISH_WITHIN_S,
    )


def listening(host: str, port: int, *, set_by: str = "--host and --port") -> socket.socket:
    """A socket that listens; raises ``CannotStart``, with how another address is chosen."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(_BACKLOG)
        except BaseException:
            listener.close()
            raise
    except OSError as error:
        raise CannotStart(f"can't listen on `{host}:{port}`: {error.strerror}; choose another with {set_by}") from None
    listener.setblocking(False)  # noqa: FBT003 - the standard library's own signature
    return listener


def claimed(path: Path) -> Path:
    """Make a unix socket's file with its mode, which uvicorn keeps; raises ``CannotStart`` where one is in use."""
    probe = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if path.is_socket():
            with contextlib.suppress(ConnectionRefusedError):
                probe.connect(str(path))
                raise CannotStart(f"`{path}` is in use by a running service; stop it, or choose another with --uds")
            path.unlink()
        probe.bind(str(path))
        path.chmod(_SOCKET_MODE)
    except OSError as error:
        raise CannotStart(f"can't listen on `{path}`: {error.strerror or error}; choose another with --uds") from None
    finally:
        probe.close()
    return path
