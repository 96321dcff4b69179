"""What the classifier needs to be told; read from the settings elsewhere, plain values here."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from lineclear.engine.classify import Stage

FAST_MODEL = "claude-haiku-5-5"
THINKING_MODEL = "claude-sonnet-5-5"


class Thinking(StrEnum):
    """How a stage's thinking is asked for."""

    AUTO = "auto"
    """As the model takes it: off for the fast stage; adaptive, else a budget, for the other."""
    ADAPTIVE = "adaptive"
    BUDGET = "budget"
    OMITTED = "omitted"
    """Not mentioned in the request, for servers that don't know the parameter."""


class Structured(StrEnum):
    """Whether the answer's schema is sent; the format stands in the instructions in any case."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


class Provider(StrEnum):
    """Whose client of the SDK is used."""

    MESSAGES_API = "messages_api"
    BEDROCK = "bedrock"
    VERTEX = "vertex"


class ConfigError(ValueError):
    """A stage can't work as it is configured; the text names the stage and says what to set."""


@dataclass(frozen=True, slots=True)
class StageConfig:
    """One stage. ``timeout_s`` bounds one attempt, in seconds; ``effort`` is a level that the model offers.

    ``budget_tokens`` counts in ``max_tokens`` and is used where thinking is asked for by a budget.
    """

    model: str
    max_tokens: int
    timeout_s: float
    thinking: Thinking = Thinking.AUTO
    effort: str | None = None
    budget_tokens: int = 2048
    structured: Structured = Structured.AUTO


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is shown to a model, in characters of JSON.

    A call over ``call`` is not shown at all. ``messages`` is for all user messages, ``message`` for one where they
    don't fit; ``recent`` is for all recent calls, ``recent_call`` for one of them.
    """

    call: int = 60_000
    messages: int = 24_000
    message: int = 2_000
    recent: int = 8_000
    recent_call: int = 1_000


@dataclass(frozen=True, slots=True)
class ClassifierConfig:
    """Everything. ``fence_key`` is 32 bytes derived from the deployment's secret, the same on all replicas.

    ``circuit_failures`` failures in a row let a model rest for ``circuit_rest_s`` seconds.
    """

    fence_key: bytes = field(repr=False)
    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    provider: Provider = Provider.MESSAGES_API
    fast: StageConfig = StageConfig(FAST_MODEL, max_tokens=64, timeout_s=6.0)
    thinking: StageConfig = StageConfig(THINKING_MODEL, max_tokens=4096, timeout_s=25.0)
    limits: Limits = Limits()
    circuit_failures: int = 5
    circuit_rest_s: float = 10.0

    def of(self, stage: Stage) -> StageConfig:
        """One stage's part."""
        match stage:
            case Stage.FAST:
                return self.fast
            case Stage.THINKING:
                return self.thinking
