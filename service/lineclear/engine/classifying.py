"""Asking the classifier: each call in its turn, within its deadline, with nothing but what a model may know."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lineclear.engine.classify import Judged, PastCall, Question, Result
from lineclear.engine.conversation import Told
from lineclear.engine.errors import CallerGone
from lineclear.engine.leases import leased
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

    async def ask(self, facts: Facts, policy: Policy, session: Session | None, until: float, gone: Gone) -> Ruling:
        """Have a call judged. Raises ``CallerGone``, and then the model's server has been told."""
        key = None if session is None else session.key
        told = Told() if session is None or not session.messages else await self.conversation.told(session.key)
        question = Question(
            facts,
            policy.guidance.meant_for(facts.call),
            told.messages,
            told.missing,
            await self._recent(facts, policy, key),
        )
        judged = await _while_waited_for(
            lambda: self.classifier.judge(question, timeout_s=max(0.0, _left(until))), gone
        )
        return Ruling(judged, policy.version, 0 if session is None else session.messages)

    async def _recent(self, facts: Facts, policy: Policy, session: SessionKey | None) -> tuple[PastCall, ...]:
        most = policy.guidance.recent_calls
        if session is None or not most:
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
