"""The use case: a stated call comes in, its decision is committed, and only then answered.

Look up what is known of the session, judge, record; where somebody else was faster, begin again. What no check
settles is put to the classifier, if there is one; then all is looked up and judged again, and the stricter counts.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol, TypeVar

from msgspec import structs

from lineclear.core.canonical import keyed_hash
from lineclear.core.checks import Undecided, unclassified
from lineclear.core.decision import Decision
from lineclear.core.modes import Mode
from lineclear.core.reasons import Code
from lineclear.core.texts import texts
from lineclear.core.trust import speaks_for_the_user
from lineclear.core.verdict import Verdict
from lineclear.engine.case import Asked, Case
from lineclear.engine.classify import Result
from lineclear.engine.classifying import untold
from lineclear.engine.errors import Conflict, Overtaken
from lineclear.engine.familiar import Familiar
from lineclear.engine.judge import judge
from lineclear.engine.log import Entry, Known, Outcome, Session, StorageUnavailable
from lineclear.engine.record import Decided, recorded, session_key
from lineclear.engine.remembered import Remembered
from lineclear.engine.standing import ESCAPED, ESCAPES, YOUNG, concluded, may_escape, past, stepped, used, voided

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from datetime import datetime
    from uuid import UUID

    from lineclear.core.call import Key, Stated
    from lineclear.core.own import Own
    from lineclear.core.policy import Policy
    from lineclear.core.standing import Grant
    from lineclear.engine.answers import AnswerBook
    from lineclear.engine.classifying import Bench, Gone, Ruling
    from lineclear.engine.conversation import Conversation
    from lineclear.engine.log import DecisionLog, Record
    from lineclear.engine.observer import Observer
    from lineclear.engine.record import Form

T = TypeVar("T")

ATTEMPTS = 5
"""How often a call is decided anew because its session changed under it."""
ATTEMPTS_WITH_VERDICT = 50
"""The same for a call with a model's verdict, which isn't thrown away: the others are as many verdicts."""
TOO_MANY = "too many calls are being judged; none ended in time"


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


async def stays() -> None:
    """The caller that never leaves."""
    await asyncio.Event().wait()


@dataclass(frozen=True, slots=True)
class Engine:
    """Decides calls. ``input_key`` keys the hashes of inputs, 32 bytes derived from the deployment's secret.

    ``bench`` is None where no classifier is configured.
    """

    policies: PolicySource
    log: DecisionLog
    answers: AnswerBook
    conversation: Conversation
    form: Form
    observer: Observer
    own: Own
    input_key: bytes
    now: Callable[[], datetime]
    new_id: Callable[[], UUID]
    bench: Bench | None = None
    recall: Remembered = field(default_factory=Remembered)
    familiar: Familiar = field(default_factory=Familiar)

    async def decide(
        self, stated: Stated, key: Key, *, arrived: float, gone: Gone = stays, policy: Policy | None = None
    ) -> Answer:
        """Decide one call; ``arrived`` is the request's arrival by ``time.perf_counter``.

        ``gone`` returns when the caller has left: a model that is being asked then is told so. ``policy`` is the
        snapshot to decide by where several calls share one, else the policy in force.
        Raises ``Conflict``, ``Overtaken``, ``CallerGone`` and ``StorageUnavailable``; each means "do not run".
        """
        asked = Asked(stated, key, session_key(key, stated.session_id), arrived, gone)
        if stated.messages and speaks_for_the_user(stated, key):
            await self._watched("write", self.conversation.hear(asked.session, stated.messages))
        if (answer := await self._by_heart(asked, policy)) is not None:
            return self._answered(asked, answer)
        for _ in range(ATTEMPTS):
            case = await self._look(asked, policy)
            if (earlier := case.stored(key)) is not None:
                return self._answered(asked, Answer(earlier, replayed=True))
            if isinstance(case.judgement.outcome, Undecided) and self.bench is not None:
                return await self._with_a_model(asked, self.bench)
            if (answer := await self._recorded(asked, case)) is not None:
                return self._answered(asked, answer)
        raise Overtaken("the session changed faster than the call could be decided; try again")

    async def find(self, decision_id: UUID) -> Record | None:
        """One decision as it was recorded."""
        return await self.log.find(decision_id)

    async def _by_heart(self, asked: Asked, pinned: Policy | None) -> Answer | None:
        """Allow a call on what is remembered of its session; None where that isn't enough, or isn't true any more.

        What a session may hold besides, a grant or a decision on the same call, could only be told by looking it up:
        whatever isn't allowed without is decided again.
        """
        session = self.familiar.session(asked.session, asked.stated.tool_use_id)
        if session is None:
            return None
        case = self._case(asked, Known(session), (), self.now(), pinned)
        allowed = isinstance(case.judgement.outcome, Decision) and case.judgement.outcome.verdict is Verdict.ALLOW
        if not allowed or case.judgement.roots != session.roots:
            return None
        answer = await self._recorded(asked, case, by_heart=True)
        if answer is None:
            self.familiar.forget(asked.session)
        return answer

    async def _with_a_model(self, asked: Asked, bench: Bench) -> Answer:
        """Decide a call that no check settled. Its turn ends when its decision is committed."""
        ruling: Ruling | None = None
        async with bench.turn(asked.session, asked.stated.tool_use_id, asked.until) as came:
            for _ in range(ATTEMPTS_WITH_VERDICT):
                case = await self._unescaped(asked, await self._look(asked))
                if (earlier := case.stored(asked.key)) is not None:
                    return self._answered(asked, Answer(earlier, replayed=True))
                if isinstance(case.judgement.outcome, Undecided) and ruling is None:
                    ruling = await self._ruling(asked, bench, case) if came else untold(case.policy, TOO_MANY)
                    continue  # the policy or the session may have changed, or the breaker opened and none was asked
                if (answer := await self._recorded(asked, case, ruling)) is not None:
                    return self._answered(asked, answer, by_model=ruling is not None)
        raise Overtaken("the session changed faster than the call could be decided; try again")

    async def _unescaped(self, asked: Asked, case: Case) -> Case:
        """No model is asked in a session that may have been begun to escape the breakers of others."""
        undecided, since = case.judgement.outcome, case.now - YOUNG
        if not isinstance(undecided, Undecided) or not case.policy.enforce or not may_escape(case.known.session, since):
            return case
        principal, _ = asked.session
        if await self._watched("read", self.log.open_breakers(principal, since)) < ESCAPES:
            return case
        outcome = unclassified(case.policy, undecided, Code.BREAKER_OPEN, ESCAPED)
        return replace(case, judgement=structs.replace(case.judgement, outcome=outcome))

    async def _look(self, asked: Asked, pinned: Policy | None = None) -> Case:
        known = await self._watched("read", self.log.known(asked.session, asked.stated.tool_use_id))
        now = self.now()
        case = self._case(asked, known, await self._grants(known.session, now), now, pinned)
        if known.earlier is not None and known.earlier.fingerprint != case.judgement.fingerprint:
            raise Conflict("this `tool_use_id` stands for another tool, input, directory or agent already")
        return case

    def _case(self, asked: Asked, known: Known, grants: Sequence[Grant], now: datetime, pinned: Policy | None) -> Case:
        policy, begun, spent = pinned or self.policies.current, time.perf_counter(), self.recall.spent_s
        brought = past(known.session, policy, grants)
        judgement = judge(asked.stated, asked.key, policy, self.own, now.date(), brought, now=now, recall=self.recall)
        analysis = self.recall.spent_s - spent
        asked.spent.analysis_s += analysis
        asked.spent.rules_s += time.perf_counter() - begun - analysis
        return Case(known, policy, now, judgement)

    async def _grants(self, session: Session | None, now: datetime) -> Sequence[Grant]:
        """What is held of the session; asked for only where it ever had a grant that may last till now."""
        if session is None or session.grants_until is None or session.grants_until <= now:
            return ()
        return await self._watched("read", self.answers.grants(session.key, now))

    async def _ruling(self, asked: Asked, bench: Bench, case: Case) -> Ruling | None:
        begun = time.perf_counter()
        facts, session = case.judgement.facts, case.known.session
        asking = bench.ask(facts, case.policy, asked.session, session, asked.until, asked.gone)
        ruling = await self._watched("read", asking)
        self.observer.stage("classifier", time.perf_counter() - begun)
        return ruling

    async def _recorded(
        self, asked: Asked, case: Case, ruling: Ruling | None = None, *, by_heart: bool = False
    ) -> Answer | None:
        """Conclude and commit; None where somebody else was faster."""
        known, policy, judgement = case.known, case.policy, case.judgement
        decision = concluded(policy, judgement, ruling)
        seen = known.session or Session(asked.session, self.new_id(), None, 0, case.now)
        session = seen
        if ruling is not None and policy.enforce:
            session = stepped(seen, policy, judgement.facts, decision, ruling, counted=known.counted)
        if seen.roots != judgement.roots:
            session = replace(session, roots=judgement.roots, revision=session.revision + (known.session is not None))
        call = judgement.facts.call
        decided = Decided(
            id=self.new_id(),
            at=case.now,
            facts=judgement.facts,
            decision=decision,
            texts=texts(decision),
            policy_version=policy.version,
            input_sha256=keyed_hash(self.input_key, call.tool_input),
            duration_ms=(time.perf_counter() - asked.arrived) * 1000,
            expires_at=case.now + timedelta(seconds=policy.question_ttl_s) if decision.verdict is Verdict.ASK else None,
            ignored_roots=judgement.ignored_roots,
            breaker=session.breaker if policy.enforce else None,
            judged=None if ruling is None else ruling.judged,
        )
        record = recorded(decided, asked.key, judgement.fingerprint, self.form)
        entry = Entry(
            record,
            session,
            known.session,
            replaces=None if known.earlier is None else known.earlier.id,
            counted=ruling is not None and ruling.judged.result is Result.BLOCK,
            uses=used(judgement, decision),
            voids=voided(judgement, decision),
            by_heart=by_heart,
        )
        if not await self._committed(entry):
            return None
        self.familiar.met(session, asked.stated.tool_use_id)
        for rule in policy.rules.failing(judgement.facts, suspended=call.mode is Mode.AUTO):
            self.observer.condition_failed(rule)
        if session.breaker.open and not seen.breaker.open and session.breaker.opened_by is not None:
            self.observer.breaker_opened(record, session.breaker.opened_by)
        return Answer(record)

    async def _watched(self, kind: str, doing: Awaitable[T]) -> T:
        """What comes of something in the database; the observer hears where it can't be done."""
        try:
            return await doing
        except StorageUnavailable:
            self.observer.storage_failed(kind)
            raise

    async def _committed(self, entry: Entry) -> bool:
        begun = time.perf_counter()
        (outcome,) = await self._watched("write", self.log.commit([entry]))
        self.observer.stage("commit", time.perf_counter() - begun)
        if isinstance(outcome, Exception):
            self.observer.storage_failed("refused")
            raise StorageUnavailable("the record was refused, so there is no verdict") from outcome
        return outcome is Outcome.WRITTEN

    def _answered(self, asked: Asked, answer: Answer, *, by_model: bool = False) -> Answer:
        asked.spent.tell(self.observer)
        if answer.replayed:  # decided and counted when it was stored
            return answer
        self.observer.decided(answer.record, seconds=time.perf_counter() - asked.arrived, by_model=by_model)
        return answer
