"""What is said of a decision afterwards: what became of its call, or what a person answered; and what still waits."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Literal
from uuid import UUID  # noqa: TC003 - the framework reads the annotation

import msgspec
from fastapi import APIRouter, Query, Request, Response

from lineclear.api import visit
from lineclear.api.pages import CURSOR, KNOWN, LIMIT, page
from lineclear.core.course import Answer
from lineclear.wire import bodies, cursor
from lineclear.wire.form import breaker
from lineclear.wire.stored import approval, as_listed

if TYPE_CHECKING:
    from lineclear.core.course import Result
    from lineclear.engine.answers import Answers, Reported
    from lineclear.engine.listing import Listing


def router(answers: Answers, listing: Listing) -> APIRouter:
    """The routes of outcomes and approvals."""
    routes = APIRouter(tags=["outcomes"])

    @routes.post("/v1/decisions/{decision_id}/outcome", summary="Report an outcome", operation_id="report_outcome")
    async def report(request: Request, decision_id: UUID) -> Response:
        """`executed`, `failed`, `unknown` of a call; `approved`, `rejected` of a question, by a host or an operator."""
        visited = visit.of(request.scope)
        assert visited.key is not None
        said, scope = bodies.outcome(visited.body)
        if isinstance(said, Answer):
            reported = await answers.answer(decision_id, said, scope, visited.key)
        else:
            reported = await answers.report(decision_id, said, visited.key)
        return Response(msgspec.json.encode(_document(reported, said)), media_type="application/json")

    @routes.get("/v1/approvals", summary="Questions that wait", operation_id="list_approvals", dependencies=KNOWN)
    async def pending(
        request: Request,
        status: Annotated[Literal["pending"], Query(description="Only those that wait are listed.")] = "pending",
        limit: LIMIT = 50,
        cursor_: CURSOR = None,
    ) -> Response:
        """The questions that nobody has answered and that haven't expired, newest first."""
        del status
        key = visit.of(request.scope).key
        assert key is not None
        found = await listing.pending(datetime.now(UTC), before=cursor.read(cursor_), limit=limit)
        return page([as_listed(record, key.role) for record in found.records], found.before)

    return routes


def _document(reported: Reported, said: Answer | Result) -> dict[str, object]:
    retry, grant, until = reported.retry, reported.grant, reported.grant_until
    advice = None if retry is None else {"advice": retry.advice, "check": retry.check}
    expires_at = None if until is None else until.isoformat()
    return {
        "decision_id": str(reported.record.id),
        "outcome": said,
        "retry": advice,
        "approval": approval(reported.record, reported.course, datetime.now(UTC)),
        "grant": None if grant is None else {"scope": grant.scope, "expires_at": expires_at},
        "breaker": None if reported.session is None else breaker(reported.session.breaker),
    }
