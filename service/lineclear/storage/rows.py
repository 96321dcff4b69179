"""Records and sessions as rows and back: the one translation between the log's values and the columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from lineclear.core.call import SessionKey
from lineclear.core.redact import Redacted
from lineclear.engine.log import Record, Session

if TYPE_CHECKING:
    from lineclear.engine.log import Entry

RECORD_COLUMNS = (
    "id",
    "decided_at",
    "principal",
    "session_id",
    "tool_use_id",
    "key_id",
    "role",
    "tool_name",
    "kind",
    "host",
    "mode",
    "verdict",
    "code",
    "rules",
    "enforced",
    "request",
    "answer",
    "redactions",
    "input_sha256",
    "fingerprint",
    "policy_version",
    "engine_version",
    "duration_ms",
)
"""The columns of ``decisions``, in the order in which ``record_values`` gives them."""


def record_values(record: Record) -> tuple[Any, ...]:
    """The values of a record's columns; raises ``ValueError`` for a text that no database can hold."""
    principal, session_id = record.session
    return (
        record.id,
        record.decided_at,
        principal,
        session_id,
        record.tool_use_id,
        record.key_id,
        record.role,
        record.tool_name,
        record.kind,
        record.host,
        record.mode,
        record.verdict,
        record.code,
        _json(record.rules),
        record.enforced,
        _json(record.request),
        _json(record.answer),
        _json(record.redactions),
        record.input_sha256,
        record.fingerprint,
        record.policy_version,
        record.engine_version,
        record.duration_ms,
    )


def record_of(row: Mapping[str, Any]) -> Record:
    """The record of a row that has all of ``RECORD_COLUMNS``."""
    return Record(
        id=row["id"],
        decided_at=row["decided_at"],
        session=SessionKey((row["principal"], row["session_id"])),
        tool_use_id=row["tool_use_id"],
        key_id=row["key_id"],
        role=row["role"],
        tool_name=row["tool_name"],
        kind=row["kind"],
        host=row["host"],
        mode=row["mode"],
        verdict=row["verdict"],
        code=row["code"],
        rules=tuple(msgspec.json.decode(row["rules"])),
        enforced=row["enforced"],
        request=_redacted(row["request"]),
        answer=_redacted(row["answer"]),
        redactions=_redacted(row["redactions"]),
        input_sha256=row["input_sha256"],
        fingerprint=row["fingerprint"],
        policy_version=row["policy_version"],
        engine_version=row["engine_version"],
        duration_ms=row["duration_ms"],
    )


SESSION_COLUMNS = (
    "session_uuid",
    "session_roots",
    "session_revision",
    "session_started_at",
    "seen_revision",
    "changes",
    "replaces",
)
"""What a batch holds of an entry beside its record, in the order in which ``session_values`` gives it."""


def session_values(entry: Entry) -> tuple[Any, ...]:
    """The values of an entry's session and conditions; raises ``ValueError`` for a revision that isn't the next."""
    session, seen = entry.session, entry.seen
    if seen is not None and session != seen and session.revision != seen.revision + 1:
        raise ValueError("a session's revision grows by one")
    return (
        session.id,
        None if session.roots is None else _json(session.roots),
        session.revision,
        session.started_at,
        None if seen is None else seen.revision,
        session != seen,
        entry.replaces,
    )


def session_of(key: SessionKey, row: Mapping[str, Any]) -> Session:
    """The session of a row that has the first four of ``SESSION_COLUMNS``."""
    roots = row["session_roots"]
    return Session(
        key=key,
        id=row["session_uuid"],
        roots=None if roots is None else tuple(msgspec.json.decode(roots)),
        revision=row["session_revision"],
        started_at=row["session_started_at"],
    )


def _json(value: object) -> str:
    return msgspec.json.encode(value, enc_hook=_plain).decode()


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a record holds a `{type(value).__name__}`, which is no JSON value")


def _redacted(text: str) -> Redacted:
    # What is in the log has been through redaction on its way in.
    return Redacted(msgspec.json.decode(text))
