"""The decision log: what is kept of each decision, committed before the answer leaves."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from lineclear.core.call import SessionKey
    from lineclear.core.redact import Redacted


class StorageUnavailable(Exception):
    """The log can't be read or written now; no verdict leaves the service."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session as the log knows it.

    ``id`` is opaque, for operators. ``roots`` are fixed by the first call that names them, None while none has.
    ``revision`` grows with each change, so that a writer notices that it decided on an older state.
    """

    key: SessionKey
    id: UUID
    roots: tuple[str, ...] | None
    revision: int
    started_at: datetime


@dataclass(frozen=True, slots=True)
class Record:
    """A decision as it is kept: everything that it depended on, with secrets taken out.

    ``request`` is what was decided (believed values), ``answer`` what was answered in full (findings and reasons for
    people), both as JSON objects that have been through redaction. ``redactions`` tells where and what kind.
    ``input_sha256`` is the keyed hash of the exact input, ``fingerprint`` the hash that tells calls apart.
    ``duration_ms`` is the time from the request's arrival until the record was ready.
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


@dataclass(frozen=True, slots=True)
class Entry:
    """A record to be written, with what must still be true when it is.

    ``session`` is the row as it shall be: inserted where ``seen`` is None, else updated where it differs from
    ``seen``. ``replaces`` is the decision that holds this call's ``tool_use_id`` already, None where none does.
    """

    record: Record
    session: Session
    seen: Session | None
    replaces: UUID | None = None


class Outcome(Enum):
    """What became of an entry."""

    WRITTEN = "written"
    LOST = "lost"
    """Somebody else changed the session or took the ``tool_use_id`` first: look again and decide anew."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the log knows before a call is decided."""

    session: Session | None = None
    earlier: Record | None = None
    """The decision that holds the call's ``tool_use_id``."""


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
