"""Recorded decisions as lines of JSON, one each: written by an export, read by a replay."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - msgspec reads the annotations
from typing import Any
from uuid import UUID  # noqa: TC003 - the same

import msgspec

from lineclear.core.call import SessionKey
from lineclear.core.redact import Redacted
from lineclear.engine.log import Record
from lineclear.wire.errors import Malformed, Problem


class RecordWire(msgspec.Struct):
    """A record, its values already redacted."""

    id: UUID
    decided_at: datetime
    principal: str
    session_id: str
    tool_use_id: str | None
    key_id: str
    role: str
    tool_name: str
    kind: str
    host: str
    mode: str
    verdict: str
    code: str
    rules: list[str]
    enforced: bool
    request: dict[str, Any]
    answer: dict[str, Any]
    redactions: dict[str, Any]
    input_sha256: str
    fingerprint: str
    policy_version: str
    engine_version: str
    duration_ms: float
    expires_at: datetime | None = None
    episode: int = 0


_DECODER = msgspec.json.Decoder(RecordWire)


def as_line(record: Record) -> bytes:
    """One line, without its end."""
    principal, session_id = record.session
    fields: dict[str, object] = {
        name: getattr(record, name) for name in RecordWire.__struct_fields__ if name not in {"principal", "session_id"}
    }
    return msgspec.json.encode(fields | {"principal": principal, "session_id": session_id})


def of_line(line: bytes) -> Record:
    """The record of a line. Raises ``Malformed``."""
    try:
        read = _DECODER.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed([Problem("", "invalid", f"it is no recorded decision: {error}")]) from None
    fields = {name: getattr(read, name) for name in RecordWire.__struct_fields__}
    session = SessionKey((fields.pop("principal"), fields.pop("session_id")))
    fields |= {
        "rules": tuple(read.rules),
        "request": Redacted(read.request),
        "answer": Redacted(read.answer),
        "redactions": Redacted(read.redactions),
    }
    return Record(session=session, **fields)
