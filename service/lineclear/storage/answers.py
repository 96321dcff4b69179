"""Answers in Postgres: of two the first counts, and all that follows from one is in its transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from lineclear.core.course import Answer, By, Course, Result
from lineclear.core.standing import Grant, Scope, Shown
from lineclear.engine.answers import FOR_EVER
from lineclear.storage.rows import session_of
from lineclear.storage.statements import SESSION

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    import asyncpg

    from lineclear.core.call import Key, SessionKey
    from lineclear.engine.answers import Given
    from lineclear.engine.log import Record, Session
    from lineclear.storage.database import Database

_COURSE = "SELECT answer, answered_by, scope, answered_at, result FROM courses WHERE decision_id = $1"

_ANSWER = """
INSERT INTO courses (
    decision_id, decided_at, answer, answered_by, answered_key, answered_principal, answered_at, scope
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (decision_id) DO UPDATE
SET answer = excluded.answer, answered_by = excluded.answered_by, answered_key = excluded.answered_key,
    answered_principal = excluded.answered_principal, answered_at = excluded.answered_at, scope = excluded.scope
WHERE courses.answer IS NULL AND courses.result IS NULL
RETURNING true
"""

_REPORT = """
INSERT INTO courses (decision_id, decided_at, result, reported_key, reported_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (decision_id) DO UPDATE
SET result = excluded.result, reported_key = excluded.reported_key, reported_at = excluded.reported_at
WHERE courses.result IS NULL OR courses.result IN ('unknown', excluded.result)
RETURNING true
"""

RESET = """
UPDATE sessions
SET consecutive = 0, total = CASE WHEN opened_by = 'total' THEN 0 ELSE total END, opened_by = NULL, steps = steps + 1
WHERE principal = $1 AND session_id = $2 AND opened_by IS NOT NULL
"""
"""Close a breaker, as ``Breaker.reset`` does, if it is open."""

_OF_EPISODE = "AND 2 * opening - 1 = $3"

_GRANT = """
INSERT INTO grants (
    id, principal, session_id, decision_id, fingerprint, scope, shown, granted_at, expires_at
)
VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9)
"""
_GRANTED = """
UPDATE sessions SET grants_until = greatest(grants_until, $3) WHERE principal = $1 AND session_id = $2
"""
_SPEND = """
UPDATE idempotency SET spent = true
WHERE principal = $1 AND session_id = $2 AND tool_use_id = $3 AND decision_id = $4
"""
_HELD = """
SELECT id, fingerprint, scope, shown
FROM grants
WHERE principal = $1 AND session_id = $2 AND voided_at IS NULL AND expires_at > $3
    AND (scope = 'session' OR used_by IS NULL)
ORDER BY granted_at
"""
_SESSION = f"SELECT {SESSION} FROM sessions s WHERE principal = $1 AND session_id = $2"  # noqa: S608


class PostgresAnswers:
    """The answers to the questions of all sessions."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def course(self, decision_id: UUID) -> Course:
        """How far a decision has come."""
        async with self._database.lend("reading an answer") as connection, connection.transaction():
            row = await connection.fetchrow(_COURSE, decision_id)
        if row is None:
            return Course()
        return Course(
            None if row["answer"] is None else Answer(row["answer"]),
            None if row["answered_by"] is None else By(row["answered_by"]),
            None if row["scope"] is None else Scope(row["scope"]),
            row["answered_at"],
            None if row["result"] is None else Result(row["result"]),
        )

    async def answer(self, question: Record, given: Given) -> Session | None:
        """Keep an answer with all that follows from it."""
        key, who = question.session, given.key
        async with self._database.lend("keeping an answer") as connection, connection.transaction():
            values = (given.answer, given.by, who.id, who.principal.id, given.at, given.scope)
            if await connection.fetchval(_ANSWER, question.id, question.decided_at, *values) is None:
                return None
            if given.answer is Answer.APPROVED and given.closes_breaker:
                await connection.execute(RESET + _OF_EPISODE, *key, question.episode)
            if given.grant is not None:
                until = given.grant_until or FOR_EVER
                await connection.execute(_GRANT, *_grant_values(question, given.grant), given.at, until)
                await connection.execute(_GRANTED, *key, until)
            await _spend(connection, question)
            row = await connection.fetchrow(_SESSION, *key)
        return session_of(key, row)

    async def report(self, decision: Record, result: Result, key: Key, at: datetime) -> bool:
        """Keep what became of a call."""
        async with self._database.lend("keeping a report") as connection, connection.transaction():
            kept = await connection.fetchval(_REPORT, decision.id, decision.decided_at, result, key.id, at)
            if kept is None:
                return False
            await _spend(connection, decision)
        return True

    async def grants(self, session: SessionKey, now: datetime) -> Sequence[Grant]:
        """The grants of a session that are held now."""
        async with self._database.lend("reading grants") as connection, connection.transaction():
            rows = await connection.fetch(_HELD, *session, now)
        return [Grant(row["id"], row["fingerprint"], Scope(row["scope"]), _shown(row["shown"])) for row in rows]


async def _spend(connection: asyncpg.Connection, decision: Record) -> None:
    if decision.tool_use_id is not None:
        await connection.execute(_SPEND, *decision.session, decision.tool_use_id, decision.id)


def _grant_values(question: Record, grant: Grant) -> tuple[object, ...]:
    shown = msgspec.json.encode([[one.code, one.rule, one.part] for one in grant.shown]).decode()
    return (grant.id, *question.session, question.id, grant.fingerprint, grant.scope, shown)


def _shown(text: str) -> frozenset[Shown]:
    return frozenset(Shown(code, rule, part) for code, rule, part in msgspec.json.decode(text))
