"""The chain that the log's batches are linked by, what retention took from it; whose breakers are open.

Revision ID: 0004
Revises: 0003
"""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_UP = (
    """
    CREATE TABLE audit_links (
        writer uuid NOT NULL,
        sequence bigint NOT NULL,
        previous bytea NOT NULL,
        ids uuid[] NOT NULL,
        moments bigint[] NOT NULL,
        digests bytea[] NOT NULL,
        columns smallint NOT NULL,
        key text NOT NULL,
        mac bytea NOT NULL,
        CONSTRAINT pk_audit_links PRIMARY KEY (writer, sequence)
    )
    """,
    """
    CREATE TABLE audit_drops (
        before bigint NOT NULL,
        dropped_at bigint NOT NULL,
        key text NOT NULL,
        mac bytea NOT NULL,
        CONSTRAINT pk_audit_drops PRIMARY KEY (before)
    )
    """,
    """
    CREATE TABLE audit_trims (
        writer uuid NOT NULL,
        sequence bigint NOT NULL,
        last bytea NOT NULL,
        key text NOT NULL,
        mac bytea NOT NULL,
        CONSTRAINT pk_audit_trims PRIMARY KEY (writer)
    )
    """,
    "CREATE INDEX ix_sessions_escapes ON sessions (principal, started_at) WHERE opened_by IS NOT NULL",
)


def upgrade() -> None:
    for statement in _UP:
        op.execute(statement)


def downgrade() -> None:
    op.execute("DROP INDEX ix_sessions_escapes")
    for table in ("audit_trims", "audit_drops", "audit_links"):
        op.execute(f"DROP TABLE {table}")
