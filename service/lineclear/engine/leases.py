"""Leases: of the twins of one ``tool_use_id``, one asks a model, and the others wait for its decision."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Protocol
from uuid import uuid4

from lineclear.engine.errors import Overtaken
from lineclear.engine.log import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from uuid import UUID

    from lineclear.core.call import SessionKey

MARGIN_S = 5.0
"""How much longer than its holder's deadline a lease lasts; then the holder is taken for dead."""
_FIRST_LOOK_S = 0.02
_LONGEST_LOOK_S = 0.25


class Leases(Protocol):
    """The port. Methods raise ``StorageUnavailable``; nobody holds a connection while waiting."""

    async def take(self, session: SessionKey, tool_use_id: str, holder: UUID, *, for_s: float) -> bool:
        """Take the lease of a call, unless somebody else holds it; one that ran out is nobody's."""

    async def release(self, session: SessionKey, tool_use_id: str, holder: UUID) -> None:
        """Give it back."""


@asynccontextmanager
async def leased(leases: Leases, session: SessionKey, tool_use_id: str | None, until: float) -> AsyncIterator[None]:
    """Hold a call's lease; ``until`` is the caller's deadline by ``time.perf_counter``.

    Raises ``Overtaken`` where another holds it until then. Whoever waited looks again whether the call is decided.
    """
    if tool_use_id is None:
        yield
        return
    holder = uuid4()
    pause = _FIRST_LOOK_S
    while not await leases.take(session, tool_use_id, holder, for_s=max(0.0, until - time.perf_counter()) + MARGIN_S):
        left = until - time.perf_counter()
        if left <= 0:
            raise Overtaken("this call is being judged on behalf of another request; ask again")
        await asyncio.sleep(min(pause, left))
        pause = min(pause * 2, _LONGEST_LOOK_S)
    try:
        yield
    finally:
        await asyncio.shield(_given_back(leases, session, tool_use_id, holder))


async def _given_back(leases: Leases, session: SessionKey, tool_use_id: str, holder: UUID) -> None:
    try:
        await leases.release(session, tool_use_id, holder)
    except StorageUnavailable:
        return  # it runs out by itself
