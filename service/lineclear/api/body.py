"""A body is read whole before anybody looks at it, counted while it streams in."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from lineclear.api import visit
from lineclear.api.problems import Problem, ProblemCode

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


_WITHIN_S = 10.0
_PATIENCE_S = 2.0
_MOST_DIGITS = 20
"""So many digits of a length are read, more than any limit has: Python reads no number of thousands of them."""
_CLOSE = {"connection": "close"}


class ClientGone(Exception):
    """The client left before its request was complete; nobody waits for an answer."""


class Body:
    """Reads the bodies of requests that may have one, up to a limit. Raises ``Problem`` and ``ClientGone``."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read, keep the body with the visit, and hand it on; where none is due, none is read."""
        visited = visit.of(scope)
        if visited.endpoint is not None and not visited.endpoint.changes_state:
            await self._app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(_WITHIN_S):
                body = await self._read(scope, receive)
        except TimeoutError:
            raise Problem(
                ProblemCode.MALFORMED,
                f"the body did not arrive within {_WITHIN_S:g} s",
                headers=_CLOSE,
            ) from None
        visited.body = body
        told = False

        async def again() -> Message:
            nonlocal told
            if told:
                return await receive()
            told = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, again, send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes:
        announced, expects = 0, False
        for name, value in scope["headers"]:
            if name == b"content-length":
                announced = int(value.lstrip(b"0")[:_MOST_DIGITS] or b"0")
            elif name == b"expect":
                expects = True
        if announced > self._limit:
            if not expects:  # one that expects to be asked hasn't begun to send
                await _discard(receive)
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
                await _discard(receive)
                raise self._too_large()
            if not message.get("more_body", False):
                return bytes(chunks)
            message = await receive()
        raise ClientGone

    def _too_large(self) -> Problem:
        return Problem(
            ProblemCode.TOO_LARGE,
            f"the body is larger than {self._limit} bytes, the setting `max_body_bytes`",
            headers=_CLOSE,
        )


async def _discard(receive: Receive) -> None:
    """Let a client finish what it is sending, for a moment: one that is cut off meanwhile never reads the answer."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_PATIENCE_S):
            message = await receive()
            while message["type"] == "http.request" and message.get("more_body", False):
                message = await receive()
