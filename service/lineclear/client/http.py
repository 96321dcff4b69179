"""Requests and answers as bytes, without a socket: what the two clients share."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlsplit

from lineclear.client.decision import NoVerdict

MAX_ANSWER = 8_388_608
"""Longest answer that is read, in bytes."""
_OK = 200
_LONGEST_HEAD = 65_536
_MOST_DIGITS = 20


@dataclass(frozen=True, slots=True)
class Address:
    """Where the service is: a host and a port, with TLS or without, or a unix socket's path."""

    host: str = "localhost"
    port: int = 8642
    tls: bool = False
    path: str | None = None

    @staticmethod
    def of(url: str) -> Address:
        """``http://…``, ``https://…`` or ``unix:/path``. Raises ``ValueError``."""
        if url.startswith("unix:"):
            return Address(path=url.removeprefix("unix:"))
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path not in {"", "/"}:
            raise ValueError(f"`{url}` is no address; give http://host:port, https://host or unix:/path")
        tls = parts.scheme == "https"
        return Address(parts.hostname, parts.port or (443 if tls else 80), tls)

    @property
    def name(self) -> str:
        """What stands in ``Host``."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.path is not None else f"{host}:{self.port}"


def request(address: Address, key: str, method: str, path: str, body: object = None) -> bytes:
    """The bytes of a request. Raises ``ValueError``, ``TypeError`` or ``RecursionError`` for what is no JSON."""
    if not (key.isascii() and key.isprintable()):
        raise ValueError("the key holds what no key does")
    content = b"" if body is None else json.dumps(body, allow_nan=False).encode()
    head = [f"{method} {path} HTTP/1.1", f"host: {address.name}", f"authorization: Bearer {key}"]
    if body is not None:
        head += ["content-type: application/json", f"content-length: {len(content)}"]
    return "\r\n".join((*head, "", "")).encode("ascii") + content


def _detail(problem: dict[str, Any]) -> str:
    """What is wrong according to a problem document, with the first of its single faults."""
    detail = str(problem.get("detail", "no reason was given"))
    match problem.get("errors"):
        case [{"message": fault, "pointer": pointer}, *_]:
            return f"{detail} ({fault} at `{pointer}`)"
        case _:
            return detail


def within(path: str, *segments: str) -> str:
    """A path with segments filled in."""
    return path.format(*(quote(segment, safe="") for segment in segments))


@dataclass(slots=True)
class Reply:
    """An answer as it comes in, piece by piece."""

    status: int = 0
    keep_alive: bool = True
    _data: bytearray = field(default_factory=bytearray)
    _body_at: int = 0
    _length: int = 0

    def fed(self, data: bytes) -> bool:
        """Take a piece; whether the answer is whole now. Raises ``NoVerdict`` where it can't become one."""
        if not data:
            raise NoVerdict("the answer was cut off", code="cut_off")
        self._data += data
        if self._body_at == 0:
            end = self._data.find(b"\r\n\r\n")
            if end < 0:
                if len(self._data) > _LONGEST_HEAD:
                    raise NoVerdict("the answer has no end of its head", code="not_understood")
                return False
            self._body_at = end + 4
            self._read_head(bytes(self._data[:end]))
        over = len(self._data) - self._body_at - self._length
        if over > 0:  # what nobody asked for must not be taken for the next call's answer
            self.keep_alive = False
        return over >= 0

    def document(self) -> Any:
        """The JSON of the answer. Raises ``NoVerdict`` for every status but 200."""
        try:
            found = json.loads(self._data[self._body_at : self._body_at + self._length])
        except (ValueError, RecursionError):
            raise NoVerdict("the answer is no JSON", self.status, "not_understood") from None
        if self.status != _OK:
            told = found if isinstance(found, dict) else {}
            code, detail = told.get("code", "refused"), _detail(told)
            raise NoVerdict(f"the service refused with status {self.status}: {detail}", self.status, str(code))
        return found

    def _read_head(self, head: bytes) -> None:
        first, *lines = head.split(b"\r\n")
        headers = {name.lower(): value.strip().lower() for name, _, value in (line.partition(b":") for line in lines)}
        length = headers.get(b"content-length", b"")
        if not first.startswith(b"HTTP/1.1 ") or not first[9:12].isdigit() or not length.isdigit():
            raise NoVerdict("the answer is no HTTP with a length", code="not_understood")
        # Python reads no number of thousands of digits.
        self.status, self._length = int(first[9:12]), int(length[:_MOST_DIGITS])
        if self._length > MAX_ANSWER:
            raise NoVerdict("the answer is too long", self.status, "not_understood")
        self.keep_alive = headers.get(b"connection") != b"close"
