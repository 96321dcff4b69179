"""The client for programs without an event loop; may be used from several threads."""

from __future__ import annotations

import os
import socket
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

from lineclear.client import calls
from lineclear.client.decision import NoVerdict, OnFailure, instead, read
from lineclear.client.http import Address, Reply, request

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lineclear.client.decision import Decision

_MOST_IDLE = 16


class Client:
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
        self._idle: list[socket.socket] = []

    def decide(self, session_id: str, tool_name: str, tool_input: Mapping[str, Any], **more: Any) -> Decision:
        """The decision on a call; ``more`` are further fields of a decision request."""
        more.setdefault("timeout_ms", max(1, int(self._timeout_s * 900)))
        try:
            return read(self._asked(calls.decide(session_id, tool_name, tool_input, more)))
        except NoVerdict as failure:
            return instead(failure, self._on_failure)

    def report(self, decision_id: str, outcome: calls.Outcome) -> Mapping[str, Any]:
        """Say what became of a call; back comes whether another try is safe. Raises ``NoVerdict``."""
        answer: Mapping[str, Any] = self._asked(calls.report(decision_id, outcome))
        return answer

    def say(self, session_id: str, messages: Sequence[str | Mapping[str, Any]]) -> None:
        """Say what the user typed, as texts or in the Messages API's shape, with a host's key. Raises ``NoVerdict``."""
        self._asked(calls.say(session_id, messages))

    def close(self) -> None:
        """Close the connections that are kept."""
        while self._idle:
            self._idle.pop().close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _asked(self, asked: calls.Asked) -> Any:
        until = time.monotonic() + self._timeout_s
        try:
            message = request(self._address, self._key, *asked)
        except (TypeError, ValueError, RecursionError) as error:
            raise NoVerdict(f"the call can't be sent: {error}", code="unsendable") from None
        try:
            with suppress(IndexError, ConnectionError):  # one that was kept may have been closed by the other side
                return self._exchanged(self._idle.pop(), message, until)
            return self._exchanged(self._connected(until), message, until)
        except OSError as error:
            raise NoVerdict(f"the service can't be reached: {error.strerror or 'it closed the connection'}") from None
        except UnicodeError:
            raise NoVerdict("the service can't be reached: its host's name is none") from None

    def _exchanged(self, connection: socket.socket, message: bytes, until: float) -> Any:
        kept, reply = False, Reply()
        try:
            connection.settimeout(_left(until))
            connection.sendall(message)
            first = True
            while True:
                connection.settimeout(_left(until))
                data = connection.recv(65_536)
                if first and not data:
                    raise ConnectionResetError
                first = False
                if reply.fed(data):
                    break
            kept = reply.keep_alive and len(self._idle) < _MOST_IDLE
        except TimeoutError:
            raise NoVerdict("the service did not answer in time", code="timed_out") from None
        finally:
            if kept:
                self._idle.append(connection)
            else:
                connection.close()
        return reply.document()

    def _connected(self, until: float) -> socket.socket:
        address = self._address
        try:
            if address.path is not None:
                return self._connected_by_path(address.path, until)
            connection = socket.create_connection((address.host, address.port), _left(until))
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if address.tls:
                import ssl  # noqa: PLC0415 - most speak to their own machine

                return ssl.create_default_context().wrap_socket(connection, server_hostname=address.host)
        except TimeoutError:
            raise NoVerdict("the service did not answer in time", code="timed_out") from None
        return connection

    def _connected_by_path(self, path: str, until: float) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.settimeout(_left(until))
            connection.connect(path)
        except OSError:
            connection.close()
            raise
        return connection


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
