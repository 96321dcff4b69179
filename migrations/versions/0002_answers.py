"""The breaker's steps, user messages, people's answers and grants, leases, what operators did to sessions.

Revision ID: 0002
Revises: 0001
"""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_UP = (
    """
    ALTER TABLE sessions
        ADD COLUMN denials jsonb NOT NULL DEFAULT '[]',
        ADD COLUMN steps integer NOT NULL DEFAULT 0,
        ADD COLUMN messages integer NOT NULL DEFAULT 0,
        ADD COLUMN grants_until timestamptz,
        ADD COLUMN closed_at timestamptz
    """,
    "CREATE INDEX ix_sessions_principal_id ON sessions (principal, id)",
    "CREATE INDEX ix_sessions_session_id ON sessions (session_id)",
    "CREATE INDEX ix_sessions_open ON sessions (id) WHERE opened_by IS NOT NULL",
    """
    ALTER TABLE decisions
        ADD COLUMN expires_at timestamptz,
        ADD COLUMN episode integer NOT NULL DEFAULT 0
    """,
    # Ids sort by time, and unlike times they are unique: lists go by them.
    "DROP INDEX ix_decisions_principal_session_id_decided_at",
    "CREATE INDEX ix_decisions_principal_session_id_id ON decisions (principal, session_id, id)",
    "CREATE INDEX ix_decisions_questions ON decisions (id) WHERE expires_at IS NOT NULL",
    """
    ALTER TABLE idempotency
        ADD COLUMN spent boolean NOT NULL DEFAULT false,
        ADD COLUMN counted boolean NOT NULL DEFAULT false
    """,
    """
    CREATE TABLE session_messages (
        principal text NOT NULL,
        session_id text NOT NULL,
        place integer NOT NULL,
        message_id text,
        digest text NOT NULL,
        typed json NOT NULL,
        heard_at timestamptz NOT NULL,
        CONSTRAINT pk_session_messages PRIMARY KEY (principal, session_id, place)
    )
    """,
    "CREATE INDEX ix_session_messages_heard_at ON session_messages USING brin (heard_at)",
    """
    CREATE TABLE courses (
        decision_id uuid NOT NULL,
        decided_at timestamptz NOT NULL,
        answer text,
        answered_by text,
        answered_key text,
        answered_principal text,
        answered_at timestamptz,
        scope text,
        result text,
        reported_key text,
        reported_at timestamptz,
        CONSTRAINT pk_courses PRIMARY KEY (decision_id)
    )
    """,
    "CREATE INDEX ix_courses_decided_at ON courses USING brin (decided_at)",
    """
    CREATE TABLE grants (
        id uuid NOT NULL,
        principal text NOT NULL,
        session_id text NOT NULL,
        decision_id uuid NOT NULL,
        fingerprint text NOT NULL,
        scope text NOT NULL,
        shown jsonb NOT NULL,
        granted_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        used_by uuid,
        voided_at timestamptz,
        CONSTRAINT pk_grants PRIMARY KEY (id)
    )
    """,
    "CREATE INDEX ix_grants_principal_session_id ON grants (principal, session_id) WHERE voided_at IS NULL",
    """
    CREATE TABLE leases (
        principal text NOT NULL,
        session_id text NOT NULL,
        tool_use_id text NOT NULL,
        holder uuid NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT pk_leases PRIMARY KEY (principal, session_id, tool_use_id)
    )
    """,
    """
    CREATE TABLE session_deeds (
        id uuid NOT NULL,
        session uuid NOT NULL,
        deed text NOT NULL,
        key_id text NOT NULL,
        principal text NOT NULL,
        done_at timestamptz NOT NULL,
        reason json NOT NULL,
        before json NOT NULL,
        CONSTRAINT pk_session_deeds PRIMARY KEY (id)
    )
    """,
    "CREATE INDEX ix_session_deeds_session ON session_deeds (session)",
)

_DOWN = (
    "DROP TABLE session_deeds",
    "DROP TABLE leases",
    "DROP TABLE grants",
    "DROP TABLE courses",
    "DROP TABLE session_messages",
    "ALTER TABLE idempotency DROP COLUMN spent, DROP COLUMN counted",
    "DROP INDEX ix_decisions_questions",
    "DROP INDEX ix_decisions_principal_session_id_id",
    "CREATE INDEX ix_decisions_principal_session_id_decided_at ON decisions (principal, session_id, decided_at)",
    "ALTER TABLE decisions DROP COLUMN expires_at, DROP COLUMN episode",
    "DROP INDEX ix_sessions_open",
    "DROP INDEX ix_sessions_session_id",
    "DROP INDEX ix_sessions_principal_id",
    """
    ALTER TABLE sessions
        DROP COLUMN denials, DROP COLUMN steps, DROP COLUMN messages, DROP COLUMN grants_until, DROP COLUMN closed_at
    """,
)


def upgrade() -> None:
    for statement in _UP:
        op.execute(statement)


def downgrade() -> None:
    for statement in _DOWN:
        op.execute(statement)
