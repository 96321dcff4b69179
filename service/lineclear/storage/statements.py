"""The decision log's statements: each is one round trip, and its conditions hold or its rows aren't written."""

from __future__ import annotations

from lineclear.storage.rows import RECORD_COLUMNS, SESSION_COLUMNS

_RECORD = ", ".join(f"d.{name}" for name in RECORD_COLUMNS)

FIND = f"SELECT {_RECORD} FROM decisions d WHERE d.id = $1"  # noqa: S608 - column names of our own

FIND_AT = f"{FIND} AND d.decided_at = $2"
"""The same where its time is known, and with it its partition."""

KNOWN = """
SELECT
    s.id AS session_uuid, s.roots AS session_roots, s.revision AS session_revision, s.started_at AS session_started_at,
    i.decision_id, i.decided_at
FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS q(principal, session_id, tool_use_id, place)
LEFT JOIN LATERAL (
    SELECT * FROM sessions s WHERE s.principal = q.principal AND s.session_id = q.session_id LIMIT 1
) s ON true
LEFT JOIN LATERAL (
    SELECT * FROM idempotency i
    WHERE i.principal = q.principal AND i.session_id = q.session_id AND i.tool_use_id = q.tool_use_id LIMIT 1
) i ON true
ORDER BY q.place
"""
"""Look up calls: parameters are arrays of principals, sessions and ``tool_use_id``; one row each, in their order.

``LIMIT`` keeps each look-up one by key, whatever size the tables had when the statement was planned. The decisions
themselves aren't joined: that would open every partition for the few calls that come again.
"""

_TYPES = {
    "id": "uuid",
    "decided_at": "timestamptz",
    "enforced": "boolean",
    "duration_ms": "double precision",
    "session_uuid": "uuid",
    "session_revision": "integer",
    "session_started_at": "timestamptz",
    "seen_revision": "integer",
    "changes": "boolean",
    "replaces": "uuid",
}
"""Of the parameters that aren't text. JSON travels as text, so that a bad one is found where its column is known."""

_CASTS = {"rules": "jsonb", "request": "json", "answer": "json", "redactions": "json"}

_ENTRY_COLUMNS = (*RECORD_COLUMNS, *SESSION_COLUMNS)
_ARRAYS = ", ".join(f"${n}::{_TYPES.get(name, 'text')}[]" for n, name in enumerate(_ENTRY_COLUMNS, 1))
_VALUES = ", ".join(f"h.{name}::{_CASTS[name]}" if name in _CASTS else f"h.{name}" for name in RECORD_COLUMNS)

COMMIT = f"""
WITH entry AS (
    SELECT * FROM unnest({_ARRAYS}) AS e({", ".join(_ENTRY_COLUMNS)})
),
ready AS (
    SELECT *
    FROM entry e
    WHERE e.seen_revision IS NOT DISTINCT FROM (
            SELECT s.revision FROM sessions s WHERE s.principal = e.principal AND s.session_id = e.session_id
        )
        AND e.replaces IS NOT DISTINCT FROM (
            SELECT i.decision_id FROM idempotency i
            WHERE i.principal = e.principal AND i.session_id = e.session_id AND i.tool_use_id = e.tool_use_id
        )
),
changed AS (
    INSERT INTO sessions (principal, session_id, id, roots, revision, started_at)
    SELECT principal, session_id, session_uuid, session_roots::jsonb, session_revision, session_started_at
    FROM ready
    WHERE changes
    ORDER BY principal, session_id
    ON CONFLICT (principal, session_id) DO UPDATE
    SET roots = excluded.roots, revision = excluded.revision
    WHERE sessions.id = excluded.id AND sessions.revision = excluded.revision - 1
    RETURNING id, revision
),
held AS (
    SELECT *
    FROM ready r
    WHERE NOT r.changes OR (r.session_uuid, r.session_revision) IN (TABLE changed)
),
claimed AS (
    INSERT INTO idempotency (principal, session_id, tool_use_id, decision_id, fingerprint, decided_at)
    SELECT principal, session_id, tool_use_id, id, fingerprint, decided_at
    FROM held
    WHERE tool_use_id IS NOT NULL
    ORDER BY principal, session_id, tool_use_id
    ON CONFLICT (principal, session_id, tool_use_id) DO UPDATE
    SET decision_id = excluded.decision_id, fingerprint = excluded.fingerprint, decided_at = excluded.decided_at
    WHERE idempotency.decision_id = (SELECT h.replaces FROM held h WHERE h.id = excluded.decision_id)
    RETURNING decision_id
),
written AS (
    INSERT INTO decisions ({", ".join(RECORD_COLUMNS)})
    SELECT {_VALUES}
    FROM held h
    WHERE h.tool_use_id IS NULL OR h.id IN (TABLE claimed)
    RETURNING id
)
SELECT id FROM written
"""  # noqa: S608
"""Write a batch: parameters are one array for each of the entry's columns; back come the ids that were written.

Rows are looked up by key and changed by ``ON CONFLICT``, never joined: a plan that was made for small tables stays
right for large ones. Every writer takes its locks in one order, sessions before idempotency, each sorted by key. A
call that lost its ``tool_use_id`` may have changed its session by then: the caller undoes that (see ``storage.log``).
"""
