"""Rules in prose: what the policy tells the classifier, in four lists, each entry with an id to be cited."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from lineclear.core.verdict import Verdict


class FastBlock(StrEnum):
    """What a block of the fast stage is worth."""

    FINAL = "final"
    ESCALATE = "escalate"
    """The thinking stage is asked too."""


@dataclass(frozen=True, slots=True)
class ProseRule:
    """One entry: its id, one or two sentences, and examples of both sides.

    ``match`` are calls that the entry is about, ``no_match`` such as look like it and aren't; the model sees both.
    """

    id: str
    text: str
    match: tuple[str, ...] = ()
    no_match: tuple[str, ...] = ()


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

    @property
    def citable(self) -> frozenset[str]:
        """The ids that a block may rest on."""
        return frozenset(rule.id for rule in (*self.soft_block, *self.hard_block))

    def is_hard(self, rule: str) -> bool:
        """Whether nothing clears this rule."""
        return any(entry.id == rule for entry in self.hard_block)
