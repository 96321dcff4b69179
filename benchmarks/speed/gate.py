"""The gate: a change that makes decisions far slower beside the echo than the last result says doesn't pass."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmarks.speed.goals import ECHO

if TYPE_CHECKING:
    from pathlib import Path

KEPT = 0.5
"""The share of the last result's ratio that must be left: what noise takes on a busy machine is well within."""
_FIGURE = "server_cpu_us"


@dataclass(frozen=True, slots=True)
class Told:
    """Whether the gate is open, and why, for people."""

    passed: bool
    lines: tuple[str, ...]


def last(results: Path) -> dict[str, Any] | None:
    """The newest result in a folder; None where there is none. Looks (``quick-*``) aren't results."""
    files = sorted(results.glob("speed-*.json"))
    if not files:
        return None
    found: dict[str, Any] = json.loads(files[-1].read_text())
    return found


def compared(cell: dict[str, Any], result: dict[str, Any]) -> Told:
    """A cell of ours and the echo beside that of a result.

    By processor time, ours by the echo's: the clock says more about what else the machine does.
    """
    now = float(cell["ratios"][ECHO][_FIGURE])
    then = float(result["cells"]["16 connections"]["ratios"][ECHO][_FIGURE])
    passed = now * KEPT <= then
    figures = f"a decision takes {now:.1f} times the processor time of an echo; {then:.1f} in the last result"
    bound = f"the gate is {'open' if passed else 'shut'}: at most {then / KEPT:.1f} times"
    return Told(passed, (figures, bound))
