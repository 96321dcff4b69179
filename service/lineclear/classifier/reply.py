"""What came back from the Messages API: the text of a clean answer, or why there is none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from lineclear.engine.classify import StageOutcome

if TYPE_CHECKING:
    from lineclear.core.call import JSON


class Health(Enum):
    """What a reply tells of the upstream."""

    WELL = "well"
    FAILING = "failing"
    UNKNOWN = "unknown"
    """The fault lies in this one request, or the caller's own deadline was too short."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer: either ``text``, or ``fault`` and ``detail`` in words. Tokens are as the API counts them."""

    text: str = ""
    fault: StageOutcome | None = None
    detail: str | None = None
    health: Health = Health.WELL
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


_SAYING_NOTHING = frozenset({"thinking", "redacted_thinking"})
_CUT_OFF = frozenset({"max_tokens", "model_context_window_exceeded"})
_MOST_TOKENS = 100_000_000


def read(content: bytes) -> Reply:
    """Read the body of an answer with status 200."""
    try:
        message = json.loads(content)
    except (ValueError, RecursionError):
        return _unparsable("the answer is no JSON")
    if not isinstance(message, Mapping):
        return _unparsable("the answer is no message")
    return _with_usage(_said(message), message.get("usage"))


def _said(message: Mapping[str, JSON]) -> Reply:
    reason = message.get("stop_reason")
    if reason == "refusal":
        return Reply(fault=StageOutcome.REFUSED, detail="the model refused to answer")
    if reason in _CUT_OFF:
        return Reply(fault=StageOutcome.CUT_OFF, detail=f"the answer was cut off: {reason}")
    if reason != "end_turn":
        return _unparsable("the model stopped for another reason than being done")
    blocks = message.get("content")
    texts: list[str] = []
    for block in blocks if isinstance(blocks, list) else ():
        kind, text = (block.get("type"), block.get("text")) if isinstance(block, Mapping) else (None, None)
        if kind == "text" and isinstance(text, str):
            texts.append(text)
        elif kind not in _SAYING_NOTHING:
            return _unparsable("the answer holds something other than text")
    text = "".join(texts).strip()
    return Reply(text=text) if text else _unparsable("the answer is empty")


def _unparsable(detail: str) -> Reply:
    return Reply(fault=StageOutcome.UNPARSABLE, detail=detail)


def _with_usage(reply: Reply, usage: JSON) -> Reply:
    told = usage if isinstance(usage, Mapping) else {}
    read, written = _count(told, "cache_read_input_tokens"), _count(told, "cache_creation_input_tokens")
    return replace(
        reply,
        input_tokens=_count(told, "input_tokens") + read + written,
        output_tokens=_count(told, "output_tokens"),
        cache_read_tokens=read,
        cache_write_tokens=written,
    )


def _count(told: Mapping[str, JSON], key: str) -> int:
    """A count of tokens; one that no model can have counted is none, and costs no verdict."""
    value = told.get(key)
    return value if type(value) is int and 0 < value <= _MOST_TOKENS else 0
