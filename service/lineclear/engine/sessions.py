"""Sessions as operators and hosts see them: listed, reset with a reason, closed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol
from uuid import UUID

from lineclear.core.call import Role, SessionKey
from lineclear.core.redact import redact
from lineclear.engine.errors import Conflict, Missing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from lineclear.core.call import Key
    from lineclear.core.redact import Redacted
    from lineclear.engine.log import Session


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that a person did to a session, kept for ever: who, when, and why in their own words."""

    id: UUID
    key: Key
    at: datetime
    reason: Redacted


class SessionBook(Protocol):
    """The port. Methods raise ``StorageUnavailable``."""

    async def find(self, session_id: UUID) -> Session | None:
        """The session of an opaque id."""

    async def named(self, key: SessionKey) -> Session | None:
        """The session of a principal by its own name."""

    async def page(
        self, principal: str | None, *, open_only: bool, before: UUID | None, limit: int
    ) -> Sequence[Session]:
        """Sessions with ids before ``before``, newest first: a principal's, or all; ``open_only`` by their breaker."""

    async def reset(self, session: Session, deed: Deed) -> Session | None:
        """Close the breaker; the session after that, or None where it wasn't open. The deed is kept with it."""

    async def close(self, session: Session, deed: Deed) -> Session:
        """Close a session: its grants end. An open breaker stays open."""


@dataclass(frozen=True, slots=True)
class Sessions:
    """What may be done with sessions. A host sees its own; methods raise ``Missing``, ``Conflict`` and the port's."""

    book: SessionBook
    now: Callable[[], datetime]
    new_id: Callable[[], UUID]

    async def find(self, name: str, key: Key) -> Session:
        """A session by its opaque id, or a host's own by the name that the host gave it."""
        held = key.role is Role.HOST and "\0" not in name  # which no database can be asked for
        if held and (own := await self.book.named(SessionKey((key.principal.id, name)))) is not None:
            return own
        session = None if (opaque := _uuid(name)) is None else await self.book.find(opaque)
        if session is None or (key.role is Role.HOST and session.key[0] != key.principal.id):
            raise Missing("there is no session of this id that this key may see")
        return session

    async def page(self, key: Key, *, open_only: bool, before: UUID | None, limit: int) -> Sequence[Session]:
        """A page of the sessions that this key may see, newest first."""
        principal = key.principal.id if key.role is Role.HOST else None
        return await self.book.page(principal, open_only=open_only, before=before, limit=limit)

    async def reset(self, name: str, key: Key, reason: str) -> Session:
        """Close a session's breaker, for a reason."""
        session = await self.book.reset(await self.find(name, key), self._deed(key, reason))
        if session is None:
            raise Conflict("the breaker of this session isn't open")
        return session

    async def close(self, name: str, key: Key) -> Session:
        """Close a session."""
        return await self.book.close(await self.find(name, key), self._deed(key, ""))

    def _deed(self, key: Key, reason: str) -> Deed:
        kept, _ = redact(reason)
        return Deed(self.new_id(), key, self.now(), kept)


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
