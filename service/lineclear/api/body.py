"""A body is read whole before anybody looks at it, counted while it streams in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.api import visit
from lineclear.api.problems import Problem, ProblemCode

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


class ClientGone(Exception):
    """The client left before its request was complete; nobody waits for an answer."""


class Body:
    """Reads the bodies of requests that may have one, up to a limit. Raises ``Problem`` and ``ClientGone``."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read, keep the body with the visit, and hand it on."""
        body = await self._read(scope, receive)
        visit.of(scope).body = body
        told = False

        async def again() -> Message:
            nonlocal told
            if told:
                return await receive()
            told = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, again, send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes:
        for name, value in scope["headers"]:
            if name == b"content-length" and int(value) > self._limit:
                raise self._too_large()
        message = await receive()
        if message["type"] == "http.request" and not message.get("more_body", False):
            body: bytes = message.get("body", b"")
            if len(body) > self._limit:
                raise self._too_large()
            return body
        chunks = bytearray()
        while message["type"] == "http.request":
            chunks += message.get("body", b"")
            if len(chunks) > self._limit:
                raise self._too_large()
            if not message.get("more_body", False):
                return bytes(chunks)
            message = await receive()
        raise ClientGone

    def _too_large(self) -> Problem:
        return Problem(
            ProblemCode.TOO_LARGE,
            f"the body is larger than {self._limit} bytes, the setting `max_body_bytes`",
            headers={"connection": "close"},
        )
