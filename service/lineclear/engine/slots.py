"""How many calls may be in flight to a model: few of a session, some of a principal, so that others are judged."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from lineclear.core.call import SessionKey


class TooManyInFlight(Exception):
    """No slot came free within the deadline; there is no verdict."""


@dataclass(slots=True)
class _Lane:
    """The slots of one session or principal, kept only while somebody holds one or waits."""

    semaphore: asyncio.Semaphore
    users: int = 0


@dataclass(slots=True)
class Slots:
    """The slots of one process; who waits is served in the order of arrival. For one event loop.

    ``per_session`` is 4 by the design of the breaker: as many verdicts may still arrive when it opens.
    """

    per_session: int = 4
    per_principal: int = 16
    total: int = 128
    _lanes: dict[object, _Lane] = field(default_factory=dict, init=False)

    @asynccontextmanager
    async def slot(self, session: SessionKey, *, timeout_s: float) -> AsyncIterator[None]:
        """Hold a slot; raises ``TooManyInFlight`` where none comes free in ``timeout_s`` seconds.

        Whoever waited looks again at what may have changed (the breaker, the policy) before asking.
        """
        principal, _ = session
        async with AsyncExitStack() as held:
            try:
                async with asyncio.timeout(timeout_s):
                    await held.enter_async_context(self._lane(session, self.per_session))
                    await held.enter_async_context(self._lane((principal,), self.per_principal))
                    await held.enter_async_context(self._lane((), self.total))
            except TimeoutError:
                raise TooManyInFlight("too many calls are being judged; none ended in time") from None
            yield

    @asynccontextmanager
    async def _lane(self, key: object, size: int) -> AsyncIterator[None]:
        lane = self._lanes.get(key)
        if lane is None:
            lane = self._lanes[key] = _Lane(asyncio.Semaphore(size))
        lane.users += 1
        try:
            async with lane.semaphore:
                yield
        finally:
            lane.users -= 1
            if lane.users == 0:
                del self._lanes[key]
