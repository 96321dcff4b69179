"""Asking the classifier: each call in its turn, within its deadline, with nothing but what a model may know."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lineclear.engine.classify import Judged, PastCall, Question, Result, always
from lineclear.engine.conversation import Told
from lineclear.engine.errors import CallerGone
from lineclear.engine.leases import leased
from lineclear.engine.log import StorageUnavailable
from lineclear.engine.slots import Slots, TooManyInFlight

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine

    from lineclear.core.call import SessionKey
    from lineclear.core.facts import Facts
    from lineclear.core.policy import Policy
    from lineclear.engine.classify import Classifier
    from lineclear.engine.conversation import Conversation
    from lineclear.engine.leases import Leases
    from lineclear.engine.log import DecisionLog, Session
    from lineclear.engine.record import Form

    Gone = Callable[[], Coroutine[object, object, None]]
    """Returns when the caller has left."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the classifier said, and on what: the policy version and the number of the user's messages that it knew."""

    judged: Judged
    policy_version: str
    messages: int


@dataclass(frozen=True, slots=True)
class Bench:
    """The classifier, with everything that it is asked through."""

    classifier: Classifier
    leases: Leases
    conversation: Conversation
    log: DecisionLog
    form: Form
    slots: Slots = field(default_factory=Slots)

    @asynccontextmanager
    async def turn(self, session: SessionKey, tool_use_id: str | None, until: float) -> AsyncIterator[bool]:
        """A call's turn, held until its decision is committed, so that whoever comes next knows of it.

        False where none came free until ``until``: no model is asked then. Raises ``Overtaken`` where a twin has it.
        """
        async with leased(self.leases, session, tool_use_id, until), AsyncExitStack() as held:
            try:
                await held.enter_async_context(self.slots.slot(session, timeout_s=max(0.0, _left(until))))
            except TooManyInFlight:
                yield False
            else:
                yield True

    async def ask(
        self, facts: Facts, policy: Policy, key: SessionKey, session: Session | None, until: float, gone: Gone
    ) -> Ruling | None:
        """Have a call judged; ``session`` is None where the log doesn't know one of that key.

        None where the session's breaker opened before a model was asked: no verdict counts then. Raises ``CallerGone``,
        and then the model's server has been told, and ``StorageUnavailable``.
        """
        told = Told() if session is None or not session.messages else await self.conversation.told(key)
        question = Question(
            facts,
            policy.guidance.meant_for(facts.call),
            told.messages,
            told.missing,
            () if session is None else await self._recent(facts, policy, key),
        )
        last_look = _LastLook(self.log, key)
        wanted = last_look if policy.enforce else always
        judged = await _while_waited_for(
            lambda: self.classifier.judge(question, timeout_s=max(0.0, _left(until)), wanted=wanted), gone
        )
        if last_look.failure is not None:
            raise last_look.failure
        if last_look.open:
            return None
        return Ruling(judged, policy.version, 0 if session is None else session.messages)

    async def _recent(self, facts: Facts, policy: Policy, session: SessionKey) -> tuple[PastCall, ...]:
        most = policy.guidance.recent_calls
        if not most:
            return ()
        own = facts.call.tool_use_id
        records = [
            record
            for record in await self.log.recent(session, most + 1)
            if own is None or record.tool_use_id != own  # this very call, asked about before
        ]
        calls = [self.form.recalled(record.request) for record in records[-most:]]
        tools = [
            policy.catalogue.resolve(call.tool_name, call.agent.host).called_with(call.tool_input) for call in calls
        ]
        return tuple(PastCall(tool, call.tool_input) for tool, call in zip(tools, calls, strict=True))


@dataclass(slots=True)
class _LastLook:
    """Whether a model is still to be asked: the session's breaker, as it is when the request could go out.

    What a prompt is made of takes reads of its own, and a first stage takes seconds; meanwhile other processes may have
    opened it. Where it can't be read it isn't closed.
    """

    log: DecisionLog
    session: SessionKey
    open: bool = False
    failure: StorageUnavailable | None = None

    async def __call__(self) -> bool:
        """See ``Wanted``."""
        try:
            known = await self.log.known(self.session, None)
        except StorageUnavailable as error:
            self.failure = error
            return False
        self.open = known.session is not None and known.session.breaker.open
        return not self.open


def untold(policy: Policy, reason: str) -> Ruling:
    """The ruling where no model could be asked."""
    return Ruling(Judged(Result.UNAVAILABLE, reason=reason), policy.version, 0)


async def _while_waited_for(judge: Callable[[], Coroutine[object, object, Judged]], gone: Gone) -> Judged:
    """Judge for as long as the caller waits; a verdict that has arrived by then counts."""
    leaving = asyncio.create_task(gone())
    await asyncio.sleep(0)  # one who left meanwhile is noticed before a model is asked
    tasks: list[asyncio.Task[Any]] = [leaving]
    try:
        if leaving.done():
            raise CallerGone
        judging = asyncio.create_task(judge())
        tasks.append(judging)
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if not judging.done():
            raise CallerGone
        return judging.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _left(until: float) -> float:
    return until - time.perf_counter()
