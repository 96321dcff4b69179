"""The calls of one model turn in one request: each is answered in its place, by a decision or by a problem."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request, Response

from lineclear.api import visit
from lineclear.api.gate import log_if_internal
from lineclear.api.translate import as_problem
from lineclear.engine.batch import decide_all
from lineclear.engine.errors import CallerGone
from lineclear.wire import batch

if TYPE_CHECKING:
    from lineclear.api.problems import Problems
    from lineclear.api.visit import Visit
    from lineclear.engine.decide import Engine

REQUEST: dict[str, Any] = {
    "title": "BatchRequest",
    "description": "The calls of one model turn, in their order.",
    "type": "object",
    "properties": {
        "defaults": {
            "description": "Fields for every call; a call's own field stands in place of the one here, whole.",
            "type": "object",
        },
        "decisions": {
            "description": "Each with `defaults` a decision request. What isn't one gets a problem in its place.",
            "type": "array",
            "maxItems": batch.MAX_DECISIONS,
            "items": {"type": "object"},
        },
    },
    "required": ["decisions"],
}
ANSWER: dict[str, Any] = {
    "title": "Batch",
    "description": "One result for each call, in their order.",
    "type": "object",
    "properties": {
        "results": {
            "description": "A decision, or the problem that there is none; what has no `verdict` is not run.",
            "type": "array",
            "items": {
                "anyOf": [
                    {"$ref": "#/components/schemas/DecisionDocument"},
                    {"$ref": "#/components/schemas/ProblemDocument"},
                ]
            },
        },
        "schedule": {
            "description": "Every call's index once, in order, in groups to run one after the other; the calls of one "
            "group may run side by side. Whoever runs them skips what isn't allowed.",
            "type": "array",
            "items": {"type": "array", "items": {"type": "integer", "minimum": 0}},
        },
    },
    "required": ["results", "schedule"],
    "additionalProperties": False,
}


def router(engine: Engine, problems: Problems) -> APIRouter:
    """The route of batches."""
    routes = APIRouter(tags=["decisions"])

    @routes.post(
        "/v1/decisions/batch",
        summary="Decide the tool calls of one model turn",
        operation_id="decide_batch",
        openapi_extra={"requestBody": {"required": True, "content": {"application/json": {"schema": REQUEST}}}},
        responses={
            200: {"description": "What became of each call", "content": {"application/json": {"schema": ANSWER}}}
        },
    )
    async def decide(request: Request) -> Response:
        """The calls are decided in their order on one policy snapshot, and each is recorded as if it came alone."""
        visited = visit.of(request.scope)
        assert visited.key is not None
        calls = batch.decode(visited.body)
        try:
            results = await decide_all(
                engine, calls, visited.key, arrived=visited.arrived, gone=lambda: visit.left(request.receive)
            )
        except CallerGone:
            return Response(status_code=HTTPStatus.SERVICE_UNAVAILABLE)  # which nobody reads
        told = [_problem(result, visited) if isinstance(result, Exception) else result for result in results]
        return Response(batch.encode(told, visited.key.role), media_type="application/json")

    def _problem(error: Exception, visited: Visit) -> bytes:
        problem = as_problem(error)
        log_if_internal(problem, error, visited)
        return bytes(problems.response(problem, visited.request_id).body)

    return routes
