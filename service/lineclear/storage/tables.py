"""The tables as the code knows them; a test compares them with what the migrations make."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Double,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, BYTEA, JSON, JSONB

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _moment(name: str, *, default_now: bool = False) -> Column[object]:
    return Column(name, DateTime(timezone=True), nullable=False, server_default=text("now()") if default_now else None)


sessions = Table(
    "sessions",
    metadata,
    Column("principal", Text, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("id", Uuid, nullable=False),
    # Null until a call names them.
    Column("roots", JSONB),
    Column("revision", Integer, nullable=False),
    _moment("started_at"),
    # The breaker: denials in a row, denials in all, what opened it ('consecutive' or 'total') and how often it opened.
    Column("consecutive", Integer, nullable=False, server_default=text("0")),
    Column("total", Integer, nullable=False, server_default=text("0")),
    Column("opened_by", Text),
    Column("opening", Integer, nullable=False, server_default=text("0")),
    PrimaryKeyConstraint("principal", "session_id"),
    UniqueConstraint("id"),
)

decisions = Table(
    "decisions",
    metadata,
    Column("id", Uuid, nullable=False),
    _moment("decided_at"),
    Column("principal", Text, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("tool_use_id", Text),
    Column("key_id", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("tool_name", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("host", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("verdict", Text, nullable=False),
    Column("code", Text, nullable=False),
    Column("rules", JSONB, nullable=False),
    Column("enforced", Boolean, nullable=False),
    # json, not jsonb: replay needs the numbers and the order as they were written.
    Column("request", JSON, nullable=False),
    Column("answer", JSON, nullable=False),
    Column("redactions", JSON, nullable=False),
    Column("input_sha256", Text, nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("policy_version", Text, nullable=False),
    Column("engine_version", Text, nullable=False),
    Column("duration_ms", Double, nullable=False),
    PrimaryKeyConstraint("id", "decided_at"),
    Index(None, "principal", "session_id", "decided_at"),
    postgresql_partition_by="RANGE (decided_at)",
)

idempotency = Table(
    "idempotency",
    metadata,
    Column("principal", Text, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("tool_use_id", Text, nullable=False),
    Column("decision_id", Uuid, nullable=False),
    Column("fingerprint", Text, nullable=False),
    _moment("decided_at"),
    PrimaryKeyConstraint("principal", "session_id", "tool_use_id"),
    # Rows come in order of time and leave with their partition: a range index costs an insert almost nothing.
    Index(None, "decided_at", postgresql_using="brin"),
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", Text, nullable=False),
    Column("digest", BYTEA, nullable=False),
    Column("role", Text, nullable=False),
    Column("principal", Text, nullable=False),
    Column("groups", ARRAY(Text), nullable=False),
    _moment("created_at", default_now=True),
    Column("revoked_at", DateTime(timezone=True)),
    PrimaryKeyConstraint("id"),
    UniqueConstraint("digest"),
)

policy_versions = Table(
    "policy_versions",
    metadata,
    Column("version", Text, nullable=False),
    _moment("first_seen_at", default_now=True),
    PrimaryKeyConstraint("version"),
)

replicas = Table(
    "replicas",
    metadata,
    Column("id", Text, nullable=False),
    Column("policy_version", Text, nullable=False),
    _moment("seen_at", default_now=True),
    PrimaryKeyConstraint("id"),
)
