"""What was said in a session, as it bears on a call; and what the classifier's word changes in it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, assert_never

from lineclear.core import classified
from lineclear.core.checks import Undecided, unclassified
from lineclear.core.reasons import Code
from lineclear.core.repeats import repeat_key
from lineclear.core.standing import Denial
from lineclear.core.verdict import Verdict
from lineclear.engine.classify import Result
from lineclear.engine.judge import Past

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from uuid import UUID

    from lineclear.core.decision import Decision
    from lineclear.core.facts import Facts
    from lineclear.core.policy import Policy
    from lineclear.core.standing import Grant
    from lineclear.engine.classifying import Ruling
    from lineclear.engine.judge import Judgement
    from lineclear.engine.log import Session

ESCAPES = 3
"""How many young sessions of a principal have an open breaker when its other young ones go back to a person too."""
YOUNG = timedelta(hours=1)
"""How long a session counts as begun to escape another one's breaker."""
ESCAPED = f"{ESCAPES} sessions of this principal that began within the hour have an open breaker"

NO_MODEL = "no model is configured: set a key for the classifier, or add a rule"

MOST_DENIALS = 64
"""How many denied calls of a session are remembered; an older one is judged anew."""


def past(session: Session | None, policy: Policy, grants: Iterable[Grant]) -> Past:
    """What a session brings to a call under a policy; where that only observes, no breaker and no denial counts."""
    if session is None:
        return Past()
    held = {grant.fingerprint: grant for grant in grants}
    if not policy.enforce:
        return Past(session.roots, grants=held, started_at=session.started_at)
    denied: dict[str, bool] = {}
    for denial in _current(session.denials, policy.version, session.messages):
        denied[denial.call] = denial.hard or denied.get(denial.call, False)
    return Past(session.roots, session.breaker, denied, held, session.started_at)


def may_escape(session: Session | None, since: datetime) -> bool:
    """Whether a session is so young that it may be another one's continuation."""
    return session is None or session.started_at >= since


def concluded(policy: Policy, judgement: Judgement, ruling: Ruling | None) -> Decision:
    """The decision on a call; without a classifier, what the checks leave open is a question.

    Where one was asked, the checks have run again by now, on the policy and the session as they are: the stricter of
    both counts.
    """
    outcome = judgement.outcome
    if ruling is None:
        if isinstance(outcome, Undecided):
            return unclassified(policy, outcome, Code.CLASSIFIER_UNAVAILABLE, NO_MODEL)
        return outcome
    by_model = _by_model(policy, Undecided(judgement.facts), ruling)
    if isinstance(judgement.outcome, Undecided):
        return by_model
    return max(judgement.outcome, by_model, key=lambda decision: decision.verdict.severity)


def stepped(
    session: Session, policy: Policy, facts: Facts, decision: Decision, ruling: Ruling, *, counted: bool
) -> Session:
    """The session after the classifier spoke in it; a call that was ``counted`` as denied already counts once.

    An allow resets a streak only if the call is then allowed.
    """
    match ruling.judged.result:
        case Result.BLOCK:
            denial = Denial(repeat_key(facts), ruling.judged.hard, ruling.policy_version, ruling.messages)
            known = [*_current(session.denials, policy.version, session.messages), denial]
            breaker = session.breaker if counted else session.breaker.denied(policy.breaker)
            denials = tuple(known[-MOST_DENIALS:])
        case Result.ALLOW if decision.verdict is Verdict.ALLOW:
            breaker, denials = session.breaker.allowed(), session.denials
        case Result.ALLOW | Result.UNAVAILABLE | Result.UNSURE:
            return session
        case never:
            assert_never(never)
    # Each verdict is a step, even one that changes nothing: of an allow and an opening, one comes first.
    return replace(session, breaker=breaker, denials=denials, steps=session.steps + 1)


def used(judgement: Judgement, decision: Decision) -> UUID | None:
    """The grant by which a call is allowed."""
    grant = judgement.facts.standing.grant
    return grant.id if grant is not None and decision.code is Code.HUMAN_GRANT else None


def voided(judgement: Judgement, decision: Decision) -> UUID | None:
    """The grant that ends with a decision: the policy denies what its person approved."""
    grant = judgement.facts.standing.grant
    denied = decision.verdict is Verdict.DENY and decision.downgraded_from is None
    return grant.id if grant is not None and denied else None


def _by_model(policy: Policy, undecided: Undecided, ruling: Ruling) -> Decision:
    judged = ruling.judged
    match judged.result:
        case Result.ALLOW:
            return classified.allowed(policy, undecided)
        case Result.BLOCK:
            return classified.blocked(policy, undecided, judged.rule, judged.reason, hard=judged.hard)
        case Result.UNAVAILABLE:
            return classified.unjudged(policy, undecided, Code.CLASSIFIER_UNAVAILABLE, judged.reason)
        case Result.UNSURE:
            return classified.unjudged(policy, undecided, Code.CLASSIFIER_UNSURE, judged.reason)
        case never:
            assert_never(never)


def _current(denials: Iterable[Denial], policy_version: str, messages: int) -> list[Denial]:
    """Those since which neither the policy nor the user's messages have changed."""
    return [one for one in denials if one.policy_version == policy_version and one.messages == messages]
