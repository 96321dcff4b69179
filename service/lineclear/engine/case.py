"""A call on its way to a decision: who asks and until when, and how it stands at one moment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lineclear.engine.again import stored

if TYPE_CHECKING:
    from datetime import datetime

    from lineclear.core.call import Key, SessionKey, Stated
    from lineclear.core.policy import Policy
    from lineclear.engine.classifying import Gone
    from lineclear.engine.judge import Judgement
    from lineclear.engine.log import Known, Record
    from lineclear.engine.observer import Observer

RESERVE_S = 0.5
"""What is kept of a caller's time for recording a verdict; of short times a tenth."""


@dataclass(slots=True)
class Spent:
    """What a call has taken of stages that it passes again whenever it is looked at anew, in seconds."""

    analysis_s: float = 0.0
    rules_s: float = 0.0

    def tell(self, observer: Observer) -> None:
        """Tell it, once a call."""
        observer.stage("analysis", self.analysis_s)
        observer.stage("rules", self.rules_s)


@dataclass(frozen=True, slots=True)
class Asked:
    """A call that is to be decided; ``arrived`` by ``time.perf_counter``."""

    stated: Stated
    key: Key
    session: SessionKey
    arrived: float
    gone: Gone
    spent: Spent = field(default_factory=Spent)

    @property
    def until(self) -> float:
        """When a verdict must be there, by the same clock."""
        given = self.stated.timeout_ms / 1000
        return self.arrived + given - min(RESERVE_S, given / 10)


@dataclass(frozen=True, slots=True)
class Case:
    """A call as it stands at one moment: what the log knows, the policy in force, and what the checks make of it."""

    known: Known
    policy: Policy
    now: datetime
    judgement: Judgement

    def stored(self, key: Key) -> Record | None:
        """The decision that was made on the call already, where it still answers for it."""
        return stored(self.known, key, self.policy, self.now, self.judgement.outcome)
