"""The Messages API through the ``anthropic`` package, which only this module imports, and only once it is needed.

No retries (the deadline is ours), no redirects (nothing goes to a place that nobody configured), the key passed
explicitly (no profile of a developer is picked up).
"""

from __future__ import annotations

import asyncio
import importlib
import json
from typing import TYPE_CHECKING, Any

from lineclear.classifier.capabilities import capabilities_of
from lineclear.classifier.config import ConfigError, Provider
from lineclear.classifier.reply import Health, Reply, read
from lineclear.engine.classify import StageOutcome

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

    from lineclear.classifier.capabilities import Capabilities, Plan
    from lineclear.classifier.config import ClassifierConfig
    from lineclear.classifier.request import Prompt

CONNECT_S = 3.0
"""Seconds to reach the server."""
START_S = 5.0
"""Seconds that reading a model's capabilities may take at start."""
_CACHED = {"type": "ephemeral"}
_FAULTS_OF_THE_REQUEST = frozenset({400, 413, 422})
"""Statuses that say nothing of how the server does: this request was at fault."""


class MessagesAPI:
    """A client of the SDK, for one event loop. Making one raises ``ConfigError``."""

    def __init__(self, config: ClassifierConfig) -> None:
        try:
            self._sdk: Any = importlib.import_module("anthropic")
            self._client = self._open(config)
        except ImportError as error:
            raise ConfigError(f"classifier: the package `{error.name}` is missing; install it") from None
        except ConfigError:
            raise
        except ValueError as error:
            raise ConfigError(f"classifier: no client for `{config.provider}`: {error}") from None
        self._official = config.base_url is None and config.provider is Provider.MESSAGES_API

    async def close(self) -> None:
        """Close its connections."""
        await self._client.close()

    async def capabilities(self, model: str) -> tuple[Capabilities | None, str | None]:
        """What the API tells of a model, or None and a warning; raises ``ConfigError`` for a model that isn't there."""
        if not hasattr(self._client, "models"):
            return None, None
        try:
            async with asyncio.timeout(START_S):
                raw = await self._client.models.with_raw_response.retrieve(model)
            known = capabilities_of(json.loads(raw.http_response.content))
        except self._sdk.NotFoundError:
            if self._official:
                raise ConfigError(f"classifier: the API has no model `{model}`; set one that it has") from None
            return None, f"the server tells nothing of model `{model}`; plain requests are sent"
        except self._sdk.APIStatusError as error:
            return None, f"the capabilities of model `{model}` can't be read: status {error.status_code}"
        except (self._sdk.APIError, TimeoutError, ValueError) as error:
            return None, f"the capabilities of model `{model}` can't be read: {type(error).__name__}"
        if known is not None and known.lifecycle == "deprecated":
            return known, f"model `{model}` is deprecated"
        return known, None

    async def ask(self, plan: Plan, prompt: Prompt, schema: dict[str, object], *, timeout_s: float) -> Reply:
        """Ask once. Never raises but for cancellation, which cancels the request upstream.

        The SDK gets the stage's own time limit, since it tells it to the server: the request's bytes must not depend
        on how much of the caller's time is left.
        """
        try:
            async with asyncio.timeout(min(timeout_s, plan.timeout_s)):
                raw = await self._client.messages.with_raw_response.create(
                    **_request(plan, prompt, schema), timeout=self._limits(plan.timeout_s)
                )
            return read(raw.http_response.content)
        except (TimeoutError, self._sdk.APITimeoutError):
            early = timeout_s < plan.timeout_s
            health = Health.UNKNOWN if early else Health.FAILING
            return Reply(fault=StageOutcome.TIMED_OUT, detail=_too_slow(plan, early=early), health=health)
        except self._sdk.APIStatusError as error:
            health = Health.UNKNOWN if error.status_code in _FAULTS_OF_THE_REQUEST else Health.FAILING
            return _failed(f"the server answered {error.status_code}", health)
        except self._sdk.APIConnectionError:
            return _failed("the server can't be reached, or broke off", Health.FAILING)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong in a library is no verdict, and no crash
            return _failed(f"the request failed: {type(error).__name__}", Health.UNKNOWN)

    def _open(self, config: ClassifierConfig) -> AsyncAnthropic:
        shared: dict[str, Any] = {
            "max_retries": 0,
            "open_telemetry": False,
            "http_client": self._sdk.DefaultAsyncHttpxClient(follow_redirects=False),
        }
        if config.base_url is not None:
            shared["base_url"] = config.base_url
        match config.provider:
            case Provider.MESSAGES_API:
                if not config.api_key:
                    raise ConfigError("classifier: no key; set `classifier.api_key`")
                client = self._sdk.AsyncAnthropic(api_key=config.api_key, **shared)
            case Provider.BEDROCK:
                client = self._sdk.AsyncAnthropicBedrock(api_key=config.api_key, **shared)
            case Provider.VERTEX:
                client = self._sdk.AsyncAnthropicVertex(access_token=config.api_key, **shared)
        return client  # type: ignore[no-any-return]  # the three share the interface that is used here

    def _limits(self, total_s: float) -> Any:
        return self._sdk.Timeout(total_s, connect=min(CONNECT_S, total_s))


def _request(plan: Plan, prompt: Prompt, schema: dict[str, object]) -> dict[str, Any]:
    """The parameters of one request: the prefix marked for caching, then the call."""
    request: dict[str, Any] = {
        "model": plan.model,
        "max_tokens": plan.max_tokens,
        "system": [{"type": "text", "text": prompt.system, "cache_control": _CACHED}],
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": prompt.session, "cache_control": _CACHED},
                    {"type": "text", "text": prompt.for_stage(plan.stage)},
                ],
            }
        ],
    }
    if plan.thinking is not None:
        request["thinking"] = dict(plan.thinking)
    output: dict[str, Any] = {} if plan.effort is None else {"effort": plan.effort}
    if plan.structured:
        output["format"] = {"type": "json_schema", "schema": schema}
    if output:
        request["output_config"] = output
    return request


def _failed(detail: str, health: Health) -> Reply:
    return Reply(fault=StageOutcome.FAILED, detail=detail, health=health)


def _too_slow(plan: Plan, *, early: bool) -> str:
    return "the caller's deadline passed" if early else f"no answer within {plan.timeout_s:g} s"
