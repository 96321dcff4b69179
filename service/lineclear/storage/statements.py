"""The decision log's statements: each is one round trip, and its conditions hold or its rows aren't written."""

from __future__ import annotations

from lineclear.storage.rows import SESSION_COLUMNS
from lineclear.wire.columns import COLUMNS as RECORD_COLUMNS

_RECORD = ", ".join(f"d.{name}" for name in RECORD_COLUMNS)

_OF_SESSION = (
    "id", "roots", "revision", "started_at", "consecutive", "total", "opened_by", "opening", "denials", "steps",
    "messages", "grants_until", "closed_at",
)  # fmt: skip
SESSION = ", ".join(f"s.{name} AS session_{name}" for name in _OF_SESSION)
"""What ``rows.session_of`` reads, of a session ``s``."""

FIND = f"SELECT {_RECORD} FROM decisions d WHERE d.id = $1"  # noqa: S608 - column names of our own

RECENT = f"""
SELECT {_RECORD} FROM decisions d WHERE d.principal = $1 AND d.session_id = $2 ORDER BY d.id DESC LIMIT $3
"""  # noqa: S608

OPEN_BREAKERS = """
SELECT count(*) FROM sessions WHERE principal = $1 AND started_at >= $2 AND opened_by IS NOT NULL
"""

FIND_AT = f"{FIND} AND d.decided_at = $2"
"""The same where its time is known, and with it its partition."""

KNOWN = f"""
SELECT {SESSION}, i.decision_id, i.decided_at, i.spent, i.counted
FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS q(principal, session_id, tool_use_id, place)
LEFT JOIN LATERAL (
    SELECT * FROM sessions s WHERE s.principal = q.principal AND s.session_id = q.session_id LIMIT 1
) s ON true
LEFT JOIN LATERAL (
    SELECT * FROM idempotency i
    WHERE i.principal = q.principal AND i.session_id = q.session_id AND i.tool_use_id = q.tool_use_id LIMIT 1
) i ON true
ORDER BY q.place
"""  # noqa: S608
"""Look up calls: parameters are arrays of principals, sessions and ``tool_use_id``; one row each, in their order.

``LIMIT`` keeps each look-up one by key, whatever size the tables had when the statement was planned. The decisions
themselves aren't joined: that would open every partition for the few calls that come again.
"""

_TYPES = {
    "id": "uuid",
    "decided_at": "timestamptz",
    "enforced": "boolean",
    "duration_ms": "double precision",
    "expires_at": "timestamptz",
    "episode": "integer",
    "session_uuid": "uuid",
    "session_revision": "integer",
    "session_started_at": "timestamptz",
    "session_consecutive": "integer",
    "session_total": "integer",
    "session_opening": "integer",
    "session_steps": "integer",
    "seen_revision": "integer",
    "seen_steps": "integer",
    "changes": "boolean",
    "replaces": "uuid",
    "counted": "boolean",
}
"""Of the columns that aren't text. JSON travels as text, so that a bad one is found where its column is known."""

_CASTS = {"rules": "jsonb", "request": "json", "answer": "json", "redactions": "json"}

ENTRY_COLUMNS = (*RECORD_COLUMNS, *SESSION_COLUMNS)
"""What a row of a batch holds."""

_ROW = ", ".join(f"{name} {_TYPES.get(name, 'text')}" for name in ENTRY_COLUMNS)
_VALUES = ", ".join(f"h.{name}::{_CASTS[name]}" if name in _CASTS else f"h.{name}" for name in RECORD_COLUMNS)

_STEPS = "(SELECT r.seen_steps IS NOT NULL FROM ready r WHERE r.changes AND r.session_uuid = excluded.id)"
_STEP = ", ".join(
    f"{name} = CASE WHEN {_STEPS} THEN excluded.{name} ELSE sessions.{name} END"
    for name in ("consecutive", "total", "opened_by", "opening", "denials", "steps")
)
"""A change of roots leaves what the classifier said as it is by now."""

LINK_COLUMNS = ("writer", "sequence", "previous", "ids", "moments", "digests", "columns", "key", "mac")
"""The columns of ``audit_links``, in the order of the parameters that write them."""

_LINK_TYPES = ("uuid", "bigint", "bytea", "uuid[]", "bigint[]", "bytea[]", "smallint", "text", "bytea")
_LINK = 2
_LINKED = ", ".join(f"${_LINK + n}::{kind}" for n, kind in enumerate(_LINK_TYPES[:-1]))

LINK = f"""
INSERT INTO audit_links ({", ".join(LINK_COLUMNS)})
VALUES ({", ".join(f"${n}::{kind}" for n, kind in enumerate(_LINK_TYPES, 1))})
"""  # noqa: S608
"""Write the link of what the same transaction has written."""

