"""Records and sessions as rows and back: the one translation between the log's values and the columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from lineclear.core.breaker import Breaker, OpenedBy
from lineclear.core.call import SessionKey
from lineclear.core.redact import Redacted
from lineclear.core.standing import Denial
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
    "expires_at",
    "episode",
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
        float(record.duration_ms),
        record.expires_at,
        record.episode,
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
        expires_at=row["expires_at"],
        episode=row["episode"],
    )


SESSION_COLUMNS = (
    "session_uuid",
    "session_roots",
    "session_revision",
    "session_started_at",
    "session_consecutive",
    "session_total",
    "session_opened_by",
    "session_opening",
    "session_denials",
    "session_steps",
    "seen_revision",
    "seen_steps",
    "changes",
    "replaces",
    "counted",
)
"""What a batch holds of an entry beside its record, in the order in which ``session_values`` gives it.

``seen_steps`` is null where the entry doesn't depend on what the classifier said.
"""


def session_values(entry: Entry) -> tuple[Any, ...]:
    """The values of an entry's session and conditions; raises ``ValueError`` for a change that isn't the next."""
    session, seen = entry.session, entry.seen
    if seen is not None and session.roots != seen.roots and session.revision != seen.revision + 1:
        raise ValueError("a session's revision grows by one")
    if session.steps != (step := 0 if seen is None else seen.steps) and session.steps != step + 1:
        raise ValueError("a session's steps grow by one")
    breaker = session.breaker
    return (
        session.id,
        None if session.roots is None else _json(session.roots),
        session.revision,
        session.started_at,
        breaker.consecutive,
        breaker.total,
        breaker.opened_by,
        breaker.opening,
        _json(session.denials),
        session.steps,
        None if seen is None else seen.revision,
        None if seen is None or session.steps == seen.steps else seen.steps,
        session != seen,
        entry.replaces,
        entry.counted,
    )


def session_of(key: SessionKey, row: Mapping[str, Any]) -> Session:
    """The session of a row that has what ``statements.SESSION`` selects."""
    roots, opened_by = row["session_roots"], row["session_opened_by"]
    return Session(
        key=key,
        id=row["session_id"],
        roots=None if roots is None else tuple(msgspec.json.decode(roots)),
        revision=row["session_revision"],
        started_at=row["session_started_at"],
        breaker=Breaker(
            row["session_consecutive"],
            row["session_total"],
            None if opened_by is None else OpenedBy(opened_by),
            row["session_opening"],
        ),
        denials=_denials(row["session_denials"]),
        steps=row["session_steps"],
        messages=row["session_messages"],
        grants_until=row["session_grants_until"],
        closed_at=row["session_closed_at"],
    )


def _denials(text: str) -> tuple[Denial, ...]:
    return () if text == "[]" else msgspec.json.decode(text, type=tuple[Denial, ...])


def _json(value: object) -> str:
    return msgspec.json.encode(value, enc_hook=_plain).decode()


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a record holds a `{type(value).__name__}`, which is no JSON value")


def _redacted(text: str) -> Redacted:
    # What is in the log has been through redaction on its way in.
    return Redacted(msgspec.json.decode(text))
