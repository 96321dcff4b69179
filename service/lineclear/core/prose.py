"""Rules in prose: what the policy tells the classifier, in four lists, each entry with an id to be cited."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from lineclear.core.verdict import Verdict

if TYPE_CHECKING:
    from lineclear.core.call import Call
    from lineclear.core.rules.audience import Audience


class FastBlock(StrEnum):
    """What a block of the fast stage is worth."""

    FINAL = "final"
    ESCALATE = "escalate"
    """The thinking stage is asked too."""


@dataclass(frozen=True, slots=True)
class ProseRule:
    """One entry: its id, one or two sentences, and examples of both sides.

    ``match`` are calls that the entry is about, ``no_match`` such as look like it and aren't; the model sees both.
    ``audience`` is for whom a team's entry is meant, None for everybody.
    """

    id: str
    text: str
    match: tuple[str, ...] = ()
    no_match: tuple[str, ...] = ()
    audience: Audience | None = None


@dataclass(frozen=True, slots=True)
class Guidance:
    """What a policy says to and of the classifier.

    ``environment`` is what is trusted, ``allow`` are exceptions; ``soft_block`` is cleared by an exception or by the
    user having named the action and its dangerous parameter, ``hard_block`` by nothing. ``recent_calls`` is the
    number of the session's latest calls that are shown, 0 for none. ``on_block`` and ``on_unavailable`` are ``ASK``
    or ``DENY``.
    """

    environment: tuple[ProseRule, ...] = ()
    allow: tuple[ProseRule, ...] = ()
    soft_block: tuple[ProseRule, ...] = ()
    hard_block: tuple[ProseRule, ...] = ()
    on_block: Verdict = Verdict.DENY
    on_unavailable: Verdict = Verdict.ASK
    fast_block: FastBlock = FastBlock.FINAL
    recent_calls: int = 10

    def meant_for(self, call: Call) -> Guidance:
        """What of it holds for a call: a team's blocks only for the team."""
        if all(rule.audience is None for rule in (*self.soft_block, *self.hard_block)):
            return self
        soft, hard = (
            tuple(rule for rule in rules if rule.audience is None or rule.audience.holds(call, strict=False))
            for rules in (self.soft_block, self.hard_block)
        )
        return replace(self, soft_block=soft, hard_block=hard)

    @property
    def citable(self) -> frozenset[str]:
        """The ids that a block may rest on."""
        return frozenset(rule.id for rule in (*self.soft_block, *self.hard_block))

    def is_hard(self, rule: str) -> bool:
        """Whether nothing clears this rule."""
        return any(entry.id == rule for entry in self.hard_block)
