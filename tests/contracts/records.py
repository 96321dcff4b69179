"""Entries for tests: a call of one session, with what differs named."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from lineclear.core.call import SessionKey
from lineclear.core.redact import Redacted
from lineclear.engine.log import Entry, Record, Session

if TYPE_CHECKING:
    from lineclear.engine.log import Known

NOW = datetime(2026, 11, 29, 12, 30, 15, 123456, tzinfo=UTC)
KEY = SessionKey(("installation-1", "s-42"))
CHAIN = b"a key of the chain, for tests"


def a_session(key: SessionKey = KEY, **changes: Any) -> Session:
    return replace(Session(key=key, id=uuid4(), roots=("/work/repo",), revision=1, started_at=NOW), **changes)


def a_record(key: SessionKey = KEY, tool_use_id: str | None = None, **changes: Any) -> Record:
    record = Record(
        id=uuid4(),
        decided_at=NOW,
        session=key,
        tool_use_id=tool_use_id,
        key_id="k-1",
        role="host",
        tool_name="Bash",
        kind="shell",
        host="claude-code",
        mode="default",
        verdict="ask",
        code="default_mode",
        rules=("organisation:ask:Bash(git push *)", "builtin.push"),
        enforced=True,
        request=Redacted({"tool_input": {"command": "git push — “now”", "n": [1, 2.5, -0.0, None, True]}}),
        answer=Redacted({"verdict": "ask", "findings": []}),
        redactions=Redacted([]),
        input_sha256="ab" * 32,
        fingerprint="cd" * 32,
        policy_version="sha256:1",
        engine_version="0.1.0",
        duration_ms=1.25,
    )
    return replace(record, **changes)


def an_entry(
    known: Known | None = None,
    *,
    key: SessionKey = KEY,
    tool_use_id: str | None = None,
    replaces: UUID | None = None,
    roots: tuple[str, ...] | None = None,
    **changes: Any,
) -> Entry:
    """What a decider would commit who saw ``known``; with ``roots``, it narrows them."""
    seen = known.session if known else None
    session = seen or a_session(key)
    if roots is not None:
        session = replace(session, roots=roots, revision=session.revision + 1 if seen else 1)
    return Entry(a_record(key, tool_use_id, **changes), session, seen, replaces)
