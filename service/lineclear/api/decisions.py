"""Decisions: asked for before each tool execution, read again by their id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated
from uuid import UUID  # noqa: TC003 - the framework reads the annotation

from fastapi import APIRouter, Query, Request, Response

from lineclear.api import visit
from lineclear.api.problems import Problem, ProblemCode
from lineclear.core.call import Role
from lineclear.engine.decide import Answer
from lineclear.wire import answer
from lineclear.wire.request import decode

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from lineclear.core.call import Key
    from lineclear.engine.decide import Engine
    from lineclear.engine.log import Record

_JSON = (b"content-type", b"application/json")
_LONGEST_WAIT_S = 60


class Decide:
    """``POST /v1/decisions`` on the bare protocol: the framework's routing would cost more than the decision."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - the body is read
        """Decide one call. Raises what ``translate`` knows."""
        visited = visit.of(scope)
        assert visited.key is not None
        stated = decode(visited.body)
        decided = await self._engine.decide(stated, visited.key, arrived=visited.arrived)
        body = answer.encode(decided, visited.key.role)
        length = (b"content-length", str(len(body)).encode("ascii"))
        await send({"type": "http.response.start", "status": 200, "headers": [_JSON, length]})
        await send({"type": "http.response.body", "body": body})


def router(engine: Engine) -> APIRouter:
    """The routes that read."""
    routes = APIRouter(tags=["decisions"])

    @routes.get("/v1/decisions/{decision_id}", summary="Read a decision", operation_id="read_decision")
    async def read(
        request: Request,
        decision_id: UUID,
        wait_s: Annotated[
            float,
            Query(ge=0, le=_LONGEST_WAIT_S, description="Seconds to wait for an answer to a question that is open."),
        ] = 0,
    ) -> Response:
        """The decision as it was answered. Agents and hosts read their own."""
        del wait_s  # no question of this version is held open, so that there is never an answer to wait for
        key = visit.of(request.scope).key
        assert key is not None
        record = await engine.find(decision_id)
        if record is None or not _may_read(key, record):
            raise Problem(ProblemCode.NOT_FOUND, "there is no decision of this id that this key may read")
        return Response(answer.encode(Answer(record), key.role), media_type="application/json")

    return routes


def _may_read(key: Key, record: Record) -> bool:
    """Whoever watches reads all; whoever asks reads what its own principal asked."""
    return key.role in {Role.OPERATOR, Role.EDITOR} or record.session[0] == key.principal.id
