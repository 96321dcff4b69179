"""The classifier, where one is configured; without a key there is none, and that is no failure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from lineclear.bootstrap.problem import CannotStart
from lineclear.classifier.config import ClassifierConfig, ConfigError, Provider, StageConfig, Structured, Thinking
from lineclear.classifier.worker import OffLoop
from lineclear.engine.classify import Stage, State
from lineclear.telemetry.models import Price

if TYPE_CHECKING:
    from lineclear.settings import Classifier
    from lineclear.settings import Stage as StageSettings
    from lineclear.telemetry.models import ModelMetrics


WHAT_TO_DO = "set LINECLEAR_CLASSIFIER__API_KEY or ANTHROPIC_API_KEY to have a model judge"
NOT_CONFIGURED = f"classifier not configured: auto mode asks a person about what no rule decides; {WHAT_TO_DO}"
DEGRADED = "classifier degraded: a model has failed steadily and is left alone for a while; auto mode asks a person"


async def opened_classifier(told: Classifier, fence_key: bytes, metrics: ModelMetrics) -> OffLoop | None:
    """Open the classifier that the settings name, None where they name none. Raises ``CannotStart``."""
    if not configured(told):
        return None
    metrics.prices = {
        stage: Price(one.input_usd or 0.0, one.output_usd or 0.0)
        for stage, one in ((Stage.FAST, told.fast), (Stage.THINKING, told.thinking))
    }
    try:
        classifier = await OffLoop.open(_config(told, fence_key), metrics)
    except ConfigError as error:
        raise CannotStart(str(error)) from None
    metrics.state_changed(classifier.state)
    return classifier


def configured(told: Classifier) -> bool:
    """Whether there is to be a classifier: a key is set, or a provider that finds its own."""
    return told.api_key is not None or told.provider != "messages_api"


def _config(told: Classifier, fence_key: bytes) -> ClassifierConfig:
    usual = ClassifierConfig(fence_key)
    return replace(
        usual,
        api_key=None if told.api_key is None else told.api_key.get_secret_value(),
        base_url=told.base_url,
        provider=Provider(told.provider),
        fast=_stage(usual.fast, told.fast),
        thinking=_stage(usual.thinking, told.thinking),
    )


def _stage(usual: StageConfig, told: StageSettings) -> StageConfig:
    return replace(
        usual,
        model=told.model or usual.model,
        timeout_s=told.timeout_s or usual.timeout_s,
        thinking=Thinking(told.thinking),
        effort=told.effort,
        budget_tokens=told.budget_tokens,
        structured=Structured(told.structured),
    )


class Doing:
    """How the classifier does, in words for readiness and the start."""

    def __init__(self, classifier: OffLoop | None, told: Classifier) -> None:
        self._classifier = classifier
        self._told = told

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is odd about it."""
        if self._classifier is None:
            return (NOT_CONFIGURED,)
        if self._classifier.state is State.DEGRADED:
            return (DEGRADED, *self._classifier.warnings)
        return self._classifier.warnings

    @property
    def line(self) -> str:
        """What it is, in a line."""
        if self._classifier is None:
            return f"off (auto mode will ask); {WHAT_TO_DO}"
        config = _config(self._told, b"")
        where = f" at {urlsplit(config.base_url).hostname}" if config.base_url else ""
        return f"{config.fast.model}, then {config.thinking.model}{where}"
