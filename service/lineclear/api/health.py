"""Health: the process lives; and it is able to decide, or says what keeps it from that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Protocol

import msgspec
from fastapi import APIRouter, Query, Response

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether the service can decide.

    ``checks`` maps what was looked at to what is wrong with it, None where nothing is. ``warnings`` don't keep it
    from deciding.
    """

    checks: Mapping[str, str | None]
    warnings: tuple[str, ...] = ()

    @property
    def ready(self) -> bool:
        """Whether nothing is wrong."""
        return all(fault is None for fault in self.checks.values())


class Health(Protocol):
    """What knows whether the service can decide."""

    async def readiness(self) -> Readiness:
        """Look now, within a second or two."""


class HealthDocument(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer of a probe; details only where they were asked for."""

    status: str
    checks: dict[str, str] | None = None
    warnings: list[str] | None = None


def router(health: Health) -> APIRouter:
    """The probes' routes."""
    routes = APIRouter(tags=["health"])

    @routes.get("/livez", summary="Whether the process lives", operation_id="livez")
    async def livez() -> Response:
        """Always `200` while the process serves."""
        return _document(200, HealthDocument("ok"))

    @routes.get("/readyz", summary="Whether the service can decide", operation_id="readyz")
    async def readyz(
        verbose: Annotated[str | None, Query(description="Given: what was checked, and warnings.")] = None,
    ) -> Response:
        """`200` if the database, its migrations and the policy are there; else `503`."""
        found = await health.readiness()
        status = "ok" if found.ready else "not ready"
        if verbose is None or verbose in {"0", "false"}:
            return _document(200 if found.ready else 503, HealthDocument(status))
        checks = {name: fault or "ok" for name, fault in found.checks.items()}
        return _document(200 if found.ready else 503, HealthDocument(status, checks, list(found.warnings)))

    return routes


def _document(status: int, document: HealthDocument) -> Response:
    return Response(msgspec.json.encode(document), status, {"cache-control": "no-store"}, media_type="application/json")
