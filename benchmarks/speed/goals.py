"""What counts as fast enough: each goal beside what was measured, met or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmarks.speed import pure

if TYPE_CHECKING:
    from collections.abc import Iterator

ECHO, AUDITED, PLAIN = "echo", "Cerbos, local audit", "Cerbos, no audit"
ONE_SESSION, MODELS, ALONE = "one session", "with 64 model calls", "without"


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure, its unit, and the bound that it must keep: at least where ``more``, else at most."""

    name: str
    measured: float
    bound: float
    unit: str = "x"
    more: bool = False

    @property
    def met(self) -> bool:
        """Whether it was kept."""
        return self.measured >= self.bound if self.more else self.measured <= self.bound


def goals(result: dict[str, Any]) -> Iterator[Goal]:
    """The goals of what was measured; those of a peer only where it was there."""
    busy, single = result["cells"]["16 connections"], result["cells"]["1 connection"]
    inside = result["in_process"]
    yield Goal("16 connections: requests per second, by those of the echo", _rate(busy, ECHO), 0.14, more=True)
    yield Goal("the same, by processor time", 1 / busy["ratios"][ECHO]["server_cpu_us"], 0.14, more=True)
    if AUDITED in busy["ratios"]:
        yield Goal("16 connections: requests per second, by those of Cerbos", _rate(busy, AUDITED), 3, more=True)
        yield Goal("16 connections: p99, by that of Cerbos", busy["ratios"][AUDITED]["p99_ms"], 1)
    if PLAIN in single["ratios"]:
        yield Goal("1 connection: p50, by that of Cerbos without audit", single["ratios"][PLAIN]["p50_ms"], 1.5)
    yield Goal("one session: requests per second, by those of many", 1 / _rate(busy, ONE_SESSION), 0.8, more=True)
    waiting = result["cells"]["16 connections, models at work"]
    yield Goal("64 model calls in flight: p99, by that without", waiting["ratios"][ALONE]["p99_ms"], 2)
    yield Goal("judge a short command", inside["judge_us"][str(pure.FEW)], 100, "µs")
    yield Goal("100 to 10,000 rules: growth", inside["growth"], 1.5)
    yield Goal("analyse a short command (median)", inside["analysis_us"], 50, "µs")
    yield Goal("analyse a long command (median)", inside["analysis_long_us"], 500, "µs")
    yield Goal("the worst command of 10,000 characters", inside["worst"]["ms"], 20, "ms")
    yield Goal("start until ready, 1,000 rules", result["start"]["at_a_server_s"], 2, "s")
    yield Goal("memory, 1,000 rules, no model", result["start"]["memory_mib"], 150, "MiB")


def _rate(cell: dict[str, Any], other: str) -> float:
    ratio: float = cell["ratios"][other]["per_second"]
    return ratio
