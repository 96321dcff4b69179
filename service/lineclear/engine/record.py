"""Making the record of a decision: believed values in, redacted values out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol

from lineclear import __version__
from lineclear.core.call import SessionKey
from lineclear.core.canonical import canonical
from lineclear.core.redact import redact
from lineclear.engine.log import Record

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from lineclear.core.breaker import Breaker
    from lineclear.core.call import JSON, Call, Key
    from lineclear.core.decision import Decision
    from lineclear.core.facts import Facts
    from lineclear.core.redact import Mark, Redacted
    from lineclear.core.standing import Shown
    from lineclear.core.texts import Texts
    from lineclear.engine.classify import Judged


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision with everything that its answer says, before redaction.

    ``input_sha256`` is keyed; ``duration_ms`` is the time from the request's arrival until now; ``expires_at`` is
    when a question counts as rejected, None for other verdicts. ``breaker`` is the session's from now on, None where
    none counts; ``judged`` what the classifier said, None where no model was asked.
    """

    id: UUID
    at: datetime
    facts: Facts
    decision: Decision
    texts: Texts
    policy_version: str
    input_sha256: str
    duration_ms: float
    expires_at: datetime | None
    ignored_roots: tuple[str, ...] = ()
    breaker: Breaker | None = None
    judged: Judged | None = None


class Form(Protocol):
    """How requests and answers look as JSON: the port to the one translation, ``lineclear.wire``."""

    def request(self, call: Call) -> JSON:
        """What is kept of a believed call."""

    def recalled(self, request: Redacted) -> Call:
        """The call that was kept as this, with its secrets missing."""

    def questions(self, answer: Redacted) -> frozenset[Shown]:
        """The questions that a person is shown of a kept answer."""

    def answer(self, decided: Decided) -> JSON:
        """The full answer, as an operator may see it once it is redacted."""


def recorded(decided: Decided, key: Key, fingerprint: str, form: Form) -> Record:
    """The record of a decision. If redaction fails there is none, and no verdict."""
    call, decision = decided.facts.call, decided.decision
    request, request_marks = redact(form.request(call))
    answer, answer_marks = redact(form.answer(decided))
    marks = _told(request_marks, answer_marks) if request_marks or answer_marks else _nothing_told()
    return Record(
        id=decided.id,
        decided_at=decided.at,
        session=session_key(key, call.session_id),
        tool_use_id=call.tool_use_id,
        key_id=key.id,
        role=key.role,
        tool_name=call.tool_name,
        kind=decided.facts.tool.kind,
        host=call.agent.host or "unknown",
        mode=decision.mode,
        verdict=decision.verdict.value,
        code=decision.code,
        rules=tuple(dict.fromkeys(finding.rule for finding in decision.findings if finding.rule is not None)),
        enforced=decision.enforced,
        request=request,
        answer=answer,
        redactions=marks,
        input_sha256=decided.input_sha256,
        fingerprint=fingerprint,
        policy_version=decided.policy_version,
        engine_version=__version__,
        duration_ms=decided.duration_ms,
        expires_at=decided.expires_at,
        episode=0 if decided.breaker is None else decided.breaker.episode,
    )


def _told(request: tuple[Mark, ...], answer: tuple[Mark, ...]) -> Redacted:
    """The marks as they are kept: their pointers hold names of keys, which go through redaction themselves."""
    told, _ = redact(
        {
            "request": [[mark.pointer, mark.kind, mark.start, mark.length] for mark in request],
            "answer": [[mark.pointer, mark.kind, mark.start, mark.length] for mark in answer],
        }
    )
    return told


@cache
def _nothing_told() -> Redacted:
    """What is kept of most calls: nothing was redacted."""
    return _told((), ())


MOST_SHOWN = 20_000
"""The longest input, in characters of JSON, that a person is shown whole."""
_NO_PART_OF_THE_CALL = ("/context", "/session_id", "/tool_use_id", "/principal")


def concealed(record: Record) -> bool:
    """Whether a person who looks at a record doesn't see all of the call: a part is redacted, or it is too long."""
    request, marks = record.request, record.redactions
    assert isinstance(request, Mapping)
    assert isinstance(marks, Mapping)
    if any(not pointer.startswith(_NO_PART_OF_THE_CALL) for pointer, *_ in marks["request"]):
        return True
    return len(canonical(request["tool_input"])) > MOST_SHOWN


def session_key(key: Key, session_id: str) -> SessionKey:
    """What a session is: the same string from another principal is another session."""
    return SessionKey((key.principal.id, session_id))
