"""The tables as the code knows them; a test compares them with what the migrations make."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Double,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
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


def _moment(name: str, *, default_now: bool = False, nullable: bool = False) -> Column[object]:
    default = text("now()") if default_now else None
    return Column(name, DateTime(timezone=True), nullable=nullable, server_default=default)


def _number(name: str) -> Column[object]:
    return Column(name, Integer, nullable=False, server_default=text("0"))


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
    _number("consecutive"),
    _number("total"),
    Column("opened_by", Text),
    _number("opening"),
    # Which calls the classifier denied; and how often that or the breaker has changed.
    Column("denials", JSONB, nullable=False, server_default=text("'[]'")),
    _number("steps"),
    # How many messages of its user are kept.
    _number("messages"),
    # When the last of its grants ends: only until then are they looked up.
    _moment("grants_until", nullable=True),
    _moment("closed_at", nullable=True),
    PrimaryKeyConstraint("principal", "session_id"),
    UniqueConstraint("id"),
    Index(None, "principal", "id"),
    Index(None, "session_id"),
    Index("ix_sessions_escapes", "principal", "started_at", postgresql_where=text("opened_by IS NOT NULL")),
    Index("ix_sessions_open", "id", postgresql_where=text("opened_by IS NOT NULL")),
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
    # When a question counts as rejected; null for other verdicts.
    _moment("expires_at", nullable=True),
    # The breaker's, odd while it is open.
    _number("episode"),
    PrimaryKeyConstraint("id", "decided_at"),
    # Ids sort by time, and unlike times they are unique: lists go by them.
    Index(None, "principal", "session_id", "id"),
    Index("ix_decisions_questions", "id", postgresql_where=text("expires_at IS NOT NULL")),
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
    # Answered, or reported as run: the decision isn't given again.
    Column("spent", Boolean, nullable=False, server_default=text("false")),
    # Denied by the classifier in this decision or one that it replaced: a call counts once.
    Column("counted", Boolean, nullable=False, server_default=text("false")),
    PrimaryKeyConstraint("principal", "session_id", "tool_use_id"),
    # Rows come in order of time and leave with their partition: a range index costs an insert almost nothing.
    Index(None, "decided_at", postgresql_using="brin"),
)

session_messages = Table(
    "session_messages",
    metadata,
    Column("principal", Text, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("place", Integer, nullable=False),
    Column("message_id", Text),
    Column("digest", Text, nullable=False),
    Column("typed", JSON, nullable=False),
    _moment("heard_at"),
    PrimaryKeyConstraint("principal", "session_id", "place"),
    Index(None, "heard_at", postgresql_using="brin"),
)

courses = Table(
    "courses",
    metadata,
    Column("decision_id", Uuid, nullable=False),
    _moment("decided_at"),
    # What a person said to a question, whose word that is, and for how long.
    Column("answer", Text),
    Column("answered_by", Text),
    Column("answered_key", Text),
    Column("answered_principal", Text),
    _moment("answered_at", nullable=True),
    Column("scope", Text),
    # What became of the call.
    Column("result", Text),
    Column("reported_key", Text),
    _moment("reported_at", nullable=True),
    PrimaryKeyConstraint("decision_id"),
    Index(None, "decided_at", postgresql_using="brin"),
)

grants = Table(
    "grants",
    metadata,
    Column("id", Uuid, nullable=False),
    Column("principal", Text, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("decision_id", Uuid, nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("scope", Text, nullable=False),
    Column("shown", JSONB, nullable=False),
    _moment("granted_at"),
    _moment("expires_at"),
    # The decision that allowed its call last; one for once is used up by it.
    Column("used_by", Uuid),
    _moment("voided_at", nullable=True),
    PrimaryKeyConstraint("id"),
    Index(None, "principal", "session_id", postgresql_where=text("voided_at IS NULL")),
)

leases = Table(
    "leases",
    metadata,
    Column("principal", Text, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("tool_use_id", Text, nullable=False),
    Column("holder", Uuid, nullable=False),
    _moment("expires_at"),
    PrimaryKeyConstraint("principal", "session_id", "tool_use_id"),
)

session_deeds = Table(
    "session_deeds",
    metadata,
    Column("id", Uuid, nullable=False),
    Column("session", Uuid, nullable=False),
    # 'reset' or 'close', by whom, why, and the breaker before it.
    Column("deed", Text, nullable=False),
    Column("key_id", Text, nullable=False),
    Column("principal", Text, nullable=False),
    _moment("done_at"),
    Column("reason", JSON, nullable=False),
    Column("before", JSON, nullable=False),
    PrimaryKeyConstraint("id"),
    Index(None, "session"),
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
    # Of the team's repository, where the folder lies in one; and whether its files differed from it.
    Column("git_commit", Text),
    Column("modified", Boolean),
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

audit_links = Table(
    "audit_links",
    metadata,
    # One chain of one process; its batches from 1 on, and the hash of the one before.
    Column("writer", Uuid, nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("previous", BYTEA, nullable=False),
    # The batch's decisions, when they were made (microseconds since 1970), the hashes of their columns.
    Column("ids", ARRAY(Uuid), nullable=False),
    Column("moments", ARRAY(BigInteger), nullable=False),
    Column("digests", ARRAY(BYTEA), nullable=False),
    Column("columns", SmallInteger, nullable=False),
    # Which key made the hash of all this.
    Column("key", Text, nullable=False),
    Column("mac", BYTEA, nullable=False),
    PrimaryKeyConstraint("writer", "sequence"),
)

audit_drops = Table(
    "audit_drops",
    metadata,
    # All that was decided before this moment was dropped for its age (microseconds since 1970, both).
    Column("before", BigInteger, nullable=False),
    Column("dropped_at", BigInteger, nullable=False),
    Column("key", Text, nullable=False),
    Column("mac", BYTEA, nullable=False),
    PrimaryKeyConstraint("before"),
)

audit_trims = Table(
    "audit_trims",
    metadata,
    # The last link of a writer that went with what it links, and its hash.
    Column("writer", Uuid, nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("last", BYTEA, nullable=False),
    Column("key", Text, nullable=False),
    Column("mac", BYTEA, nullable=False),
    PrimaryKeyConstraint("writer"),
)
