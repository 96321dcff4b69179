"""Sessions: what their users typed, where their breakers stand, and what people do about that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from fastapi import APIRouter, Query, Request, Response

from lineclear.api import visit
from lineclear.api.pages import CURSOR, KNOWN, LIMIT, page
from lineclear.engine.record import session_key
from lineclear.wire import bodies, cursor
from lineclear.wire.form import breaker
from lineclear.wire.names import session_name

if TYPE_CHECKING:
    from lineclear.core.call import Key
    from lineclear.engine.conversation import Conversation
    from lineclear.engine.log import Session
    from lineclear.engine.sessions import Sessions


def router(sessions: Sessions, conversation: Conversation) -> APIRouter:
    """The routes of sessions; in a path a session is named by its opaque id, by a host as it named it itself."""
    routes = APIRouter(tags=["sessions"])

    @routes.post("/v1/sessions/{session_id}/messages", summary="Record user messages", operation_id="add_messages")
    async def hear(request: Request, session_id: str) -> Response:
        """What the user typed, when it is typed. Sent again, a message is known by its `message_id`, else its text."""
        key, body = _visitor(request)
        added = await conversation.hear(session_key(key, session_name(session_id)), bodies.messages(body))
        return _json({"added": added})

    @routes.get("/v1/sessions", summary="List sessions", operation_id="list_sessions", dependencies=KNOWN)
    async def read_all(
        request: Request,
        state: Annotated[
            Literal["open"] | None, Query(alias="breaker", description="Only those of this state.")
        ] = None,
        limit: LIMIT = 50,
        cursor_: CURSOR = None,
    ) -> Response:
        """Newest first; a host sees its own."""
        key, _ = _visitor(request)
        before = cursor.read(cursor_)
        found = await sessions.page(key, open_only=state == "open", before=before, limit=limit + 1)
        more = found[limit - 1].id if len(found) > limit else None
        return page([_document(session) for session in found[:limit]], more)

    @routes.get("/v1/sessions/{session_id}", summary="Read a session", operation_id="read_session")
    async def read(request: Request, session_id: str) -> Response:
        """State and counters of one."""
        key, _ = _visitor(request)
        return _json(_document(await sessions.find(session_id, key)))

    @routes.post(
        "/v1/sessions/{session_id}/breaker/reset", summary="Close a session's breaker", operation_id="reset_breaker"
    )
    async def reset(request: Request, session_id: str) -> Response:
        """With a reason, which is recorded."""
        key, body = _visitor(request)
        return _json(_document(await sessions.reset(session_id, key, bodies.reason(body))))

    @routes.post("/v1/sessions/{session_id}/close", summary="Close a session", operation_id="close_session")
    async def close(request: Request, session_id: str) -> Response:
        """Its grants end; an open breaker stays open."""
        key, _ = _visitor(request)
        return _json(_document(await sessions.close(session_id, key)))

    return routes


def _visitor(request: Request) -> tuple[Key, bytes]:
    visited = visit.of(request.scope)
    assert visited.key is not None
    return visited.key, visited.body


def _document(session: Session) -> dict[str, object]:
    principal, name = session.key
    return {
        "id": str(session.id),
        "principal": principal,
        "session_id": name,
        "started_at": session.started_at.isoformat(),
        "closed_at": None if session.closed_at is None else session.closed_at.isoformat(),
        "workspace_roots": session.roots,
        "messages": session.messages,
        "breaker": breaker(session.breaker),
    }


def _json(document: object) -> Response:
    return Response(msgspec.json.encode(document), media_type="application/json")
