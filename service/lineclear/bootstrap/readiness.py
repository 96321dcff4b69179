"""Whether the service can decide: the database answers, its migrations are done, a policy is in force."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Protocol

from lineclear.api.health import Readiness
from lineclear.engine.log import StorageUnavailable
from lineclear.storage.failures import NotDurable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

_WITHIN_S = 2.0
_FRESH_S = 0.5
"""How long a look counts: the probe needs no key, and each look is a connection."""


_UNWRITTEN_S = 5.0
"""How long a batch that failed counts, if none comes through: who gets no calls for it couldn't learn that it heals."""


class Warned(Protocol):
    """What knows of something odd."""

    @property
    def warnings(self) -> Sequence[str]:
        """What is odd, but keeps nothing from deciding."""


class ServiceHealth:
    """Looks at each probe, at most once at a time, and never longer than a probe waits."""

    def __init__(
        self, behind: Callable[[], Awaitable[bool]], unwritten: Callable[[float], bool], *warned: Warned
    ) -> None:
        self._behind = behind
        self._unwritten = unwritten
        self._warned = warned
        self._looking: asyncio.Task[str | None] | None = None
        self._looked = float("-inf")
        self.draining = False
        """Whether the service was asked to stop."""

    def drain(self) -> None:
        """From now on, not ready: the service was asked to stop."""
        self.draining = True

    async def readiness(self) -> Readiness:
        """What keeps the service from deciding, now."""
        if self._looking is None or (self._looking.done() and time.monotonic() - self._looked >= _FRESH_S):
            self._looked = time.monotonic()
            self._looking = asyncio.create_task(self._database(), name="readiness")
        try:
            database = await asyncio.wait_for(asyncio.shield(self._looking), _WITHIN_S)
        except TimeoutError:
            database = f"no answer within {_WITHIN_S:g} s"
        # A policy is always in force: without one the service doesn't start, and a broken one never replaces it.
        checks = {"database": database, "policy": None, "shutdown": "asked to stop" if self.draining else None}
        return Readiness(checks, tuple(warning for one in self._warned for warning in one.warnings))

    async def _database(self) -> str | None:
        try:
            if await self._behind():
                return "its migrations are behind this version; run `lineclear db upgrade`"
        except NotDurable as error:
            return str(error)
        except StorageUnavailable:
            return "it can't be reached"
        # A server may answer and still take nothing: its disk is full, it became a standby, a lock is held.
        unwritten = self._unwritten(_UNWRITTEN_S)
        return "no decision can be written; look for a full disk, a lock or a standby" if unwritten else None
