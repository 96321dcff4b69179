"""Two stages: a quick look that settles what is plain, a thorough one for the rest; anything unclean is no verdict."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from lineclear.classifier.circuit import Circuit
from lineclear.classifier.reply import Health, Reply
from lineclear.classifier.request import TooLong, prompt_of
from lineclear.classifier.verdicts import Verdict, parsed, schema
from lineclear.core.prose import FastBlock
from lineclear.core.redact import RedactionError
from lineclear.engine.classify import (
    NOT_WANTED,
    Judged,
    Result,
    Stage,
    StageOutcome,
    StageReport,
    State,
    Unwatched,
    always,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lineclear.classifier.capabilities import Plan
    from lineclear.classifier.config import ClassifierConfig
    from lineclear.classifier.request import Prompt
    from lineclear.core.prose import Guidance
    from lineclear.engine.classify import Question, Wanted, Watcher

_OUTAGES = frozenset({StageOutcome.FAILED, StageOutcome.TIMED_OUT})


class Upstream(Protocol):
    """Who is asked; ``messages_api`` is the one that ships."""

    async def ask(self, plan: Plan, prompt: Prompt, schema: dict[str, object], *, timeout_s: float) -> Reply:
        """Ask once, within ``timeout_s`` seconds. Never raises but for cancellation."""


@dataclass(slots=True)
class TwoStages:
    """The ``Classifier`` over an upstream; for one event loop."""

    upstream: Upstream
    plans: Mapping[Stage, Plan]
    config: ClassifierConfig
    watcher: Watcher = field(default_factory=Unwatched)
    clock: Callable[[], float] = time.monotonic
    _circuits: dict[str, Circuit] = field(init=False)

    def __post_init__(self) -> None:
        """One circuit for each model, since each can be overloaded by itself."""
        failures, rest_s = self.config.circuit_failures, self.config.circuit_rest_s
        self._circuits = {plan.model: Circuit(failures, rest_s) for plan in self.plans.values()}

    @property
    def state(self) -> State:
        """``DEGRADED`` while a model is left alone for failing."""
        return State.OK if all(circuit.closed for circuit in self._circuits.values()) else State.DEGRADED

    async def judge(self, question: Question, *, timeout_s: float, wanted: Wanted = always) -> Judged:
        """Judge one call; see the port."""
        until = self.clock() + timeout_s
        try:
            prompt = prompt_of(question, self.config.fence_key, self.config.limits)
        except (RedactionError, ValueError, RecursionError):
            return Judged(Result.UNSURE, reason="the call can't be put into words for a model")
        if isinstance(prompt, TooLong):
            reason = f"the call is too long to be shown to a model: {prompt.chars} characters, at most {prompt.limit}"
            return Judged(Result.UNSURE, reason=reason)
        if not await wanted():
            return Judged(Result.UNAVAILABLE, reason=NOT_WANTED)
        verdict, first = await self._look(Stage.FAST, prompt, question.guidance, until)
        if _settles(verdict, question.guidance):
            return _judged(prompt, question.guidance, verdict, (first,))
        if not await wanted():
            return Judged(Result.UNAVAILABLE, reason=NOT_WANTED, stages=(first,))
        verdict, second = await self._look(Stage.THINKING, prompt, question.guidance, until)
        return _judged(prompt, question.guidance, verdict, (first, second))

    async def _look(
        self, stage: Stage, prompt: Prompt, guidance: Guidance, until: float
    ) -> tuple[Verdict, StageReport]:
        """Ask one stage, and tell the circuit and the watcher how it went."""
        plan = self.plans[stage]
        begun = self.clock()
        self.watcher.stage_began(stage)
        ended = StageReport(stage, StageOutcome.CANCELLED, plan.model, 0.0)
        try:
            reply = await self._asked(plan, prompt, schema(stage, guidance), until - begun)
            verdict = Verdict(reply.fault) if reply.fault is not None else parsed(reply.text, stage, guidance)
            ended = replace(
                ended,
                outcome=verdict.outcome,
                input_tokens=reply.input_tokens,
                output_tokens=reply.output_tokens,
                cache_read_tokens=reply.cache_read_tokens,
                cache_write_tokens=reply.cache_write_tokens,
                detail=reply.detail or _detail(verdict),
            )
        finally:
            ended = replace(ended, duration_ms=(self.clock() - begun) * 1000)
            self.watcher.stage_ended(ended)
        return verdict, ended

    async def _asked(self, plan: Plan, prompt: Prompt, form: dict[str, object], left_s: float) -> Reply:
        if left_s <= 0:
            return Reply(fault=StageOutcome.TIMED_OUT, detail="the caller's deadline passed")
        circuit, before = self._circuits[plan.model], self.state
        leave = circuit.admit(self.clock())
        if leave is None:
            return Reply(
                fault=StageOutcome.FAILED, detail="the model has failed steadily and is left alone for a while"
            )
        try:
            reply = await self.upstream.ask(plan, prompt, form, timeout_s=left_s)
        except asyncio.CancelledError:
            circuit.abandoned(leave)
            raise
        match reply.health:
            case Health.WELL:
                circuit.succeeded(leave)
            case Health.FAILING:
                circuit.failed(leave, self.clock())
            case Health.UNKNOWN:
                circuit.abandoned(leave)
        if self.state is not before:
            self.watcher.state_changed(self.state)
        return reply


def _settles(verdict: Verdict, guidance: Guidance) -> bool:
    """Whether the fast stage's word is final; an outage is final too, since there is no verdict to be had."""
    match verdict.outcome:
        case StageOutcome.BLOCK:
            return guidance.fast_block is FastBlock.FINAL
        case outcome:
            return outcome is StageOutcome.ALLOW or outcome in _OUTAGES


def _judged(prompt: Prompt, guidance: Guidance, verdict: Verdict, stages: tuple[StageReport, ...]) -> Judged:
    last = stages[-1]
    match verdict.outcome:
        case StageOutcome.ALLOW if prompt.allowable:
            return Judged(Result.ALLOW, last.stage, stages=stages)
        case StageOutcome.ALLOW:
            reason = "a secret was taken out of the command, and what it hides can't be allowed unseen"
            return Judged(Result.UNSURE, last.stage, reason=reason, stages=stages)
        case StageOutcome.BLOCK if verdict.rule is not None:
            hard = guidance.is_hard(verdict.rule)
            return Judged(Result.BLOCK, last.stage, verdict.rule, hard, verdict.reason, stages)
        case outcome:
            result = Result.UNAVAILABLE if outcome in _OUTAGES else Result.UNSURE
            return Judged(result, last.stage, reason=last.detail, stages=stages)


def _detail(verdict: Verdict) -> str | None:
    return "the answer is no verdict" if verdict.outcome is StageOutcome.UNPARSABLE else None
