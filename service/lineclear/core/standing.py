"""Where a session stands: what the classifier and people have said in it, as far as it bears on the next call."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from lineclear.core.breaker import Breaker
from lineclear.core.reasons import Code

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from lineclear.core.decision import Finding


class Scope(StrEnum):
    """How far a person's approval reaches: one run of the call, or each run until the session ends."""

    ONCE = "once"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class Denial:
    """A call that the classifier denied in this session.

    ``call`` is its ``core.repeats`` key, ``hard`` whether nothing clears the rule that it broke. It counts as denied
    while ``policy_version`` and ``messages``, the number of the user's messages, are what they were.
    """

    call: str
    hard: bool
    policy_version: str
    messages: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A question as its person saw it."""

    code: str
    rule: str | None
    part: str | None


@dataclass(frozen=True, slots=True)
class Grant:
    """A person's approval of one call, named by its fingerprint; it strikes out the questions that were shown."""

    id: UUID
    fingerprint: str
    scope: Scope
    shown: frozenset[Shown]

    def strikes(self, finding: Finding) -> bool:
        """Whether its person was shown this very question; one who was shown the classifier's block knows of it."""
        if finding.code is Code.REPEATED_DENIAL and any(one.code == Code.CLASSIFIER_BLOCK for one in self.shown):
            return True
        return Shown(finding.code, finding.rule, finding.part) in self.shown


@dataclass(frozen=True, slots=True)
class Standing:
    """What the checks need to know of a session.

    ``denied`` maps the calls that count as denied by the classifier to whether nothing clears that; ``grant`` is the
    one that is held for this very call.
    """

    breaker: Breaker = Breaker()
    denied: Mapping[str, bool] = field(default_factory=dict)
    grant: Grant | None = None
