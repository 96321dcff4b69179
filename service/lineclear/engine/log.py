"""The decision log: what is kept of each decision, committed before the answer leaves."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime  # noqa: TC003 - exported lines are read by the record's annotations
from enum import Enum
from typing import TYPE_CHECKING, Protocol
from uuid import UUID  # noqa: TC003 - the same

from lineclear.core.breaker import Breaker
from lineclear.core.call import SessionKey  # noqa: TC001 - the same
from lineclear.core.redact import Redacted  # noqa: TC001 - the same

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.core.standing import Denial


class StorageUnavailable(Exception):
    """The log can't be read or written now; no verdict leaves the service."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session as the log knows it.

    ``id`` is opaque, for operators. ``roots`` are fixed by the first call that names them, None while none has.
    ``revision`` grows with each change of them, so that a writer notices that it decided on an older state.

    ``breaker`` and ``denials``, what the classifier said, change together, and ``steps`` grows with each change.
    ``messages`` counts the user's messages. ``grants_until`` is when the last of its grants ends, None where it never
    had one; ``closed_at`` when it was closed, if it was.
    """

    key: SessionKey
    id: UUID
    roots: tuple[str, ...] | None
    revision: int
    started_at: datetime
    breaker: Breaker = Breaker()
    denials: tuple[Denial, ...] = ()
    steps: int = 0
    messages: int = 0
    grants_until: datetime | None = None
    closed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A decision as it is kept: everything that it depended on, with secrets taken out.

    ``request`` is what was decided (believed values), ``answer`` what was answered in full (findings and reasons for
    people), both as JSON objects that have been through redaction. ``redactions`` tells where and what kind.
    ``input_sha256`` is the keyed hash of the exact input, ``fingerprint`` the hash that tells calls apart.
    ``duration_ms`` is the time from the request's arrival until the record was ready. ``expires_at`` is when a question
    counts as rejected, None for other verdicts. ``episode`` is the breaker's by then: odd while it is open.
    """

    id: UUID
    decided_at: datetime
    session: SessionKey
    tool_use_id: str | None
    key_id: str
    role: str
    tool_name: str
    kind: str
    host: str
    mode: str
    verdict: str
    code: str
    rules: tuple[str, ...]
    enforced: bool
    request: Redacted
    answer: Redacted
    redactions: Redacted
    input_sha256: str
    fingerprint: str
    policy_version: str
    engine_version: str
    duration_ms: float
    expires_at: datetime | None = None
    episode: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """A record to be written, with what must still be true when it is.

    ``session`` is the row as it shall be: inserted where ``seen`` is None, else updated where its roots, or what the
    classifier said, differ from ``seen``. ``replaces`` is the decision that holds this call's ``tool_use_id`` already,
    None where none does; ``counted`` says that the call counts as denied by the classifier from now on.

    ``uses`` is the grant by which the call is allowed: it must still hold, and one for once is used up. ``voids`` is
    the grant that ends because the policy denies its call.
    """

    record: Record
    session: Session
    seen: Session | None
    replaces: UUID | None = None
    counted: bool = False
    uses: UUID | None = None
    voids: UUID | None = None
    by_heart: bool = False
    """Whether ``seen`` is what was remembered rather than looked up: then its steps must still be the same too."""


class Outcome(Enum):
    """What became of an entry."""

    WRITTEN = "written"
    LOST = "lost"
    """Somebody else changed the session, took the ``tool_use_id`` or used the grant first: look and decide anew."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the log knows before a call is decided.

    ``earlier`` is the decision that holds the call's ``tool_use_id``; ``spent`` says that it was answered or that its
    call has run, and ``counted`` that the call counted as denied by the classifier, in whichever decision.
    """

    session: Session | None = None
    earlier: Record | None = None
    spent: bool = False
    counted: bool = False


class DecisionLog(Protocol):
    """The port, which every adapter passes one contract suite for. All methods raise ``StorageUnavailable``."""

    async def known(self, session: SessionKey, tool_use_id: str | None) -> Known:
        """What is known of a session and a call, in one round trip."""

    async def commit(self, entries: Sequence[Entry]) -> Sequence[Outcome | Exception]:
        """Write a batch in one transaction; the outcomes are in the order of the entries.

        An entry that the database refuses fails alone, with its exception in its place.
        """

    async def find(self, decision_id: UUID) -> Record | None:
        """One record."""

    async def open_breakers(self, principal: str, since: datetime) -> int:
        """How many sessions of a principal that began since a moment have an open breaker."""

    async def recent(self, session: SessionKey, limit: int) -> Sequence[Record]:
        """The latest records of a session, oldest first."""


class Fronting:
    """What stands before a ``DecisionLog`` and does one thing otherwise: the rest is passed on to the log beneath."""

    def __init__(self, log: DecisionLog) -> None:
        self._log = log

    async def known(self, session: SessionKey, tool_use_id: str | None) -> Known:
        """What the log beneath knows."""
        return await self._log.known(session, tool_use_id)

    async def find(self, decision_id: UUID) -> Record | None:
        """One record of the log beneath."""
        return await self._log.find(decision_id)

    async def open_breakers(self, principal: str, since: datetime) -> int:
        """How many sessions have one in the log beneath."""
        return await self._log.open_breakers(principal, since)

    async def recent(self, session: SessionKey, limit: int) -> Sequence[Record]:
        """The latest records of a session of the log beneath."""
        return await self._log.recent(session, limit)
