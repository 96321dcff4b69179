"""One call explained to the security team: decided without a record, with all that was looked at."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec
from fastapi import APIRouter, Request, Response

from lineclear.api import visit
from lineclear.api.documents import DecisionDocument
from lineclear.engine.explain import explain
from lineclear.wire.explaining import caller, encoded
from lineclear.wire.request import decode

if TYPE_CHECKING:
    from lineclear.api.policy import PolicyView
    from lineclear.engine.decide import Engine


class ExplanationDocument(DecisionDocument, kw_only=True, forbid_unknown_fields=True):
    """What the answer would be, and how it came about: each check, the parts that were seen, the rules."""

    decision_id: None  # type: ignore[assignment]  # nothing is recorded
    input_sha256: None  # type: ignore[assignment]
    duration_ms: None  # type: ignore[assignment]
    trace: dict[str, Any]


def router(view: PolicyView, engine: Engine) -> APIRouter:
    """The route of explanations."""
    routes = APIRouter(tags=["policy"])

    @routes.post("/v1/policy/explain", summary="Explain how one call is decided", operation_id="explain")
    async def told(request: Request) -> Response:
        """A decision request, with `principal` and `role` in whose place it is decided; nothing is recorded."""
        body = visit.of(request.scope).body
        stated, key, policy, now = decode(body), caller(body), view.current, datetime.now(UTC)
        explained = explain(stated, key, policy, engine.own, now)
        return Response(msgspec.json.encode(encoded(explained, key, policy, now)), media_type="application/json")

    return routes
