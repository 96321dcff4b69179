"""Lists are alike: newest first, ``items`` and an opaque ``next_cursor``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from fastapi import Query, Response

from lineclear.wire import cursor

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

LONGEST_PAGE = 200

LIMIT = Annotated[int, Query(ge=1, le=LONGEST_PAGE, description="Most items of a page.")]
CURSOR = Annotated[str | None, Query(alias="cursor", max_length=64, description="The last page's `next_cursor`.")]


def page(items: Sequence[object], before: UUID | None) -> Response:
    """One page."""
    body = msgspec.json.encode({"items": items, "next_cursor": cursor.write(before)})
    return Response(body, media_type="application/json")
