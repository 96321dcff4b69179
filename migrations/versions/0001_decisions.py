"""Sessions, the decision log by time, idempotency, keys, what replicas run.

Revision ID: 0001
Revises:
"""

from __future__ import annotations

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_UP = (
    """
    CREATE TABLE sessions (
        principal text NOT NULL,
        session_id text NOT NULL,
        id uuid NOT NULL,
        roots jsonb,
        revision integer NOT NULL,
        started_at timestamptz NOT NULL,
        consecutive integer NOT NULL DEFAULT 0,
        total integer NOT NULL DEFAULT 0,
        opened_by text,
        opening integer NOT NULL DEFAULT 0,
        CONSTRAINT pk_sessions PRIMARY KEY (principal, session_id),
        CONSTRAINT uq_sessions_id UNIQUE (id)
    )
    """,
    """
    CREATE TABLE decisions (
        id uuid NOT NULL,
        decided_at timestamptz NOT NULL,
        principal text NOT NULL,
        session_id text NOT NULL,
        tool_use_id text,
        key_id text NOT NULL,
        role text NOT NULL,
        tool_name text NOT NULL,
        kind text NOT NULL,
        host text NOT NULL,
        mode text NOT NULL,
        verdict text NOT NULL,
        code text NOT NULL,
        rules jsonb NOT NULL,
        enforced boolean NOT NULL,
        request json NOT NULL,
        answer json NOT NULL,
        redactions json NOT NULL,
        input_sha256 text NOT NULL,
        fingerprint text NOT NULL,
        policy_version text NOT NULL,
        engine_version text NOT NULL,
        duration_ms double precision NOT NULL,
        CONSTRAINT pk_decisions PRIMARY KEY (id, decided_at)
    ) PARTITION BY RANGE (decided_at)
    """,
    "CREATE INDEX ix_decisions_principal_session_id_decided_at ON decisions (principal, session_id, decided_at)",
    # No insert ever fails for want of a partition.
    "CREATE TABLE decisions_default PARTITION OF decisions DEFAULT",
    """
    CREATE TABLE idempotency (
        principal text NOT NULL,
        session_id text NOT NULL,
        tool_use_id text NOT NULL,
        decision_id uuid NOT NULL,
        fingerprint text NOT NULL,
        decided_at timestamptz NOT NULL,
        CONSTRAINT pk_idempotency PRIMARY KEY (principal, session_id, tool_use_id)
    )
    """,
    "CREATE INDEX ix_idempotency_decided_at ON idempotency USING brin (decided_at)",
    """
    CREATE TABLE api_keys (
        id text NOT NULL,
        digest bytea NOT NULL,
        role text NOT NULL,
        principal text NOT NULL,
        groups text[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        revoked_at timestamptz,
        CONSTRAINT pk_api_keys PRIMARY KEY (id),
        CONSTRAINT uq_api_keys_digest UNIQUE (digest)
    )
    """,
    """
    CREATE TABLE policy_versions (
        version text NOT NULL,
        first_seen_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT pk_policy_versions PRIMARY KEY (version)
    )
    """,
    """
    CREATE TABLE replicas (
        id text NOT NULL,
        policy_version text NOT NULL,
        seen_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT pk_replicas PRIMARY KEY (id)
    )
    """,
)


def upgrade() -> None:
    for statement in _UP:
        op.execute(statement)


def downgrade() -> None:
    for table in ("replicas", "policy_versions", "api_keys", "idempotency", "decisions", "sessions"):
        op.execute(f"DROP TABLE {table}")