COMMIT = f"""
WITH entry AS (
    SELECT * FROM json_to_recordset($1::json) AS e({_ROW})
),
ready AS (
    SELECT *
    FROM entry e
    WHERE e.seen_revision IS NOT DISTINCT FROM (
            SELECT s.revision FROM sessions s WHERE s.principal = e.principal AND s.session_id = e.session_id
        )
        AND (e.seen_steps IS NULL OR e.seen_steps = (
            SELECT s.steps FROM sessions s WHERE s.principal = e.principal AND s.session_id = e.session_id
        ))
        AND e.replaces IS NOT DISTINCT FROM (
            SELECT i.decision_id FROM idempotency i
            WHERE i.principal = e.principal AND i.session_id = e.session_id AND i.tool_use_id = e.tool_use_id
        )
),
changed AS (
    INSERT INTO sessions (
        principal, session_id, id, roots, revision, started_at, consecutive, total, opened_by, opening, denials, steps
    )
    SELECT
        principal, session_id, session_uuid, session_roots::jsonb, session_revision, session_started_at,
        session_consecutive, session_total, session_opened_by, session_opening, session_denials::jsonb, session_steps
    FROM ready
    WHERE changes
    ORDER BY principal, session_id
    ON CONFLICT (principal, session_id) DO UPDATE
    SET roots = excluded.roots, revision = excluded.revision,
        {_STEP}
    WHERE sessions.id = excluded.id
        AND sessions.revision = (SELECT r.seen_revision FROM ready r WHERE r.changes AND r.session_uuid = excluded.id)
        AND (sessions.steps = excluded.steps - 1 OR NOT {_STEPS})
    RETURNING id
),
held AS (
    SELECT *
    FROM ready r
    WHERE NOT r.changes OR r.session_uuid IN (TABLE changed)
),
claimed AS (
    INSERT INTO idempotency (principal, session_id, tool_use_id, decision_id, fingerprint, decided_at, counted)
    SELECT principal, session_id, tool_use_id, id, fingerprint, decided_at, counted
    FROM held
    WHERE tool_use_id IS NOT NULL
    ORDER BY principal, session_id, tool_use_id
    ON CONFLICT (principal, session_id, tool_use_id) DO UPDATE
    SET decision_id = excluded.decision_id, fingerprint = excluded.fingerprint, decided_at = excluded.decided_at,
        spent = false, counted = idempotency.counted OR excluded.counted
    WHERE idempotency.decision_id = (SELECT h.replaces FROM held h WHERE h.id = excluded.decision_id)
    RETURNING decision_id
),
written AS (
    INSERT INTO decisions ({", ".join(RECORD_COLUMNS)})
    SELECT {_VALUES}
    FROM held h
    WHERE h.tool_use_id IS NULL OR h.id IN (TABLE claimed)
    RETURNING id
),
linked AS (
    INSERT INTO audit_links ({", ".join(LINK_COLUMNS)})
    SELECT {_LINKED}, CASE WHEN count(*) = cardinality(${_LINK + 3}::uuid[]) THEN ${_LINK + 8}::bytea END
    FROM written
    HAVING ${_LINK}::uuid IS NOT NULL
)
SELECT id FROM written
"""  # noqa: S608
"""Write a batch: parameters are its rows as a JSON array, then ``LINK``'s; back come the ids that were written. A link,
if there is one, tells all of the batch: where fewer are written, its missing hash undoes everything.

The rows are one parameter, since over fifty arrays the driver takes longer than the server over all of the statement.

Rows are looked up by key and changed by ``ON CONFLICT``, never joined: a plan that was made for small tables stays
right for large ones. Every writer takes its locks in one order, sessions before idempotency, each sorted by key. A
call that lost its ``tool_use_id`` may have changed its session by then: the caller undoes that (see ``storage.log``).
"""

WRITERS = """
WITH RECURSIVE w(writer) AS (
    (SELECT writer FROM audit_links ORDER BY writer LIMIT 1)
    UNION ALL
    SELECT (SELECT l.writer FROM audit_links l WHERE l.writer > w.writer ORDER BY l.writer LIMIT 1)
    FROM w WHERE w.writer IS NOT NULL
)
SELECT writer FROM w WHERE writer IS NOT NULL
"""
"""Each writer once, found from one to the next: the links between aren't read."""

USE = """
UPDATE grants SET used_by = u.decision_id
FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS u(id, decision_id, at)
WHERE grants.id = u.id AND voided_at IS NULL AND expires_at > u.at AND (scope = 'session' OR used_by IS NULL)
RETURNING used_by
"""
"""Use grants: parameters are arrays of grants, decisions and their times; back come the decisions that may allow."""

VOID = "UPDATE grants SET voided_at = now() WHERE id = ANY($1::uuid[]) AND voided_at IS NULL"
"""End grants whose calls the policy denies."""
