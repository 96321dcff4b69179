"""The ports without a database: for ``lineclear check`` and tests; forgets everything with its process."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from lineclear.engine.keys import KeyRow, TooManyKeys
from lineclear.engine.log import Known, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from lineclear.core.call import Key, SessionKey
    from lineclear.engine.log import Entry, Record, Session

VALID_KEYS = 2
"""How many keys of one principal and role are valid at a time: the old one and its successor."""


class MemoryLog:
    """The log as a few dictionaries."""

    def __init__(self) -> None:
        self._sessions: dict[SessionKey, Session] = {}
        self._records: dict[UUID, Record] = {}
        self._calls: dict[tuple[SessionKey, str], UUID] = {}

    async def known(self, session: SessionKey, tool_use_id: str | None) -> Known:
        """What is known of a session and a call."""
        holder = None if tool_use_id is None else self._calls.get((session, tool_use_id))
        return Known(self._sessions.get(session), None if holder is None else self._records[holder])

    async def find(self, decision_id: UUID) -> Record | None:
        """One record."""
        return self._records.get(decision_id)

    async def commit(self, entries: Sequence[Entry]) -> Sequence[Outcome | Exception]:
        """Write those entries whose conditions hold."""
        return [self._write(entry) for entry in entries]

    def _write(self, entry: Entry) -> Outcome:
        record, session = entry.record, entry.session
        call = None if record.tool_use_id is None else (session.key, record.tool_use_id)
        holder = None if call is None else self._calls.get(call)
        now = self._sessions.get(session.key)
        if _revision(now) != _revision(entry.seen) or holder != entry.replaces:
            return Outcome.LOST
        self._sessions[session.key] = session
        self._records[record.id] = record
        if call is not None:
            self._calls[call] = record.id
        return Outcome.WRITTEN


def _revision(session: Session | None) -> int | None:
    return None if session is None else session.revision


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
