"""What becomes of a call that no check settled: the breaker's question, a model's verdict, or the want of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from lineclear.core.checks import concluded, first_unproven
from lineclear.core.decision import Finding
from lineclear.core.reasons import Code
from lineclear.core.verdict import Verdict

if TYPE_CHECKING:
    from lineclear.core.checks import Undecided
    from lineclear.core.decision import Decision
    from lineclear.core.policy import Policy

CLASSIFIER = "classifier:"
"""What the names of findings' rules begin with where a rule in prose was cited."""

MODEL = (
    ("18", "mode `auto`: the classifier allows, or blocks"),
    ("19", "mode `auto`: no verdict was to be had"),
)
"""The last checks, which ask a model: the engine does, in ``engine.classifying``."""


def allowed(policy: Policy, undecided: Undecided) -> Decision:
    """The decision where the classifier found nothing against the call."""
    return concluded(policy, undecided.facts, (Finding(Code.CLASSIFIER_ALLOW, Verdict.ALLOW),))


def blocked(policy: Policy, undecided: Undecided, rule: str | None, reason: str | None, *, hard: bool) -> Decision:
    """The decision where it did; only a soft rule's block becomes a question, where the policy says so."""
    verdict = Verdict.DENY if hard else policy.guidance.on_block
    name = None if rule is None else f"{CLASSIFIER}{rule}"
    part = first_unproven(undecided.facts)
    found = Finding(Code.CLASSIFIER_BLOCK, verdict, name, part=part, reason=reason)
    return concluded(policy, undecided.facts, (found,))


def unjudged(policy: Policy, undecided: Undecided, code: Code, reason: str | None) -> Decision:
    """The decision where a model was to be asked, and gave no verdict."""
    found = Finding(code, policy.guidance.on_unavailable, part=first_unproven(undecided.facts), reason=reason)
    decision = concluded(policy, undecided.facts, (found,))
    return structs.replace(decision, outage=code is Code.CLASSIFIER_UNAVAILABLE)
