"""Lists are alike: newest first, ``items`` and an opaque ``next_cursor``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from fastapi import Depends, Query, Request, Response

from lineclear.wire import cursor
from lineclear.wire.errors import Malformed, Problem

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

LONGEST_PAGE = 200

LIMIT = Annotated[int, Query(ge=1, le=LONGEST_PAGE, description="Most items of a page.")]
CURSOR = Annotated[str | None, Query(alias="cursor", max_length=64, description="The last page's `next_cursor`.")]


async def known_parameters(request: Request) -> None:
    """Refuse a parameter that a list doesn't have: a filter that is misspelled would show everything."""
    known = {field.alias for field in request.scope["route"].dependant.query_params}
    for name in request.query_params:
        if name not in known:
            problem = Problem(
                "/query", "unknown", f"this list has no such parameter; it has {', '.join(sorted(known))}"
            )
            raise Malformed([problem])


KNOWN = [Depends(known_parameters)]
"""For the routes of lists."""


def page(items: Sequence[object], before: UUID | None) -> Response:
    """One page."""
    body = msgspec.json.encode({"items": items, "next_cursor": cursor.write(before)})
    return Response(body, media_type="application/json")
