"""Before a key is seen there is only the head of a request: it is bounded, and what is no HTTP gets a problem."""

from __future__ import annotations

import json
import socket
import time

import pytest

from lineclear.bootstrap.protocol import MOST_HEAD_BYTES


def connected(service):
    host, _, port = service.url.removeprefix("http://").rpartition(":")
    return socket.create_connection((host, int(port)), timeout=20)


def answered(connection):
    try:
        return b"".join(iter(lambda: connection.recv(65536), b""))
    except ConnectionResetError:
        return b""


@pytest.mark.parametrize(
    "raw",
    [
        b"\x00\x01\x02\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET  HTTP/1.1\r\nHost: a\r\n\r\n",
        b"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
        b"POST /v1/decisions HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"POST /v1/decisions HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"GET /livez HTTP/1.1\r\nA\x00b: c\r\n\r\n",
        "GET /ü HTTP/1.1\r\n\r\n".encode(),
    ],
    ids=repr,
)
def test_what_is_no_http_gets_a_problem(service, raw):
    with connected(service) as connection:
        connection.sendall(raw)
        answer = answered(connection)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert json.loads(body)["code"] == "malformed"


@pytest.mark.parametrize("where", [b"GET /livez HTTP/1.1\r\nX-Big: ", b"GET /livez?"], ids=["header", "target"])
def test_a_head_without_end_is_cut_off_and_not_kept(service, where):
    sent = 0
    with connected(service) as connection:
        connection.sendall(where)
        try:
            for _ in range(200):
                connection.sendall(b"a" * 100_000)
                sent += 100_000
        except OSError:
            pass
    assert sent < 100 * MOST_HEAD_BYTES
    with service.client() as client:
        assert client.get("/livez").status_code == 200


def test_many_requests_on_one_connection_are_no_large_head(service):
    with service.client() as client:
        for _ in range(30):
            assert client.get("/livez", headers={"x-filler": "a" * 10_000}).status_code == 200


def test_a_head_that_comes_in_pieces_is_read(service):
    with connected(service) as connection:
        for piece in (b"GET /livez HT", b"TP/1.1\r\nHost: local", b"host\r\nConnection: close\r\n", b"\r\n"):
            connection.sendall(piece)
            time.sleep(0.05)
        assert answered(connection).startswith(b"HTTP/1.1 200 ")
