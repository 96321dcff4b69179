"""The metrics' page, for Prometheus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter, Response

from lineclear.telemetry.metrics import CONTENT_TYPE

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from lineclear.telemetry.metrics import Metrics


def router(metrics: Metrics) -> APIRouter:
    """The route on the service's own address, for keys of the role ``metrics``."""
    routes = APIRouter(tags=["metrics"])

    @routes.get("/metrics", summary="All metrics", operation_id="metrics")
    async def scrape() -> Response:
        """Prometheus' text format."""
        return Response(metrics.exposition(), media_type=CONTENT_TYPE)

    return routes


class MetricsAlone:
    """An application of nothing but ``/metrics``, for an address of its own that asks for no key."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one scrape."""
        assert scope["type"] == "http"
        found = scope["path"] == "/metrics" and scope["method"] == "GET"
        response = (
            Response(self._metrics.exposition(), media_type=CONTENT_TYPE)
            if found
            else Response("only GET /metrics is served here\n", 404, media_type="text/plain")
        )
        await response(scope, receive, send)
