"""A recorded call as it is shown among others: which tool, and the first of its input; redacted like the record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from lineclear.core.call import JSON
    from lineclear.engine.log import Record

SAMPLES = 3
"""So many calls are shown of a kind."""
_MOST_SHOWN = 300


def sample(record: Record) -> dict[str, JSON]:
    """The call of a record."""
    request = cast("dict[str, Any]", record.request)
    shown = " ".join(str(value) for value in request["tool_input"].values())
    return {
        "decision_id": str(record.id),
        "tool": record.tool_name,
        "input": shown if len(shown) <= _MOST_SHOWN else shown[:_MOST_SHOWN] + "…",
    }
