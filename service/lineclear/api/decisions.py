"""Decisions: asked for before each tool execution, read again by their id, listed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated
from uuid import UUID  # noqa: TC003 - the framework reads the annotation

import msgspec
from fastapi import APIRouter, Query, Request, Response

from lineclear.api import visit
from lineclear.api.body import ClientGone
from lineclear.api.pages import CURSOR, KNOWN, LIMIT, page
from lineclear.core.reasons import Code  # noqa: TC001
from lineclear.engine.errors import CallerGone
from lineclear.engine.listing import Wanted
from lineclear.wire import answer, cursor
from lineclear.wire.errors import Malformed, Problem
from lineclear.wire.request import decode
from lineclear.wire.stored import as_listed, as_read

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from lineclear.engine.answers import Answers
    from lineclear.engine.decide import Engine
    from lineclear.engine.listing import Listing

_JSON = (b"content-type", b"application/json")
_LONGEST_WAIT_S = 60
_LONGEST_NAME = 256


class Decide:
    """``POST /v1/decisions`` on the bare protocol: the framework's routing would cost more than the decision."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Decide one call. Raises what ``translate`` knows, and ``ClientGone``."""
        visited = visit.of(scope)
        assert visited.key is not None
        stated = decode(visited.body)
        try:
            decided = await self._engine.decide(
                stated, visited.key, arrived=visited.arrived, gone=lambda: visit.left(receive)
            )
        except CallerGone:
            raise ClientGone from None
        body = answer.encode(decided, visited.key.role)
        length = (b"content-length", str(len(body)).encode("ascii"))
        await send({"type": "http.response.start", "status": 200, "headers": [_JSON, length]})
        await send({"type": "http.response.body", "body": body})


def router(answers: Answers, listing: Listing) -> APIRouter:
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
        """The decision as it was answered, and what has been said of it since. Agents and hosts read their own."""
        key = visit.of(request.scope).key
        assert key is not None
        record, course = await answers.wait(decision_id, key, wait_s=wait_s)
        found = as_read(record, course, key.role, datetime.now(UTC))
        return Response(msgspec.json.encode(found), media_type="application/json")

    @routes.get("/v1/decisions", summary="List decisions", operation_id="list_decisions", dependencies=KNOWN)
    async def read_all(
        request: Request,
        *,
        session_id: Annotated[str | None, Query(max_length=_LONGEST_NAME, description="A session's own name.")] = None,
        verdict: Annotated[str | None, Query(pattern="^(allow|ask|deny)$")] = None,
        code: Code | None = None,
        tool_name: Annotated[str | None, Query(max_length=_LONGEST_NAME)] = None,
        rule: Annotated[str | None, Query(max_length=1000, description="A rule's full name.")] = None,
        since: Annotated[datetime | None, Query(description="Decided then or later.")] = None,
        until: Annotated[datetime | None, Query(description="Decided before.")] = None,
        limit: LIMIT = 50,
        cursor_: CURSOR = None,
    ) -> Response:
        """Newest first. A page looks at a bounded number of decisions: follow the cursor even past an empty one."""
        key = visit.of(request.scope).key
        assert key is not None
        wanted = Wanted(session_id, verdict, code, tool_name, rule, _moment(since), _moment(until))
        found = await listing.decisions(wanted, before=cursor.read(cursor_), limit=limit)
        return page([as_listed(record, key.role) for record in found.records], found.before)

    return routes


def _moment(given: datetime | None) -> datetime | None:
    """A time without a zone is one in UTC; raises ``Malformed`` for one that is none there."""
    if given is None or given.tzinfo is None:
        return given and given.replace(tzinfo=UTC)
    try:
        return given.astimezone(UTC)
    except OverflowError:
        raise Malformed([Problem("/query", "invalid", "a moment must lie between the years 1 and 9999")]) from None
