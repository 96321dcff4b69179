"""Sessions as rows and back: the one translation between the log's values and the columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from lineclear.core.breaker import Breaker, OpenedBy
from lineclear.core.standing import Denial
from lineclear.engine.log import Session
from lineclear.wire.columns import json_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineclear.core.call import SessionKey
    from lineclear.engine.log import Entry

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
        None if session.roots is None else json_text(session.roots),
        session.revision,
        session.started_at,
        breaker.consecutive,
        breaker.total,
        breaker.opened_by,
        breaker.opening,
        json_text(session.denials),
        session.steps,
        None if seen is None else seen.revision,
        None if seen is None or (session.steps == seen.steps and not entry.by_heart) else seen.steps,
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
