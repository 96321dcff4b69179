"""A loader on bare sockets: each connection sends its next request when it has read the answer to its last."""

from __future__ import annotations

import os
import re
import select
import socket
import time
from dataclasses import dataclass

_OK = b"HTTP/1.1 200 "
_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
_HEAD_END = b"\r\n\r\n"
_CHUNK = 1 << 16
_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Load:
    """What to send: ``bodies``, cut where a number of 12 digits goes; ``first`` is the first number.

    The loader keeps to ``cpus`` and counts what comes back within ``seconds``, after ``warm_up_s`` of the same.
    """

    host: str
    port: int
    path: str
    key: str
    bodies: list[tuple[bytes, ...]]
    connections: int
    seconds: float
    warm_up_s: float
    first: int = 0
    cpus: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Loaded:
    """What came back: answers within the time, those that weren't 200, latencies in seconds, sorted.

    ``cpu`` is the loader's own share of a processor: near 1, it and not the server is what was measured.
    """

    answers: int
    failures: int
    seconds: float
    latencies: list[float]
    cpu: float
    sent: int

    @property
    def per_second(self) -> float:
        """Answers per second."""
        return self.answers / self.seconds

    def percentile(self, share: float) -> float:
        """The latency in seconds that this share of the answers kept within."""
        return self.latencies[min(int(len(self.latencies) * share), len(self.latencies) - 1)]


def run(load: Load) -> Loaded:
    """Load a server until the time is over. Raises ``OSError`` where it goes away."""
    if load.cpus:
        os.sched_setaffinity(0, load.cpus)
    return _Loader(load).run()


class _Connection:
    """One connection, what came back so far, and when its request began."""

    __slots__ = ("begun", "got", "socket")

    def __init__(self, load: Load) -> None:
        self.socket = socket.create_connection((load.host, load.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.got = b""
        self.begun = 0.0


class _Loader:
    """The loop. All that a request needs is made beforehand; between two of them there is little else to do."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._requests = [_request(load, body) for body in load.bodies]
        self._number = load.first
        self._failures = 0
        self._latencies: list[float] = []

    def run(self) -> Loaded:
        made = [_Connection(self._load) for _ in range(self._load.connections)]
        connections = {one.socket.fileno(): one for one in made}
        poll = select.epoll()
        for number, connection in connections.items():
            poll.register(number, select.EPOLLIN)
            self._send(connection)
        self._until(poll, connections, time.perf_counter() + self._load.warm_up_s)
        self._latencies, self._failures = [], 0
        begun, used = time.perf_counter(), time.process_time()
        self._until(poll, connections, begun + self._load.seconds)
        seconds, used = time.perf_counter() - begun, time.process_time() - used
        poll.close()
        for connection in made:
            connection.socket.close()
        sent = self._number - self._load.first
        return Loaded(len(self._latencies), self._failures, seconds, sorted(self._latencies), used / seconds, sent)

    def _until(self, poll: select.epoll, connections: dict[int, _Connection], end: float) -> None:
        while (now := time.perf_counter()) < end:
            for number, _ in poll.poll(end - now):
                connection = connections[number]
                chunk = connection.socket.recv(_CHUNK)
                if not chunk:
                    raise ConnectionError("the server closed a connection")
                connection.got += chunk
                if _whole(connection.got):
                    self._latencies.append(time.perf_counter() - connection.begun)
                    self._failures += not connection.got.startswith(_OK)
                    connection.got = b""
                    self._send(connection)

    def _send(self, connection: _Connection) -> None:
        parts = self._requests[self._number % len(self._requests)]
        request = (b"%0*d" % (_DIGITS, self._number)).join(parts)
        connection.begun = time.perf_counter()
        connection.socket.send(request)
        self._number += 1


def _request(load: Load, body: tuple[bytes, ...]) -> tuple[bytes, ...]:
    length = sum(map(len, body)) + _DIGITS * (len(body) - 1)
    head = (
        f"POST {load.path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {load.key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    )
    first, *rest = body
    return head.encode("ascii") + first, *rest


def _whole(got: bytes) -> bool:
    """Whether an answer has arrived to its last byte."""
    head = got.find(_HEAD_END)
    if head < 0:
        return False
    length = _LENGTH.search(got, 0, head)
    assert length is not None, "an answer without its length can't be told from half of one"
    return len(got) >= head + len(_HEAD_END) + int(length[1])
