"""Everything that is no verdict is a problem document (RFC 9457), and each one means: do not run the call."""

from __future__ import annotations

from enum import StrEnum
from http import HTTPStatus
from typing import TYPE_CHECKING

import msgspec
from starlette.responses import Response

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import Send

    from lineclear.telemetry.metrics import Metrics

MEDIA_TYPE = "application/problem+json"


class ProblemCode(StrEnum):
    """Why there is no verdict: a closed list, stable once published."""

    MALFORMED = "malformed"
    UNAUTHENTICATED = "unauthenticated"
    FORBIDDEN = "forbidden"
    ORIGIN_REFUSED = "origin_refused"
    HOST_REFUSED = "host_refused"
    NOT_FOUND = "not_found"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    CONFLICT = "conflict"
    TOO_LARGE = "too_large"
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type"
    OVERLOADED = "overloaded"
    STORAGE_UNAVAILABLE = "storage_unavailable"
    INTERNAL = "internal"


STATUS: dict[ProblemCode, HTTPStatus] = {
    ProblemCode.MALFORMED: HTTPStatus.BAD_REQUEST,
    ProblemCode.UNAUTHENTICATED: HTTPStatus.UNAUTHORIZED,
    ProblemCode.FORBIDDEN: HTTPStatus.FORBIDDEN,
    ProblemCode.ORIGIN_REFUSED: HTTPStatus.FORBIDDEN,
    ProblemCode.HOST_REFUSED: HTTPStatus.FORBIDDEN,
    ProblemCode.NOT_FOUND: HTTPStatus.NOT_FOUND,
    ProblemCode.METHOD_NOT_ALLOWED: HTTPStatus.METHOD_NOT_ALLOWED,
    ProblemCode.CONFLICT: HTTPStatus.CONFLICT,
    ProblemCode.TOO_LARGE: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    ProblemCode.UNSUPPORTED_MEDIA_TYPE: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    ProblemCode.OVERLOADED: HTTPStatus.SERVICE_UNAVAILABLE,
    ProblemCode.STORAGE_UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    ProblemCode.INTERNAL: HTTPStatus.INTERNAL_SERVER_ERROR,
}

TITLE: dict[ProblemCode, str] = {
    ProblemCode.MALFORMED: "The request is malformed",
    ProblemCode.UNAUTHENTICATED: "A valid key is needed",
    ProblemCode.FORBIDDEN: "This key may not do that",
    ProblemCode.ORIGIN_REFUSED: "Requests of web pages are refused",
    ProblemCode.HOST_REFUSED: "This host name is not served",
    ProblemCode.NOT_FOUND: "There is no such thing",
    ProblemCode.METHOD_NOT_ALLOWED: "This method is not served here",
    ProblemCode.CONFLICT: "The request contradicts an earlier one",
    ProblemCode.TOO_LARGE: "The body is too large",
    ProblemCode.UNSUPPORTED_MEDIA_TYPE: "The body must be JSON",
    ProblemCode.OVERLOADED: "The service is overloaded",
    ProblemCode.STORAGE_UNAVAILABLE: "The decision log is unavailable",
    ProblemCode.INTERNAL: "The service failed",
}

_PASSING = frozenset({ProblemCode.OVERLOADED, ProblemCode.STORAGE_UNAVAILABLE})
_RETRY_AFTER_S = 1


class Fault(msgspec.Struct, frozen=True):
    """One thing that is wrong with a body: where (a JSON pointer), a code, and words."""

    pointer: str
    code: str
    message: str


class Problem(Exception):
    """A request that gets no verdict."""

    def __init__(
        self, code: ProblemCode, detail: str, errors: tuple[Fault, ...] = (), headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.errors = errors
        self.headers = headers or {}


class ProblemDocument(msgspec.Struct, frozen=True):
    """The body of every answer that is no success. A client treats each one as "do not run"."""

    type: str
    title: str
    status: int
    detail: str
    code: ProblemCode
    request_id: str
    errors: tuple[Fault, ...]


def render(problem: Problem, request_id: str) -> bytes:
    """The problem as JSON."""
    return msgspec.json.encode(
        ProblemDocument(
            type=f"urn:lineclear:problem:{problem.code}",
            title=TITLE[problem.code],
            status=STATUS[problem.code].value,
            detail=problem.detail,
            code=problem.code,
            request_id=request_id,
            errors=problem.errors,
        )
    )


class Problems:
    """Answers with problems, and counts them."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    async def send(self, send: Send, problem: Problem, request_id: str) -> None:
        """Answer on the bare protocol."""
        headers, body = self._rendered(problem, request_id)
        await send(
            {
                "type": "http.response.start",
                "status": STATUS[problem.code].value,
                "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()],
            }
        )
        await send({"type": "http.response.body", "body": body})

    def response(self, problem: Problem, request_id: str) -> Response:
        """Answer out of a route."""
        headers, body = self._rendered(problem, request_id)
        return Response(body, STATUS[problem.code].value, headers)

    def _rendered(self, problem: Problem, request_id: str) -> tuple[dict[str, str], bytes]:
        self._metrics.problem(problem.code)
        body = render(problem, request_id)
        headers = {"content-type": MEDIA_TYPE, "content-length": str(len(body)), "cache-control": "no-store"}
        if problem.code in _PASSING:
            headers["retry-after"] = str(_RETRY_AFTER_S)
        return headers | dict(problem.headers), body
