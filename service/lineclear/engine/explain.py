"""One call decided in full view, without a record: the checks as they stand, no session, no model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from lineclear.core.checks import Undecided, unclassified
from lineclear.core.reasons import Code
from lineclear.core.texts import texts
from lineclear.core.tracing.trace import Trace, trace
from lineclear.engine.judge import judge
from lineclear.engine.record import Decided, recorded

if TYPE_CHECKING:
    from datetime import datetime

    from lineclear.core.call import Key, Stated
    from lineclear.core.decision import Decision
    from lineclear.core.own import Own
    from lineclear.core.policy import Policy
    from lineclear.engine.judge import Judgement
    from lineclear.engine.log import Record
    from lineclear.engine.record import Form

NO_MODEL = "an explanation asks no model"


@dataclass(frozen=True, slots=True)
class Explained:
    """A call's decision with its trace."""

    judgement: Judgement
    decision: Decision
    trace: Trace


def as_record(explained: Explained, key: Key, policy: Policy, now: datetime, form: Form) -> Record:
    """The record that the decision would have, redacted as any other; nobody keeps it, and so it has no id."""
    judgement = explained.judgement
    decided = Decided(
        id=UUID(int=0),
        at=now,
        facts=judgement.facts,
        decision=explained.decision,
        texts=texts(explained.decision),
        policy_version=policy.version,
        input_sha256="",
        duration_ms=0.0,
        expires_at=None,
        ignored_roots=judgement.ignored_roots,
    )
    return recorded(decided, key, judgement.fingerprint, form)


def explain(stated: Stated, key: Key, policy: Policy, own: Own, now: datetime) -> Explained:
    """Decide a call as if it were the first of its session, and tell how."""
    judgement = judge(stated, key, policy, own, now.date(), now=now)
    outcome = judgement.outcome
    if isinstance(outcome, Undecided):
        outcome = unclassified(policy, outcome, Code.CLASSIFIER_UNAVAILABLE, NO_MODEL)
    return Explained(judgement, outcome, trace(policy, judgement.facts))
