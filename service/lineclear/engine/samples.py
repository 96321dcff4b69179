"""Recorded calls as they are shown among others: which tool, and the first of its input; redacted like the record."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from lineclear.core.call import JSON
    from lineclear.engine.log import Record

SAMPLES = 3
"""So many calls are shown of a kind."""
_MOST_SHOWN = 300


@dataclass(slots=True)
class Samples:
    """The first few calls of a kind that look different, and how often each of them came."""

    kept: dict[bytes, dict[str, JSON]] = field(default_factory=dict)
    counts: Counter[bytes] = field(default_factory=Counter)
    """Of all calls, by a digest of what is shown of them: what isn't kept here may be where this is joined to."""

    def add(self, shown: dict[str, JSON]) -> None:
        """Count a call, and keep it where there is room and none that looks like it."""
        looks = json.dumps({**shown, "decision_id": None}, sort_keys=True).encode("utf-8", "surrogatepass")
        self._keep(key := sha256(looks).digest(), shown)
        self.counts[key] += 1

    def join(self, other: Samples) -> None:
        """Count what came after these as well; the first that were kept stay."""
        for key, shown in other.kept.items():
            self._keep(key, shown)
        self.counts.update(other.counts)

    def _keep(self, key: bytes, shown: dict[str, JSON]) -> None:
        if len(self.kept) < SAMPLES:
            self.kept.setdefault(key, shown)

    def as_json(self) -> list[JSON]:
        """The calls kept, each with how many looked like it."""
        return [{**shown, "count": self.counts[key]} for key, shown in self.kept.items()]


def sample(record: Record) -> dict[str, JSON]:
    """The call of a record."""
    request = cast("dict[str, Any]", record.request)
    shown = " ".join(str(value) for value in request["tool_input"].values())
    return {
        "decision_id": str(record.id),
        "tool": record.tool_name,
        "input": shown if len(shown) <= _MOST_SHOWN else shown[:_MOST_SHOWN] + "…",
    }
