"""What is said of a decision afterwards: a person's answer to a question, and what became of the call."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Protocol

from lineclear.core.call import Role
from lineclear.core.course import Answer, By, Course, Result, unanswerable, unapprovable, unreportable
from lineclear.core.observe import observe
from lineclear.core.reasons import NO_OBJECTION
from lineclear.core.retry import retry
from lineclear.core.standing import Grant, Scope
from lineclear.engine.errors import Conflict, Missing, NotAllowed
from lineclear.engine.record import concealed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from uuid import UUID

    from lineclear.core.call import Key, SessionKey
    from lineclear.core.own import Own
    from lineclear.core.policy import Policy
    from lineclear.core.retry import Retry
    from lineclear.engine.decide import PolicySource
    from lineclear.engine.log import DecisionLog, Record, Session
    from lineclear.engine.observer import Observer
    from lineclear.engine.record import Form

FOR_EVER = datetime(9999, 1, 1, tzinfo=UTC)
"""When a grant for the session ends by its time."""

_FIRST_LOOK_S = 0.1
_LONGEST_LOOK_S = 1.0


@dataclass(frozen=True, slots=True)
class Given:
    """An answer to be kept: by whom, and, where it approves as a grant, until when that holds (None: to no end)."""

    answer: Answer
    by: By
    key: Key
    at: datetime
    scope: Scope | None = None
    grant: Grant | None = None
    grant_until: datetime | None = None
    closes_breaker: bool = False
    """Whether the breaker is closed by it, if its opening is the one in which the question was asked."""


class AnswerBook(Protocol):
    """The port. Methods raise ``StorageUnavailable``."""

    async def course(self, decision_id: UUID) -> Course:
        """How far a decision has come."""

    async def answer(self, question: Record, given: Given) -> Session | None:
        """Keep an answer with all that follows from it, in one transaction; its session, or None where it came late.

        Of two answers the first counts. From then on the stored decision isn't given again.
        """

    async def report(self, decision: Record, result: Result, key: Key, at: datetime) -> bool:
        """Keep what became of a call; false where something else is known already."""

    async def grants(self, session: SessionKey, now: datetime) -> Sequence[Grant]:
        """The grants of a session that are held now."""


@dataclass(frozen=True, slots=True)
class Reported:
    """What came of a report: how far the decision has come, and advice on another try where the call was reported.

    ``session`` is the session after an answer; ``grant`` and ``grant_until`` what an approval gave.
    """

    record: Record
    course: Course
    retry: Retry | None = None
    session: Session | None = None
    grant: Grant | None = None
    grant_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Answers:
    """Takes answers and reports. Methods raise ``Missing``, ``NotAllowed``, ``Conflict`` and ``StorageUnavailable``."""

    policies: PolicySource
    log: DecisionLog
    book: AnswerBook
    form: Form
    observer: Observer
    own: Own
    now: Callable[[], datetime]
    new_id: Callable[[], UUID]
    stopping: Callable[[], bool] = lambda: False
    """Whether the service was asked to stop: then nobody is kept waiting."""

    async def read(self, decision_id: UUID, key: Key) -> tuple[Record, Course]:
        """A decision that this key may read, and how far it has come."""
        record = await self.log.find(decision_id)
        if record is None or not may_read(key, record):
            raise Missing("there is no decision of this id that this key may read")
        return record, await self.book.course(decision_id)

    async def wait(self, decision_id: UUID, key: Key, *, wait_s: float) -> tuple[Record, Course]:
        """The same, as soon as its question is answered or has expired; ``wait_s`` seconds at most."""
        until = time.monotonic() + wait_s
        record, course = await self.read(decision_id, key)
        pause = _FIRST_LOOK_S
        while course.answer is None and record.expires_at is not None and self.now() < record.expires_at:
            left = until - time.monotonic()
            if left <= 0 or self.stopping():
                break
            await asyncio.sleep(min(pause, left))
            pause = min(pause * 2, _LONGEST_LOOK_S)
            course = await self.book.course(decision_id)
        return record, course

    async def report(self, decision_id: UUID, result: Result, key: Key) -> Reported:
        """Take what became of a call, and advise on another try."""
        record, course = await self.read(decision_id, key)
        if key.role is Role.OPERATOR:
            raise NotAllowed("what became of a call is reported by who ran it; an operator answers questions")
        may_run = record.verdict == "allow" or not record.enforced or record.code in NO_OBJECTION
        if why := unreportable(result, course, may_run=may_run):
            raise Conflict(why)
        now = self.now()
        if not await self.book.report(record, result, key, now):
            raise Conflict("another report of this call came first")
        policy = self.policies.current
        facts = observe(self.form.recalled(record.request), policy, self.own, now.date())
        return Reported(record, await self.book.course(decision_id), retry(facts, result))

    async def answer(self, decision_id: UUID, answer: Answer, scope: Scope, key: Key) -> Reported:
        """Take a person's answer to a question: an operator's approval makes a grant, what a host attests doesn't."""
        record, course = await self.read(decision_id, key)
        now, policy = self.now(), self.policies.current
        if key.role is Role.AGENT:
            raise NotAllowed("an agent can't answer for a person")
        if why := unanswerable(record.verdict, course, record.expires_at, now):
            raise Conflict(why)
        given = Given(answer, By.HOST if key.role is Role.HOST else By.OPERATOR, key, now)
        if answer is Answer.APPROVED:
            given = self._approval(record, given, scope, policy)
        session = await self.book.answer(record, given)
        if session is None:
            raise Conflict("this question was answered already")
        self.observer.answered(record, answer, given.by)
        course = await self.book.course(decision_id)
        return Reported(record, course, session=session, grant=given.grant, grant_until=given.grant_until)

    def _approval(self, record: Record, given: Given, scope: Scope, policy: Policy) -> Given:
        """What an approval brings. A host's closes the breaker where the policy trusts it; an operator's grants."""
        if given.by is By.HOST:
            return replace(given, scope=scope, closes_breaker=policy.trust_host)
        if record.session[0] == given.key.principal.id or record.key_id == given.key.id:
            raise NotAllowed("whoever asked can't approve: a grant comes from another key and another principal")
        shown = self.form.questions(record.answer)
        if why := unapprovable(scope, (question.code for question in shown), concealed=concealed(record)):
            raise Conflict(why)
        lasting = scope is Scope.SESSION
        return replace(
            given,
            scope=scope,
            closes_breaker=True,
            grant=Grant(self.new_id(), record.fingerprint, scope, shown),
            grant_until=None if lasting else given.at + timedelta(seconds=policy.question_ttl_s),
        )


def may_read(key: Key, record: Record) -> bool:
    """Whoever watches reads all; whoever asks reads what its own principal asked."""
    return key.role in {Role.OPERATOR, Role.EDITOR} or record.session[0] == key.principal.id
