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
    """Refuse what a list can't be asked for.

    A parameter that it doesn't have, or one given twice, would show more than was meant; no database takes a NUL.
    """
    known = {field.alias for field in request.scope["route"].dependant.query_params}
    given: set[str] = set()
    for name, value in request.query_params.multi_items():
        if name not in known:
            raise _refused("unknown", f"this list has no such parameter; it has {', '.join(sorted(known))}")
        if name in given:
            raise _refused("twice", f"`{name}` is given twice; give it once")
        if "\0" in value:
            raise _refused("nul", f"`{name}` holds a NUL character, and no name does")
        given.add(name)


def _refused(code: str, message: str) -> Malformed:
    return Malformed([Problem("/query", code, message)])


KNOWN = [Depends(known_parameters)]
"""For the routes of lists."""


def page(items: Sequence[object], before: UUID | None) -> Response:
    """One page."""
    body = msgspec.json.encode({"items": items, "next_cursor": cursor.write(before)})
    return Response(body, media_type="application/json")
