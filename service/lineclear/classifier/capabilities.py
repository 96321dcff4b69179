"""What a model can do, as the API tells it, and how each stage asks it: a stage that can't work is refused at start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lineclear.classifier.config import ConfigError, Structured, Thinking
from lineclear.engine.classify import Stage

if TYPE_CHECKING:
    from lineclear.classifier.config import StageConfig
    from lineclear.core.call import JSON

MIN_BUDGET = 1024
"""Smallest budget for thinking that the Messages API takes, in tokens."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What the API tells of a model (``GET /v1/models/{id}``)."""

    thinking: frozenset[str]
    """Values of ``thinking.type`` that it accepts."""
    efforts: frozenset[str]
    structured: bool
    max_tokens: int | None = None
    lifecycle: str = "active"


@dataclass(frozen=True, slots=True)
class Plan:
    """How one stage asks its model. ``thinking`` is the request's parameter, None to leave it out."""

    stage: Stage
    model: str
    max_tokens: int
    timeout_s: float
    thinking: Mapping[str, JSON] | None
    effort: str | None
    structured: bool


def capabilities_of(info: JSON) -> Capabilities | None:
    """Read a model's description; None where the server says nothing of capabilities."""
    if not isinstance(info, Mapping) or not isinstance(told := info.get("capabilities"), Mapping):
        return None
    most, lifecycle = info.get("max_tokens"), info.get("lifecycle")
    return Capabilities(
        thinking=_supported(told.get("thinking"), "types"),
        efforts=_supported(told.get("effort"), None),
        structured=_is_supported(told.get("structured_outputs")),
        max_tokens=most if isinstance(most, int) else None,
        lifecycle=lifecycle if isinstance(lifecycle, str) else "active",
    )


def planned(stage: Stage, config: StageConfig, known: Capabilities | None) -> Plan:
    """How a stage asks its model, with what is known of it; raises ``ConfigError`` where it can't work.

    Where nothing is known, the request is plain: the schema is not sent and no effort is named unless configured.
    """
    if known is not None and known.lifecycle == "retired":
        raise _refusal(stage, config, "is retired; set another model")
    if known is not None and known.max_tokens is not None and config.max_tokens > known.max_tokens:
        raise _refusal(stage, config, f"gives at most {known.max_tokens} tokens; lower `max_tokens`")
    match stage:
        case Stage.FAST:
            thinking, effort = _without_thinking(config, known), _least_effort(config, known)
        case Stage.THINKING:
            thinking, effort = _with_thinking(config, known), config.effort
    if known is not None and effort is not None and effort not in known.efforts:
        raise _refusal(stage, config, f"has no effort `{effort}`; set one of {', '.join(sorted(known.efforts)) or '-'}")
    if config.structured is Structured.ON and known is not None and not known.structured:
        raise _refusal(stage, config, "has no structured output; set `structured` to `auto` or `off`")
    offered = known is not None and known.structured
    structured = config.structured is Structured.ON or (config.structured is Structured.AUTO and offered)
    return Plan(stage, config.model, config.max_tokens, config.timeout_s, thinking, effort, structured)


def _without_thinking(config: StageConfig, known: Capabilities | None) -> Mapping[str, JSON] | None:
    if config.thinking is Thinking.OMITTED:
        return None
    if config.thinking is not Thinking.AUTO:
        raise _refusal(Stage.FAST, config, "can't think in this stage; set `thinking` to `auto`")
    if known is None or "disabled" in known.thinking:
        return {"type": "disabled"}
    if "between_tools" in known.thinking:
        return {"type": "between_tools"}
    raise _refusal(Stage.FAST, config, "can't be told not to think; set a model whose thinking can be turned off")


def _with_thinking(config: StageConfig, known: Capabilities | None) -> Mapping[str, JSON] | None:
    wish = config.thinking
    if wish is Thinking.OMITTED:
        return None
    if wish is not Thinking.BUDGET and (known is None or "adaptive" in known.thinking):
        return {"type": "adaptive"}
    if wish is not Thinking.ADAPTIVE and (known is None or "enabled" in known.thinking):
        if not MIN_BUDGET <= config.budget_tokens < config.max_tokens:
            raise _refusal(
                Stage.THINKING,
                config,
                f"needs a budget from {MIN_BUDGET} to below `max_tokens` ({config.max_tokens}), not "
                f"{config.budget_tokens}; set `budget_tokens`",
            )
        return {"type": "enabled", "budget_tokens": config.budget_tokens}
    raise _refusal(Stage.THINKING, config, f"has no thinking that `{wish}` could ask for; set another model")


def _least_effort(config: StageConfig, known: Capabilities | None) -> str | None:
    if config.effort is None and known is not None and "low" in known.efforts:
        return "low"
    return config.effort


def _refusal(stage: Stage, config: StageConfig, what: str) -> ConfigError:
    return ConfigError(f"classifier stage `{stage}`: model `{config.model}` {what}")


def _supported(told: JSON, under: str | None) -> frozenset[str]:
    """The names of what is supported in ``{"supported": …, name: {"supported": true}}``."""
    if isinstance(told, Mapping) and under is not None:
        told = told.get(under)
    if not isinstance(told, Mapping):
        return frozenset()
    return frozenset(name for name, value in told.items() if name != "supported" and _is_supported(value))


def _is_supported(value: JSON) -> bool:
    return isinstance(value, Mapping) and value.get("supported") is True
