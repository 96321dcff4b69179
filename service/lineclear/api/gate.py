"""The outermost layer: every request gets an id and exactly one answer, and a failure is never a verdict."""

from __future__ import annotations

import re
import secrets
import time
from typing import TYPE_CHECKING

import structlog

from lineclear.api import visit
from lineclear.api.body import ClientGone
from lineclear.api.problems import Problem, ProblemCode
from lineclear.api.translate import as_problem
from lineclear.telemetry import failures

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from lineclear.api.problems import Problems
    from lineclear.telemetry.metrics import Metrics

_NOT_IN_AN_ID = re.compile(rb"[^A-Za-z0-9._:-]")
_LONGEST_ID = 64
NEVER_SHED = frozenset({"/livez", "/readyz", "/metrics"})
"""What must answer when there is too much else."""

log = structlog.get_logger("lineclear.api")


class Gate:
    """Counts what is under way, sheds what is too much, and turns every exception into a problem document."""

    def __init__(self, app: ASGIApp, max_in_flight: int, problems: Problems, metrics: Metrics) -> None:
        self._app = app
        self._max = max_in_flight
        self._problems = problems
        self._metrics = metrics
        self._in_flight = 0
        metrics.watch_in_flight(lambda: self._in_flight)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request. Start and end of the process are the composition root's business, not a lifespan's."""
        if scope["type"] != "http":
            raise RuntimeError(f"only http is served, not {scope['type']}")
        visited = visit.Visit(request_id=_request_id(scope["headers"]), arrived=time.perf_counter())
        visit.begin(scope, visited)
        started = False

        async def marked(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message["headers"] = [*message["headers"], (b"x-request-id", visited.request_id.encode("ascii"))]
            await send(message)

        self._in_flight += 1
        try:
            self._shed(scope["path"])
            await self._app(scope, receive, marked)
        except ClientGone:
            pass
        except Exception as error:  # noqa: BLE001 - the last resort: whatever it was, it is no verdict
            problem = as_problem(error)
            log_if_internal(problem, error, visited)
            if not started:
                await self._problems.send(marked, problem, visited.request_id)
        finally:
            self._in_flight -= 1

    def _shed(self, path: str) -> None:
        if self._in_flight > self._max and path not in NEVER_SHED:
            self._metrics.shed()
            raise Problem(ProblemCode.OVERLOADED, "too many requests are under way; try again shortly")


def log_if_internal(problem: Problem, error: Exception, visited: visit.Visit) -> None:
    """Log a failure that is our own fault, under its request's id, in words that hold nothing of the caller's."""
    if problem.code is ProblemCode.INTERNAL:
        path = visited.endpoint.path if visited.endpoint else None
        # no traceback: it would end with what a caller sent
        log.error("request_failed", request_id=visited.request_id, path=path, **failures.described(error))


def _request_id(headers: list[tuple[bytes, bytes]]) -> str:
    for name, value in headers:
        if name == b"x-request-id":
            cleaned = _NOT_IN_AN_ID.sub(b"", value[: 4 * _LONGEST_ID])[:_LONGEST_ID]
            if cleaned:
                return cleaned.decode("ascii")
    return secrets.token_hex(16)
