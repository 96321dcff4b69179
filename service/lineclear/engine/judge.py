"""From a stated call to its decision, without I/O: what the service, ``check`` and the policy's tests share."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, field

from lineclear.core import trust
from lineclear.core.breaker import Breaker
from lineclear.core.canonical import fingerprint
from lineclear.core.checks import Undecided, decide
from lineclear.core.decision import Decision
from lineclear.core.observe import observe
from lineclear.core.standing import Standing
from lineclear.core.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date, datetime

    from lineclear.core.call import Call, Key, Stated
    from lineclear.core.facts import Facts
    from lineclear.core.own import Own
    from lineclear.core.policy import Policy
    from lineclear.core.standing import Grant


Recall: TypeAlias = "Callable[[Call, Policy, Own, date], tuple[Facts, Decision | Undecided | None]]"
"""What is known of a call outside of any session: its facts, and what the checks make of them, if that is known."""


def _anew(call: Call, policy: Policy, own: Own, today: date) -> tuple[Facts, None]:
    return observe(call, policy, own, today), None


class Past(Struct, frozen=True):
    """What a session brings to a call.

    ``roots`` are its workspace roots, None while nobody has named any; ``denied`` as in ``core.standing``; ``grants``
    are those that are held, by fingerprint; ``started_at`` is when it began, None for its first call.
    """

    roots: tuple[str, ...] | None = None
    breaker: Breaker = Breaker()
    denied: Mapping[str, bool] = field(default_factory=dict)
    grants: Mapping[str, Grant] = field(default_factory=dict)
    started_at: datetime | None = None


class Judgement(Struct, frozen=True):
    """What the checks made of a call: the facts of the strictest reading and its outcome.

    ``fingerprint`` tells the call apart. ``roots`` are the session's workspace roots from now on; ``ignored_roots``
    were asked for and not taken.
    """

    facts: Facts
    outcome: Decision | Undecided
    fingerprint: str
    roots: tuple[str, ...] | None
    ignored_roots: tuple[str, ...] = ()


def judge(
    stated: Stated,
    key: Key,
    policy: Policy,
    own: Own,
    today: date,
    past: Past | None = None,
    *,
    now: datetime | None = None,
    recall: Recall = _anew,
) -> Judgement:
    """Judge every reading of a call that is believed possible; the strictest counts.

    ``now`` is the moment that conditions see; without it, it is the beginning of ``today``. ``recall`` may know what
    was made of such calls before.
    """
    past = past or Past()
    belief = trust.believe(stated, key, policy, past.roots)
    readings = [recall(call, policy, own, today) for call in belief.readings]
    first, _ = readings[0]
    mark = fingerprint(first.tool, first.call, stated.environment.cwd)
    standing = Standing(past.breaker, past.denied, past.grants.get(mark))
    age = now - past.started_at if now is not None and past.started_at is not None else timedelta(0)
    known = [(facts.in_session(standing, now, age), outcome) for facts, outcome in readings]
    judged = [(facts, _outcome(policy, facts, outcome)) for facts, outcome in known]
    facts, outcome = max(judged, key=lambda pair: _strictness(pair[1]))
    return Judgement(facts, outcome, mark, belief.roots, belief.ignored_roots)


def _outcome(policy: Policy, facts: Facts, before: Decision | Undecided | None) -> Decision | Undecided:
    """What the checks make of a call; ``before`` is what they do where its session has nothing to say to it."""
    standing = facts.standing
    if before is None or standing.breaker.open or standing.denied or standing.grant is not None:
        return decide(policy, facts)
    return Undecided(facts) if isinstance(before, Undecided) else before


def _strictness(outcome: Decision | Undecided) -> int:
    """What is left to a model ranks above an allow and below a question: no model answers a question by a check."""
    match outcome:
        case Undecided():
            return 1
        case Decision(verdict=Verdict.ALLOW):
            return 0
        case Decision(verdict=Verdict.ASK):
            return 2
        case Decision():
            return 3
