"""The ports without a database: for ``lineclear check`` and tests; forgets everything with its process."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from lineclear.core.standing import Scope
from lineclear.engine.keys import KeyRow, TooManyKeys
from lineclear.engine.log import Known, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from lineclear.core.call import Key, SessionKey
    from lineclear.core.standing import Grant
    from lineclear.engine.log import Entry, Record, Session

VALID_KEYS = 2
"""How many keys of one principal and role are valid at a time: the old one and its successor."""


@dataclass(slots=True)
class Kept:
    """What the fakes of all ports share, as one database's tables would be."""

    sessions: dict[SessionKey, Session] = field(default_factory=dict)
    records: dict[UUID, Record] = field(default_factory=dict)
    calls: dict[tuple[SessionKey, str], UUID] = field(default_factory=dict)
    spent: set[UUID] = field(default_factory=set)
    counted: set[tuple[SessionKey, str]] = field(default_factory=set)
    grants: dict[UUID, HeldGrant] = field(default_factory=dict)


@dataclass(slots=True)
class HeldGrant:
    """A grant, whose it is, until when it holds, and whether it was used up or ended."""

    grant: Grant
    session: SessionKey
    until: datetime | None
    over: bool = False

    def holds(self, at: datetime) -> bool:
        """Whether it allows its call at a time."""
        return not self.over and (self.until is None or self.until > at)


class MemoryLog:
    """The log as a few dictionaries."""

    def __init__(self, kept: Kept | None = None) -> None:
        self._kept = kept or Kept()

    async def known(self, session: SessionKey, tool_use_id: str | None) -> Known:
        """What is known of a session and a call."""
        kept, call = self._kept, None if tool_use_id is None else (session, tool_use_id)
        holder = None if call is None else kept.calls.get(call)
        if call is None or holder is None:
            return Known(kept.sessions.get(session))
        return Known(kept.sessions.get(session), kept.records[holder], holder in kept.spent, call in kept.counted)

    async def find(self, decision_id: UUID) -> Record | None:
        """One record."""
        return self._kept.records.get(decision_id)

    async def open_breakers(self, principal: str, since: datetime) -> int:
        """How many sessions of a principal that began since a moment have an open breaker."""
        sessions = [session for session in self._kept.sessions.values() if session.key[0] == principal]
        return sum(session.breaker.open and session.started_at >= since for session in sessions)

    async def recent(self, session: SessionKey, limit: int) -> Sequence[Record]:
        """The latest records of a session, oldest first."""
        return [record for record in self._kept.records.values() if record.session == session][-limit:]

    async def commit(self, entries: Sequence[Entry]) -> Sequence[Outcome | Exception]:
        """Write those entries whose conditions hold."""
        return [self._write(entry) for entry in entries]

    def _write(self, entry: Entry) -> Outcome:
        kept, record, session = self._kept, entry.record, entry.session
        call = None if record.tool_use_id is None else (session.key, record.tool_use_id)
        holder = None if call is None else kept.calls.get(call)
        now = kept.sessions.get(session.key)
        if _revision(now) != _revision(entry.seen) or holder != entry.replaces:
            return Outcome.LOST
        counts = entry.by_heart or (entry.seen is not None and session.steps != entry.seen.steps)
        if counts and now is not None and entry.seen is not None and entry.seen.steps != now.steps:
            return Outcome.LOST
        used = None if entry.uses is None else kept.grants.get(entry.uses)
        if entry.uses is not None and (used is None or not used.holds(record.decided_at)):
            return Outcome.LOST
        if used is not None:
            used.over = used.grant.scope is Scope.ONCE
        if entry.voids in kept.grants:
            kept.grants[entry.voids].over = True
        kept.sessions[session.key] = session if now is None else _changed(now, entry)
        kept.records[record.id] = record
        if call is not None:
            kept.calls[call] = record.id
            kept.counted |= {call} if entry.counted else set()
        return Outcome.WRITTEN


def _revision(session: Session | None) -> int | None:
    return None if session is None else session.revision


def _changed(now: Session, entry: Entry) -> Session:
    """The session after an entry, which changes its roots, or what the classifier said, or both."""
    after, seen = entry.session, entry.seen
    now = replace(now, roots=after.roots, revision=after.revision)
    if seen is None or after.steps == seen.steps:
        return now
    return replace(now, breaker=after.breaker, denials=after.denials, steps=after.steps)


class MemoryKeys:
    """Keys as a dictionary."""

    def __init__(self) -> None:
        self._rows: dict[bytes, KeyRow] = {}

    async def find(self, key_digest: bytes) -> Key | None:
        """The valid key of a digest."""
        row = self._rows.get(key_digest)
        return None if row is None or row.revoked_at is not None else row.key

    async def add(self, key: Key, key_digest: bytes) -> None:
        """Keep a new key."""
        alike = [
            row
            for row in self._rows.values()
            if row.revoked_at is None and row.key.role == key.role and row.key.principal.id == key.principal.id
        ]
        if len(alike) >= VALID_KEYS:
            raise TooManyKeys(too_many(key))
        self._rows[key_digest] = KeyRow(key, datetime.now(UTC), None)

    async def all(self) -> Sequence[KeyRow]:
        """Every key, newest first."""
        return list(reversed(self._rows.values()))

    async def revoke(self, key_id: str) -> bool:
        """Revoke one; false if there is none of that id."""
        for digest, row in self._rows.items():
            if row.key.id == key_id:
                self._rows[digest] = replace(row, revoked_at=row.revoked_at or datetime.now(UTC))
                return True
        return False


def too_many(key: Key) -> str:
    """What to tell who wants a third key."""
    return f"`{key.principal.id}` has {VALID_KEYS} valid keys of role `{key.role}`; revoke one first"
