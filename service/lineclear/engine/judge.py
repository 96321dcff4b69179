"""From a stated call to its decision, without I/O: what the service, ``check`` and the policy's tests share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lineclear.core import trust
from lineclear.core.checks import Undecided, decide
from lineclear.core.decision import Decision
from lineclear.core.observe import observe
from lineclear.core.verdict import Verdict

if TYPE_CHECKING:
    from datetime import date

    from lineclear.core.call import Key, Stated
    from lineclear.core.facts import Facts
    from lineclear.core.own import Own
    from lineclear.core.policy import Policy


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the checks made of a call: the facts of the strictest reading and its outcome.

    ``roots`` are the session's workspace roots from now on; ``ignored_roots`` were asked for and not taken.
    """

    facts: Facts
    outcome: Decision | Undecided
    roots: tuple[str, ...] | None
    ignored_roots: tuple[str, ...] = ()


def judge(
    stated: Stated, key: Key, policy: Policy, own: Own, today: date, roots: tuple[str, ...] | None = None
) -> Judgement:
    """Judge every reading of a call that is believed possible; the strictest counts."""
    belief = trust.believe(stated, key, policy, roots)
    readings = [observe(call, policy, own, today) for call in belief.readings]
    judged = [(facts, decide(policy, facts)) for facts in readings]
    facts, outcome = max(judged, key=lambda pair: _strictness(pair[1]))
    return Judgement(facts, outcome, belief.roots, belief.ignored_roots)


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
