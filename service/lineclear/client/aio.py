"""The client for programs with an event loop; one for each loop."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

from lineclear.client import calls
from lineclear.client.decision import NoVerdict, OnFailure, instead, read
from lineclear.client.http import Address, Reply, request

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lineclear.client.decision import Decision

_MOST_IDLE = 16
_Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class AsyncClient:
    """Asks over connections that are kept. ``timeout_s`` is for a whole call, in seconds.

    ``key`` is the key itself, else ``LINECLEAR_KEY`` in the environment. Raises ``ValueError`` for what is no address.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8642",
        key: str | None = None,
        *,
        timeout_s: float = 30.0,
        on_failure: OnFailure | str = OnFailure.DENY,
    ) -> None:
        self._address = Address.of(url)
        self._key = (os.environ.get("LINECLEAR_KEY", "") if key is None else key).strip()
        self._timeout_s = timeout_s
        self._on_failure = OnFailure(on_failure)
        self._idle: list[_Streams] = []

    async def decide(self, session_id: str, tool_name: str, tool_input: Mapping[str, Any], **more: Any) -> Decision:
        """The decision on a call; ``more`` are further fields of a decision request."""
        more.setdefault("timeout_ms", max(1, int(self._timeout_s * 900)))
        try:
            return read(await self._asked(calls.decide(session_id, tool_name, tool_input, more)))
        except NoVerdict as failure:
            return instead(failure, self._on_failure)

    async def report(self, decision_id: str, outcome: calls.Outcome) -> Mapping[str, Any]:
        """Say what became of a call; back comes whether another try is safe. Raises ``NoVerdict``."""
        answer: Mapping[str, Any] = await self._asked(calls.report(decision_id, outcome))
        return answer

    async def say(self, session_id: str, messages: Sequence[str | Mapping[str, Any]]) -> None:
        """Say what the user typed, as texts or in the Messages API's shape, with a host's key. Raises ``NoVerdict``."""
        await self._asked(calls.say(session_id, messages))

    async def close(self) -> None:
        """Close the connections that are kept."""
        while self._idle:
            _, writer = self._idle.pop()
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _asked(self, asked: calls.Asked) -> Any:
        try:
            message = request(self._address, self._key, *asked)
        except (TypeError, ValueError, RecursionError) as error:
            raise NoVerdict(f"the call can't be sent: {error}", code="unsendable") from None
        try:
            async with asyncio.timeout(self._timeout_s):
                with suppress(IndexError, ConnectionError):  # a kept one may have been closed by the other side
                    return await self._exchanged(self._idle.pop(), message)
                return await self._exchanged(await self._connected(), message)
        except TimeoutError:
            raise NoVerdict("the service did not answer in time", code="timed_out") from None
        except OSError as error:
            raise NoVerdict(f"the service can't be reached: {error.strerror or 'it closed the connection'}") from None
        except UnicodeError:
            raise NoVerdict("the service can't be reached: its host's name is none") from None

    async def _exchanged(self, streams: _Streams, message: bytes) -> Any:
        reader, writer = streams
        kept, reply = False, Reply()
        try:
            writer.write(message)
            await writer.drain()
            data = await reader.read(65_536)
            if not data:
                raise ConnectionResetError
            while not reply.fed(data):
                data = await reader.read(65_536)
            kept = reply.keep_alive and len(self._idle) < _MOST_IDLE
        finally:
            if kept:
                self._idle.append(streams)
            else:
                writer.close()
        return reply.document()

    async def _connected(self) -> _Streams:
        address = self._address
        if address.path is not None:
            return await asyncio.open_unix_connection(address.path)
        return await asyncio.open_connection(address.host, address.port, ssl=address.tls or None)
