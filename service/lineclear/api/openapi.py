"""The contract as OpenAPI 3.1, made from the routes, the endpoint table and the wire's own types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from fastapi.openapi.utils import get_openapi

from lineclear.api.documents import (
    DecisionDocument,
    HeardDocument,
    OutcomeDocument,
    RecordDocument,
    RecordsDocument,
    SessionDocument,
    SessionsDocument,
)
from lineclear.api.endpoints import DECIDE, ENDPOINTS
from lineclear.api.explain import ExplanationDocument
from lineclear.api.gate import NEVER_SHED
from lineclear.api.health import HealthDocument
from lineclear.api.policy import PolicyDocument
from lineclear.api.problems import MEDIA_TYPE, STATUS, TITLE, ProblemCode, ProblemDocument
from lineclear.api.validate import SCHEMA_MEDIA_TYPE, ValidationDocument
from lineclear.wire.bodies import CloseWire, MessagesWire, OutcomeWire, PolicyFilesWire, ResetWire
from lineclear.wire.explaining import ExplainWire
from lineclear.wire.request import RequestWire

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fastapi import FastAPI

    from lineclear.api.endpoints import Endpoint

_REF = "#/components/schemas/{name}"
_ANSWERS: dict[tuple[str, str], type] = {
    ("GET", "/v1/decisions"): RecordsDocument,
    ("POST", "/v1/decisions/{decision_id}/outcome"): OutcomeDocument,
    ("GET", "/v1/approvals"): RecordsDocument,
    ("GET", "/v1/sessions"): SessionsDocument,
    ("GET", "/v1/sessions/{session_id}"): SessionDocument,
    ("POST", "/v1/sessions/{session_id}/messages"): HeardDocument,
    ("POST", "/v1/sessions/{session_id}/breaker/reset"): SessionDocument,
    ("POST", "/v1/sessions/{session_id}/close"): SessionDocument,
    ("GET", "/v1/policy"): PolicyDocument,
    ("POST", "/v1/policy/validate"): ValidationDocument,
    ("POST", "/v1/policy/explain"): ExplanationDocument,
    ("GET", "/livez"): HealthDocument,
    ("GET", "/readyz"): HealthDocument,
}
_BODIES: dict[str, type] = {
    "/v1/policy/validate": PolicyFilesWire,
    "/v1/policy/explain": ExplainWire,
    "/v1/decisions/{decision_id}/outcome": OutcomeWire,
    "/v1/sessions/{session_id}/messages": MessagesWire,
    "/v1/sessions/{session_id}/breaker/reset": ResetWire,
    "/v1/sessions/{session_id}/close": CloseWire,
}
_DOCUMENTS = (
    RequestWire, DecisionDocument, RecordDocument, ProblemDocument, *_BODIES.values(), *_ANSWERS.values(),
)  # fmt: skip
_LISTS = frozenset({"/v1/decisions", "/v1/approvals", "/v1/sessions"})
_CAN_CONFLICT = frozenset(
    {"/v1/decisions/{decision_id}/outcome", "/v1/sessions/{session_id}/breaker/reset", DECIDE.path}
)
_ABOUT = (
    "Ask before each tool execution. A verdict is always 200; everything else is a problem document, and means: do "
    "not run the call. So does a verdict that the client doesn't know."
)


def document(app: FastAPI) -> dict[str, Any]:
    """The whole document."""
    found = get_openapi(title=app.title, version=app.version, description=_ABOUT, routes=app.routes)
    paths = found["paths"]
    paths.setdefault(DECIDE.path, {})["post"] = {
        "tags": ["decisions"],
        "summary": "Decide a tool call",
        "description": "Call this before each tool execution, and run the tool only on `allow`.",
        "operationId": "decide",
        "requestBody": {"required": True, "content": _json(RequestWire)},
        "responses": {"200": {"description": "The decision, committed to the log", "content": _json(DecisionDocument)}},
    }
    for endpoint in ENDPOINTS:
        if endpoint.path in paths:
            _complete(paths[endpoint.path][endpoint.method.lower()], endpoint)
    (_, components) = msgspec.json.schema_components(_DOCUMENTS, ref_template=_REF)
    found["components"] = {
        "schemas": dict(sorted(components.items())),
        "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "description": "A key, `lck_…`."}},
    }
    found["paths"] = dict(sorted(paths.items()))
    return found


def _complete(operation: dict[str, Any], endpoint: Endpoint) -> None:
    """Add what the outer layers do: keys, roles, problems, and the answer's shape."""
    responses = operation["responses"]
    responses.pop("422", None)
    if endpoint.method == "POST" and (body := _BODIES.get(endpoint.path)):
        operation["requestBody"] = {"required": True, "content": _json(body)}
    if endpoint.path == "/v1/decisions/{decision_id}" and endpoint.method == "GET":
        either = [_reference(DecisionDocument), _reference(RecordDocument)]
        responses["200"]["content"] = {"application/json": {"schema": {"anyOf": either}}}
    elif shape := _ANSWERS.get((endpoint.method, endpoint.path)):
        responses["200"]["content"] = _json(shape)
    elif endpoint.path == "/v1/policy/schema":
        responses["200"]["content"] = {SCHEMA_MEDIA_TYPE: {"schema": {"type": "object"}}}
    elif endpoint.path == "/metrics":
        responses["200"]["content"] = {"text/plain": {"schema": {"type": "string"}}}
    if endpoint.path == "/readyz":
        responses["503"] = {"description": "It can't decide now", "content": _json(HealthDocument)}
    if endpoint.roles is not None:
        operation["security"] = [{"key": []}]
        operation["x-roles"] = sorted(endpoint.roles)
    for status, codes in _problems(endpoint):
        description = "; ".join(f"`{code}`: {TITLE[code]}" for code in codes)
        responses.setdefault(
            str(status),
            {"description": description, "content": {MEDIA_TYPE: {"schema": _reference(ProblemDocument)}}},
        )
    operation["responses"] = dict(sorted(responses.items()))


def _problems(endpoint: Endpoint) -> Iterable[tuple[int, list[ProblemCode]]]:
    codes = [ProblemCode.INTERNAL]
    if endpoint.path not in NEVER_SHED:
        codes.append(ProblemCode.OVERLOADED)
    if endpoint.roles is not None:
        codes += [ProblemCode.UNAUTHENTICATED, ProblemCode.FORBIDDEN, ProblemCode.STORAGE_UNAVAILABLE]
    if endpoint.changes_state:
        codes += [ProblemCode.ORIGIN_REFUSED, ProblemCode.HOST_REFUSED, ProblemCode.UNSUPPORTED_MEDIA_TYPE]
        codes += [ProblemCode.MALFORMED, ProblemCode.TOO_LARGE]
    if endpoint.changes_state and endpoint.path in _CAN_CONFLICT:
        codes.append(ProblemCode.CONFLICT)
    if endpoint.path in _LISTS:
        codes.append(ProblemCode.MALFORMED)
    if "{" in endpoint.path:
        codes += [ProblemCode.MALFORMED, ProblemCode.NOT_FOUND]
    by_status: dict[int, list[ProblemCode]] = {}
    for code in codes:
        by_status.setdefault(STATUS[code].value, []).append(code)
    return by_status.items()


def _json(shape: type) -> dict[str, Any]:
    return {"application/json": {"schema": _reference(shape)}}


def _reference(shape: type) -> dict[str, str]:
    return {"$ref": _REF.format(name=shape.__name__)}
