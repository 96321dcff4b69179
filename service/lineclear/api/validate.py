"""Policy files are checked for those who write them, and their schema is shown; the policy in force stays as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec
from fastapi import APIRouter, Request, Response

from lineclear import resources
from lineclear.api import visit
from lineclear.wire import bodies

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineclear.api.policy import PolicyView

SCHEMA_MEDIA_TYPE = "application/schema+json"


class PlaceDocument(msgspec.Struct, frozen=True):
    """Something that is wrong or odd: a stable code, how much it matters, which entry, where, and what to do.

    Lines and columns count from 1. ``subject`` is the id of the rule or path, null where it is about a file.
    """

    code: str
    level: str
    subject: str | None
    file: str
    line: int
    column: int
    message: str


class CheckDocument(msgspec.Struct, frozen=True):
    """What files would come to: a version, or the errors that keep them from being loaded; and the lint's findings."""

    version: str | None
    errors: list[PlaceDocument]
    findings: list[PlaceDocument]


class ValidationDocument(CheckDocument, frozen=True, kw_only=True):
    """The same, with what it means: ``valid`` files would be taken; ``in_force`` is the version that decides now."""

    valid: bool
    in_force: str


class Checking(Protocol):
    """What checks files."""

    async def check(self, files: Mapping[str, str]) -> CheckDocument:
        """What becomes of files by their names in a folder of policies. Raises ``Problem``."""


def router(view: PolicyView, checks: Checking) -> APIRouter:
    """The routes for those who write policies."""
    routes = APIRouter(tags=["policy"])

    @routes.get("/v1/policy/schema", summary="The JSON Schema of policy files", operation_id="read_policy_schema")
    async def schema() -> Response:
        """What a policy file may hold, as JSON Schema 2020-12, for editors."""
        return Response(resources.policy_schema().read_bytes(), media_type=SCHEMA_MEDIA_TYPE)

    @routes.post("/v1/policy/validate", summary="Check policy files", operation_id="validate_policy")
    async def validate(request: Request) -> Response:
        """Whether files would be taken, on the built-in layer and nothing else; the policy in force stays."""
        found = await checks.check(bodies.policy_files(visit.of(request.scope).body))
        document = ValidationDocument(
            version=found.version,
            errors=found.errors,
            findings=found.findings,
            valid=found.version is not None and not found.errors,
            in_force=view.current.version,
        )
        return Response(msgspec.json.encode(document), media_type="application/json")

    return routes
