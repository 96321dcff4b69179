"""The classifier's port: what a model is asked about a call that no rule decides, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from lineclear.core.call import JSON
    from lineclear.core.facts import Facts
    from lineclear.core.messages import UserMessage
    from lineclear.core.prose import Guidance
    from lineclear.core.tools import Tool

    Wanted = Callable[[], Awaitable[bool]]
    """Whether a model is still to be asked. It never raises."""

NOT_WANTED = "no model was to be asked any more"
"""Why there is no verdict where ``Wanted`` says no."""


class Stage(StrEnum):
    """Which of the two models is asked."""

    FAST = "fast"
    THINKING = "thinking"


class StageOutcome(StrEnum):
    """How one stage ended; the closed list that metrics count by."""

    ALLOW = "allow"
    BLOCK = "block"
    UNSURE = "unsure"
    REFUSED = "refused"
    CUT_OFF = "cut_off"
    UNPARSABLE = "unparsable"
    TIMED_OUT = "timed_out"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Result(StrEnum):
    """What the classifier says of a call. Everything but ``ALLOW`` and ``BLOCK`` is no verdict."""

    ALLOW = "allow"
    BLOCK = "block"
    UNAVAILABLE = "unavailable"
    """An outage: no model could be asked, or none answered in time."""
    UNSURE = "unsure"
    """The models answered, and no verdict was in it; or the call can't be shown to one as it is."""


class State(StrEnum):
    """How the classifier does, for readiness and metrics."""

    NOT_CONFIGURED = "not_configured"
    OK = "ok"
    DEGRADED = "degraded"


@dataclass(frozen=True, slots=True)
class PastCall:
    """An earlier call of the session, from the service's own records."""

    tool: Tool
    tool_input: JSON


@dataclass(frozen=True, slots=True)
class Question:
    """Everything that a model may learn of a call; what isn't here can't influence it.

    ``messages`` are the session's user messages in order, already filtered by ``core.messages``; ``missing`` is how
    many of them behind the first were left out already, so that no consent counts. ``recent`` are the session's latest
    calls, oldest first; of them at most ``guidance.recent_calls`` are shown.
    """

    facts: Facts
    guidance: Guidance
    messages: tuple[UserMessage, ...] = ()
    missing: int = 0
    recent: tuple[PastCall, ...] = ()


@dataclass(frozen=True, slots=True)
class StageReport:
    """One stage that ran: how it ended, how long it took, what it cost in tokens.

    ``input_tokens`` counts all of the input; ``cache_read_tokens`` and ``cache_write_tokens`` are parts of it, which
    the API bills at other prices. ``detail`` says in words what went wrong, None where nothing did.
    """

    stage: Stage
    outcome: StageOutcome
    model: str
    duration_ms: float
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """What the classifier made of a call.

    ``stage`` is the one that settled it, None where none was asked. ``rule`` is the id that a block rests on, always
    one of the policy's, and ``hard`` whether nothing clears that rule. ``reason`` is for people: what a model wrote,
    cleaned and cut, or why there is no verdict; it is never shown to a model.
    """

    result: Result
    stage: Stage | None = None
    rule: str | None = None
    hard: bool = False
    reason: str | None = None
    stages: tuple[StageReport, ...] = ()


async def always() -> bool:
    """A model is wanted, whatever happens."""
    return True


class Classifier(Protocol):
    """The port. ``judge`` never raises but for cancellation: what goes wrong is a ``Judged`` without a verdict."""

    @property
    def state(self) -> State:
        """How it does now."""

    async def judge(self, question: Question, *, timeout_s: float, wanted: Wanted = always) -> Judged:
        """Judge one call within ``timeout_s`` seconds. Cancelling it cancels the call upstream.

        ``wanted`` is awaited right before each request to a model, where the caller awaits too; once it says no, none
        is sent, and there is no verdict. Never cached: each call is judged.
        """


class Watcher(Protocol):
    """Who watches the classifier: the port of telemetry. Methods return at once and never raise.

    They may be called from another thread than the one that decides.
    """

    def stage_began(self, stage: Stage) -> None:
        """A stage is in flight."""

    def stage_ended(self, report: StageReport) -> None:
        """A stage that was in flight has ended, a cancelled one too."""

    def state_changed(self, state: State) -> None:
        """The classifier does better or worse than before."""


class Unwatched:
    """The watcher that watches nothing, for the command line and tests."""

    def stage_began(self, stage: Stage) -> None:
        """Nothing."""

    def stage_ended(self, report: StageReport) -> None:
        """Nothing."""

    def state_changed(self, state: State) -> None:
        """Nothing."""
