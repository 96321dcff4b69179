"""The same ``tool_use_id`` again: when the stored decision still answers for its call."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from lineclear.core.checks import Undecided
from lineclear.core.reasons import Code
from lineclear.core.verdict import Verdict

if TYPE_CHECKING:
    from datetime import datetime

    from lineclear.core.call import Key
    from lineclear.core.decision import Decision
    from lineclear.core.policy import Policy
    from lineclear.engine.log import Known, Record

REPLAY_FOR = timedelta(seconds=60)
"""How long a stored decision answers for its ``tool_use_id``."""
NEVER_REPLAYED = frozenset({Code.CLASSIFIER_UNAVAILABLE, Code.HUMAN_GRANT})
"""An outage may have passed; and what a person approved once passes once."""


def stored(known: Known, key: Key, policy: Policy, now: datetime, outcome: Decision | Undecided) -> Record | None:
    """The decision that was made on the call, where nothing that it depended on has changed.

    ``outcome`` is what the checks make of the call as it comes now.
    """
    earlier, session = known.earlier, known.session
    if earlier is None or session is None or known.spent or earlier.code in NEVER_REPLAYED:
        return None
    # Another replica's clock may be a little ahead; a clock that was set back doesn't make a decision last.
    fresh = abs(now - earlier.decided_at) < REPLAY_FOR and (earlier.expires_at is None or now < earlier.expires_at)
    same_breaker = not policy.enforce or earlier.episode == session.breaker.episode
    # What another role was told is not for this one: an agent isn't believed what a host is.
    same = earlier.policy_version == policy.version and earlier.role == key.role
    return earlier if fresh and same and same_breaker and not _stricter(outcome, earlier) else None


def _stricter(outcome: Decision | Undecided, earlier: Record) -> bool:
    """Whether the checks would now let less through: a mode, roots, tools and groups may be others than they were."""
    before = Verdict(earlier.verdict)
    if isinstance(outcome, Undecided):
        # What a model allowed it was asked about; what a check allowed it wasn't.
        return before is Verdict.ALLOW and earlier.code != Code.CLASSIFIER_ALLOW
    return outcome.verdict > before
