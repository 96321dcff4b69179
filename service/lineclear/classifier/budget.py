"""What is left out where there is too much: each cut is marked, and long texts are shortened before any is dropped."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.core.messages import UserMessage


@dataclass(frozen=True, slots=True)
class Fitting:
    """The messages that fit, in order. ``dropped`` were left out between the first and those that follow it."""

    messages: tuple[UserMessage, ...]
    dropped: int = 0


def fitting(messages: Sequence[UserMessage], *, total: int, each: int) -> Fitting:
    """The messages within ``total`` characters; where they don't fit, none keeps more than ``each``.

    The first and the latest survive; between them the oldest go first.
    """
    if _length(messages) <= total:
        return Fitting(tuple(messages))
    first, *later = (replace(message, text=shortened(message.text, each)) for message in messages)
    left = total - len(first.text)
    kept: list[UserMessage] = []
    for message in reversed(later):
        left -= len(message.text)
        if left < 0 and kept:
            break
        kept.append(message)
    return Fitting((first, *reversed(kept)), dropped=len(later) - len(kept))


def shortened(text: str, limit: int) -> str:
    """The two ends of a text that is longer than ``limit`` characters, and how many are missing between them."""
    if len(text) <= limit:
        return text
    head, tail = limit - limit // 2, limit // 2
    return f"{text[:head]}[… {len(text) - head - tail} characters cut …]{text[len(text) - tail :]}"


def latest(texts: Sequence[str], *, total: int) -> tuple[str, ...]:
    """The latest texts that fit into ``total`` characters together, in order."""
    kept: list[str] = []
    left = total
    for text in reversed(texts):
        left -= len(text)
        if left < 0:
            break
        kept.append(text)
    return tuple(reversed(kept))


def _length(messages: Sequence[UserMessage]) -> int:
    return sum(len(message.text) for message in messages)
