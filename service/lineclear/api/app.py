"""The application, built from what it needs and nothing else; importing this does nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from lineclear import __version__
from lineclear.api import (
    batch,
    decisions,
    docs,
    explain,
    health,
    hooks,
    metrics,
    openapi,
    outcomes,
    policy,
    sessions,
    validate,
    visit,
)
from lineclear.api.body import Body
from lineclear.api.door import Door
from lineclear.api.endpoints import DECIDE
from lineclear.api.gate import Gate
from lineclear.api.hook_guard import HookGuard
from lineclear.api.hook_listener import HookListener
from lineclear.api.problems import Problem, Problems
from lineclear.api.shares import Shares
from lineclear.api.translate import as_problem
from lineclear.engine.errors import Conflict, Missing, NotAllowed, Overtaken
from lineclear.engine.log import StorageUnavailable
from lineclear.wire.errors import Malformed

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

    from lineclear.api.health import Health
    from lineclear.api.policy import PolicyView
    from lineclear.api.validate import Checking
    from lineclear.engine.answers import Answers
    from lineclear.engine.conversation import Conversation
    from lineclear.engine.decide import Engine
    from lineclear.engine.keys import KeyStore
    from lineclear.engine.listing import Listing
    from lineclear.engine.sessions import Sessions
    from lineclear.telemetry.metrics import Metrics


@dataclass(frozen=True, slots=True)
class Needs:
    """Everything that the application is made of."""

    engine: Engine
    answers: Answers
    conversation: Conversation
    sessions: Sessions
    listing: Listing
    keys: KeyStore
    policy: PolicyView
    checks: Checking
    health: Health
    metrics: Metrics
    allowed_hosts: frozenset[str]
    max_body_bytes: int
    max_in_flight: int


def create(needs: Needs) -> ASGIApp:
    """The application: from the outside in, guard of hooks, gate, door, body, then the decision or FastAPI's routes."""
    problems = Problems(needs.metrics)
    inner = _Fork(decisions.Decide(needs.engine), routes(needs, problems))
    shares = Shares(needs.max_in_flight, needs.metrics)
    door = Door(Body(inner, needs.max_body_bytes), needs.keys, needs.allowed_hosts, shares, needs.metrics)
    return HookGuard(Gate(door, needs.max_in_flight, problems, needs.metrics), needs.metrics)


class _Fork:
    """Takes the one hot endpoint past the framework."""

    def __init__(self, decide: ASGIApp, rest: ASGIApp) -> None:
        self._decide = decide
        self._rest = rest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        chosen = self._decide if visit.of(scope).endpoint is DECIDE else self._rest
        await chosen(scope, receive, send)


def routes(needs: Needs, problems: Problems) -> FastAPI:
    """All but the hot endpoint; the outer layers have let a request in before it comes here."""
    app = FastAPI(
        title="Lineclear", version=__version__, openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False
    )
    app.include_router(decisions.router(needs.answers, needs.listing))
    app.include_router(batch.router(needs.engine, problems))
    listener = HookListener(needs.engine, needs.conversation, needs.answers, needs.sessions)
    app.include_router(hooks.router(hooks.HookDesk(needs.engine, listener)))
    app.include_router(outcomes.router(needs.answers, needs.listing))
    app.include_router(sessions.router(needs.sessions, needs.conversation))
    app.include_router(policy.router(needs.policy))
    app.include_router(validate.router(needs.policy, needs.checks))
    app.include_router(explain.router(needs.policy, needs.engine))
    app.include_router(health.router(needs.health))
    app.include_router(metrics.router(needs.metrics))
    document = openapi.document(app)
    app.include_router(docs.router(document))

    async def refused(request: Request, error: Exception) -> Response:
        return problems.response(as_problem(error), visit.of(request.scope).request_id)

    for kind in (
        Problem, Malformed, StorageUnavailable, Conflict, Missing, NotAllowed, Overtaken, RequestValidationError,
        HTTPException, Exception,
    ):  # fmt: skip
        app.add_exception_handler(kind, refused)
    return app
