"""A visit: what the outer layers know of one request, for the layers within."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Receive, Scope

    from lineclear.api.endpoints import Endpoint
    from lineclear.core.call import Key

_PLACE = "lineclear"


@dataclass(slots=True)
class Visit:
    """One request under way.

    ``arrived`` is its time by ``time.perf_counter``. ``endpoint`` and ``key`` are None until the door has been passed;
    ``key`` stays None on endpoints that are open to everybody. ``body`` is what was read of the body.
    """

    request_id: str
    arrived: float
    endpoint: Endpoint | None = None
    key: Key | None = None
    body: bytes = b""


def begin(scope: Scope, visit: Visit) -> None:
    """Attach a visit to a request."""
    scope[_PLACE] = visit


def of(scope: Scope) -> Visit:
    """The visit of a request."""
    visit = scope[_PLACE]
    assert isinstance(visit, Visit)
    return visit


async def left(receive: Receive) -> None:
    """Return when the client of a request whose body was read has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
