"""The head of a request has a bound and a deadline too: before it is read whole, nobody knows whose it is."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from lineclear.api.problems import MEDIA_TYPE, Problem, ProblemCode, render

if TYPE_CHECKING:
    import asyncio

MOST_HEAD_BYTES = 65_536
"""Beyond this, and what one read brings on top, a head is refused."""
HEAD_WITHIN_S = 15.0
"""How long a client may take for one."""


class BoundedProtocol(HttpToolsProtocol):
    """Uvicorn's protocol, which by itself keeps a head of any size for any time."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._in_head = False
        self._head_bytes = 0
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._patience = self.loop.call_later(HEAD_WITHIN_S, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._settled()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count what belongs to a head that isn't whole yet."""
        if self._in_head:
            self._head_bytes += len(data)
        super().data_received(data)
        if not self._in_head or self.transport.is_closing():
            return
        if self._head_bytes > MOST_HEAD_BYTES:
            self.send_400_response(f"the head is larger than {MOST_HEAD_BYTES} bytes")
        elif self._patience is None:
            self._patience = self.loop.call_later(HEAD_WITHIN_S, self.transport.abort)

    def on_message_begin(self) -> None:
        """A head begins."""
        super().on_message_begin()
        self._in_head, self._head_bytes = True, 0

    def on_headers_complete(self) -> None:
        """It is whole."""
        self._in_head = False
        self._settled()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP request, as a problem like every other."""
        body = render(Problem(ProblemCode.MALFORMED, msg), secrets.token_hex(16))
        head = f"HTTP/1.1 400 Bad Request\r\ncontent-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(head.encode("ascii") + b"connection: close\r\n\r\n" + body)
        self.transport.close()

    def _settled(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
