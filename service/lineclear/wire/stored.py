"""A decision as it is read again: as it was answered, with what has been said of it since."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lineclear.core.call import Role
from lineclear.core.canonical import canonical
from lineclear.engine.decide import Answer
from lineclear.engine.record import MOST_SHOWN, concealed
from lineclear.wire.answer import as_mapping

if TYPE_CHECKING:
    from datetime import datetime

    from lineclear.core.course import Course
    from lineclear.engine.log import Record


def as_read(record: Record, course: Course, role: Role, now: datetime) -> dict[str, object]:
    """A decision for whoever may read it; to those who watch, with its call."""
    fields = _told(record, role)
    if record.expires_at is not None and (course.answer is not None or now >= record.expires_at):
        fields = fields | {"approval": approval(record, course, now)}
    if course.result is not None:
        fields = fields | {"outcome": course.result}
    return fields | _call(record) if role in {Role.OPERATOR, Role.EDITOR} else fields


def as_listed(record: Record, role: Role) -> dict[str, object]:
    """A decision in a list: as it was answered, with its call."""
    return _told(record, role) | _call(record)


def approval(record: Record, course: Course, now: datetime) -> dict[str, object] | None:
    """Where a question stands, None for what is no question."""
    if record.expires_at is None:
        return None
    if course.answer is None:
        asked = cast("dict[str, dict[str, object]]", record.answer)["approval"]
        return asked if now < record.expires_at else asked | {"state": "expired"}
    return {
        "state": course.answer,
        "expires_at": record.expires_at.isoformat(),
        "by": course.by,
        "scope": course.scope,
        "answered_at": None if course.answered_at is None else course.answered_at.isoformat(),
    }


def _told(record: Record, role: Role) -> dict[str, object]:
    return as_mapping(Answer(record), role)


def _call(record: Record) -> dict[str, object]:
    principal, session_id = record.session
    request = cast("dict[str, object]", record.request)
    shown = canonical(request["tool_input"])  # type: ignore[arg-type]  # what is recorded is JSON
    if len(shown) > MOST_SHOWN:
        request = request | {"tool_input": {"cut": shown[:MOST_SHOWN].decode(errors="replace")}}
    return {
        "decided_at": record.decided_at.isoformat(),
        "principal": principal,
        "session_id": session_id,
        "tool_use_id": record.tool_use_id,
        "tool_name": record.tool_name,
        "kind": record.kind,
        "host": record.host,
        "request": request,
        "shown_whole": not concealed(record),
    }
