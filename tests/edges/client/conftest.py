"""A service that plays answers, over a port and a unix socket; and the two clients under one name."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time

import pytest

from lineclear.client import AsyncClient, Client

DECISION = {
    "decision_id": "d-1",
    "verdict": "allow",
    "code": "allow_rule",
    "reason": "r",
    "agent_message": "m",
    "next": "continue",
    "objection": False,
}


def http(document: object, status: int = 200, **headers: str) -> bytes:
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    told = {"content-length": str(len(body))} | {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in told.items())]
    return "\r\n".join((*lines, "", "")).encode() + body


class Service:
    """Plays its answers in order, the last one for ever. ``hang`` closes nothing and says nothing."""

    def __init__(self, address) -> None:
        self.answers: list[bytes] = [http(DECISION)]
        self.requests: list[bytes] = []
        self.connections = 0
        self.close_after = False
        self.drip = False
        self._listener = socket.socket(socket.AF_UNIX if isinstance(address, str) else socket.AF_INET)
        self._listener.bind(address)
        self._listener.listen()
        self.name = self._listener.getsockname()
        threading.Thread(target=self._serve, daemon=True).start()

    def stop(self) -> None:
        self._listener.close()

    @property
    def bodies(self) -> list[dict]:
        return [json.loads(request.partition(b"\r\n\r\n")[2]) for request in self.requests]

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        while (request := self._request(connection)) is not None:
            self.requests.append(request)
            answer = self.answers[0] if len(self.answers) == 1 else self.answers.pop(0)
            if answer == b"hang":
                time.sleep(5)
            for piece in [answer[at : at + 1] for at in range(len(answer))] if self.drip else [answer]:
                try:
                    connection.sendall(piece)
                except OSError:
                    return
                time.sleep(0.2 if self.drip else 0)
            if self.close_after:
                break
        connection.close()

    def _request(self, connection: socket.socket) -> bytes | None:
        data = b""
        while True:
            head, found, body = data.partition(b"\r\n\r\n")
            if found:
                length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
                if len(body) >= int(length or 0):
                    return data
            try:
                piece = connection.recv(65_536)
            except OSError:
                return None
            if not piece:
                return None
            data += piece


@pytest.fixture
def service():
    made = Service(("127.0.0.1", 0))
    yield made
    made.stop()


@pytest.fixture
def unix_service(tmp_path):
    made = Service(str(tmp_path / "s"))
    yield made
    made.stop()


class Both:
    """A client of either kind, called from a plain test."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._loop = asyncio.new_event_loop()

    def open(self, url: str, **more):
        made = (AsyncClient if self._kind == "async" else Client)(url, "lck_k", **more)
        return Driven(made, self._loop)

    def end(self) -> None:
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()


class Driven:
    def __init__(self, client, loop) -> None:
        self._client, self._loop = client, loop

    def __getattr__(self, name: str):
        method = getattr(self._client, name)

        def call(*positional, **named):
            done = method(*positional, **named)
            return self._loop.run_until_complete(done) if asyncio.iscoroutine(done) else done

        return call


@pytest.fixture(params=["sync", "async"])
def clients(request):
    both = Both(request.param)
    yield both
    both.end()
