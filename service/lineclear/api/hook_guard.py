"""At a hook's address nothing but an answer leaves: every failure within, and every delay, is a denial.

It is the outermost layer, so that a full house, a body that is too large, a wrong key and a fault of our own are all
behind it. What isn't a known host's address it doesn't touch.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from lineclear.api import visit
from lineclear.api.hook_replies import event_name, host_of, rendered
from lineclear.hosts.ruling import refused

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from lineclear.hosts.host import Host
    from lineclear.hosts.ruling import Ruling
    from lineclear.telemetry.metrics import Metrics

_OK = 200
_OUTAGES = frozenset({"overloaded", "storage_unavailable", "internal"})
_LATE = refused("it took longer than this program waits for its hooks", outage=True)
_FAILED: dict[str, Any] = {"code": "internal", "detail": "the service failed", "errors": []}
_PAYLOAD = msgspec.json.Decoder(dict[str, Any])


class HookGuard:
    """Wraps the whole application."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        host = host_of(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        if host is None:
            await self._app(scope, receive, send)
            return
        heard = _Heard()
        try:
            async with asyncio.timeout(host.abilities.answer_within_s):
                await self._app(scope, receive, heard.send)
        except TimeoutError:
            self._metrics.hook_failed(host.abilities.name, "late")
            await _answer(host, scope, _LATE, heard, send)
        except Exception:  # noqa: BLE001 - the last resort: what passes here becomes an error, and that a go-ahead
            self._metrics.hook_failed(host.abilities.name, "internal")
            await _answer(host, scope, _refusal(_FAILED), _Heard(), send)
        else:
            if heard.status == _OK and heard.complete:
                await heard.pass_on(send)
            elif heard.messages:  # else the client has left, and nobody waits for an answer
                problem = heard.problem()
                self._metrics.hook_failed(host.abilities.name, problem["code"])
                await _answer(host, scope, _refusal(problem), heard, send)


class _Heard:
    """What the application within said."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    async def send(self, message: Message) -> None:
        self.messages.append(message)

    async def pass_on(self, send: Send) -> None:
        for message in self.messages:
            await send(message)

    @property
    def status(self) -> int:
        return self.messages[0]["status"] if self.messages else 0

    @property
    def complete(self) -> bool:
        """Whether the answer was told to its end; of one that broke off nobody knows what it would have been."""
        last = self.messages[-1] if self.messages else {"type": ""}
        return last["type"] == "http.response.body" and not last.get("more_body", False)

    @property
    def kept(self) -> list[tuple[bytes, bytes]]:
        """The headers that hold whatever the answer is."""
        start = self.messages[0] if self.messages else {"headers": []}
        return [(name, value) for name, value in start["headers"] if name in {b"x-request-id", b"connection"}]

    def problem(self) -> dict[str, Any]:
        """The problem document; one that can't be read is our own failure."""
        body = b"".join(message.get("body", b"") for message in self.messages[1:])
        with suppress(msgspec.DecodeError):
            problem = _PAYLOAD.decode(body)
            if {"code", "detail", "errors"} <= problem.keys():
                return problem
        return _FAILED


def _refusal(problem: dict[str, Any]) -> Ruling:
    """A problem document as a denial."""
    faults = "; ".join(f"{fault['message']} at `{fault['pointer']}`" for fault in problem["errors"][:3])
    detail = problem["detail"] + (f" ({faults})" if faults else "")
    return refused(detail, outage=problem["code"] in _OUTAGES)


async def _answer(host: Host, scope: Scope, ruling: Ruling, heard: _Heard, send: Send) -> None:
    payload = None
    with suppress(msgspec.DecodeError, KeyError, RecursionError, UnicodeDecodeError):
        payload = _PAYLOAD.decode(visit.of(scope).body)
    body, headers = rendered(host, host.answer(event_name(host, scope, payload), ruling))
    told = [(name.encode("ascii"), value.encode("ascii")) for name, value in headers.items()]
    length = (b"content-length", str(len(body)).encode("ascii"))
    await send({"type": "http.response.start", "status": _OK, "headers": [*told, length, *heard.kept]})
    await send({"type": "http.response.body", "body": body})
