"""The use case: a stated call comes in, its decision is committed, and only then answered.

Look up what is known of the session, judge, record; where somebody else was faster, begin again.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from lineclear.core.canonical import fingerprint, keyed_hash
from lineclear.core.checks import Undecided, unclassified
from lineclear.core.reasons import Code
from lineclear.core.texts import texts
from lineclear.core.verdict import Verdict
from lineclear.engine.errors import Conflict, Overtaken
from lineclear.engine.judge import Past, judge
from lineclear.engine.log import Entry, Outcome, Session, StorageUnavailable
from lineclear.engine.record import Decided, recorded, session_key

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from uuid import UUID

    from lineclear.core.call import Key, Stated
    from lineclear.core.decision import Decision
    from lineclear.core.own import Own
    from lineclear.core.policy import Policy
    from lineclear.engine.judge import Judgement
    from lineclear.engine.log import DecisionLog, Known, Record
    from lineclear.engine.observer import Observer
    from lineclear.engine.record import Form

REPLAY_FOR = timedelta(seconds=60)
"""How long a stored decision answers for its ``tool_use_id``."""
ATTEMPTS = 5
"""How often a call is decided anew because its session changed under it."""
NO_MODEL = "no model is configured: set a key for the classifier, or add a rule"


class PolicySource(Protocol):
    """Where the policy in force comes from; it may be another one for each call."""

    @property
    def current(self) -> Policy:
        """The policy in force now."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A committed decision; ``replayed`` where it was stored already."""

    record: Record
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Engine:
    """Decides calls. ``input_key`` keys the hashes of inputs, 32 bytes derived from the deployment's secret."""

    policies: PolicySource
    log: DecisionLog
    form: Form
    observer: Observer
    own: Own
    input_key: bytes
    now: Callable[[], datetime]
    new_id: Callable[[], UUID]

    async def decide(self, stated: Stated, key: Key, *, arrived: float, policy: Policy | None = None) -> Answer:
        """Decide one call; ``arrived`` is the request's arrival by ``time.perf_counter``.

        ``policy`` is the snapshot to decide by where several calls share one, else the policy in force.
        Raises ``Conflict``, ``Overtaken`` and ``StorageUnavailable``; each means "do not run".
        """
        for _ in range(ATTEMPTS):
            answer = await self._attempt(stated, key, arrived, policy)
            if answer is not None:
                self.observer.decided(answer.record, seconds=time.perf_counter() - arrived)
                return answer
        raise Overtaken("the session changed faster than the call could be decided; try again")

    async def find(self, decision_id: UUID) -> Record | None:
        """One decision as it was recorded."""
        return await self.log.find(decision_id)

    async def _attempt(self, stated: Stated, key: Key, arrived: float, pinned: Policy | None) -> Answer | None:
        known = await self.log.known(session_key(key, stated.session_id), stated.tool_use_id)
        policy, now = pinned or self.policies.current, self.now()
        begun = time.perf_counter()
        judgement = judge(
            stated, key, policy, self.own, now.date(), Past(known.session.roots if known.session else None)
        )
        self.observer.stage("judge", time.perf_counter() - begun)
        call = judgement.facts.call
        mark = fingerprint(judgement.facts.tool, call, stated.environment.cwd)
        if known.earlier is not None:
            if known.earlier.fingerprint != mark:
                raise Conflict("this `tool_use_id` stands for another tool, input, directory or agent already")
            if _replayable(known.earlier, key, policy, now):
                return Answer(known.earlier, replayed=True)
        decision = self._concluded(judgement, policy)
        decided = Decided(
            id=self.new_id(),
            at=now,
            facts=judgement.facts,
            decision=decision,
            texts=texts(decision),
            policy_version=policy.version,
            input_sha256=keyed_hash(self.input_key, call.tool_input),
            duration_ms=(time.perf_counter() - arrived) * 1000,
            expires_at=now + timedelta(seconds=policy.question_ttl_s) if decision.verdict is Verdict.ASK else None,
            ignored_roots=judgement.ignored_roots,
        )
        record = recorded(decided, key, mark, self.form)
        return Answer(record) if await self._committed(record, known, judgement) else None

    def _concluded(self, judgement: Judgement, policy: Policy) -> Decision:
        """The decision; without a classifier, what the checks leave open is a question."""
        if isinstance(judgement.outcome, Undecided):
            return unclassified(policy, judgement.outcome, Code.CLASSIFIER_UNAVAILABLE, NO_MODEL)
        return judgement.outcome

    async def _committed(self, record: Record, known: Known, judgement: Judgement) -> bool:
        seen = known.session
        if seen is None:
            session = Session(record.session, self.new_id(), judgement.roots, 0, record.decided_at)
        elif seen.roots != judgement.roots:
            session = replace(seen, roots=judgement.roots, revision=seen.revision + 1)
        else:
            session = seen
        begun = time.perf_counter()
        replaces = known.earlier.id if known.earlier is not None else None
        try:
            (outcome,) = await self.log.commit([Entry(record, session, seen, replaces)])
        except StorageUnavailable:
            self.observer.storage_failed("write")
            raise
        self.observer.stage("commit", time.perf_counter() - begun)
        if isinstance(outcome, Exception):
            self.observer.storage_failed("refused")
            raise StorageUnavailable("the record was refused, so there is no verdict") from outcome
        return outcome is Outcome.WRITTEN


def _replayable(earlier: Record, key: Key, policy: Policy, now: datetime) -> bool:
    """Whether a stored decision still answers: an outage never does, nor what another role was told."""
    return (
        now - earlier.decided_at < REPLAY_FOR
        and earlier.policy_version == policy.version
        and earlier.role == key.role
        and earlier.code != Code.CLASSIFIER_UNAVAILABLE
    )
