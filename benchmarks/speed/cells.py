"""Contestants on one machine in one run, turn by turn, so that whatever else the machine does hits all of them."""

from __future__ import annotations

import os
import statistics
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from benchmarks.speed.echo import HOST
from benchmarks.speed.load import Load, Loaded, run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import ProcessPoolExecutor
    from contextlib import AbstractContextManager

    from benchmarks.speed.workload import Body

SATURATED = 0.95
"""Above this share of a processor the loader is what was measured."""
FIGURES = ("per_second", "p50_ms", "p99_ms", "server_cpu_us", "loader_cpu")


@dataclass(frozen=True, slots=True)
class Contestant:
    """Who is loaded, and with what; the name says both."""

    name: str
    pid: int
    port: int
    path: str
    bodies: Sequence[Body]
    key: str = "none"


Beside: TypeAlias = "Callable[[], AbstractContextManager[None]]"


class Failed(Exception):
    """A request wasn't answered with a decision, so that there is nothing to report."""


class Race:
    """A loader on processors of its own; ``seconds`` are those of each turn, with a quarter more to warm up."""

    def __init__(
        self, loader: ProcessPoolExecutor, cpus: frozenset[int], seconds: float, told: Callable[[str], None]
    ) -> None:
        self._loader = loader
        self._cpus = cpus
        self._seconds = seconds
        self._told = told
        self._number = 0

    def run(
        self, contestants: Sequence[Contestant], connections: int, repeats: int, beside: Beside | None = None
    ) -> dict[str, Any]:
        """Medians over turns, each turn, and the ratios of the first contestant to each other one.

        ``beside`` is what goes on during the first one's turns. Raises ``Failed``.
        """
        turns: list[dict[str, dict[str, float]]] = []
        for number in range(repeats):
            turn = {}
            for one in contestants:
                with beside() if beside is not None and one is contestants[0] else nullcontext():
                    turn[one.name] = self.turn(one, connections)
            turns.append(turn)
            figures = ", ".join(f"{name} {found['per_second']:.0f}/s" for name, found in turn.items())
            self._told(f"{connections} connections, {number + 1} of {repeats}: {figures}")
        first, *others = (one.name for one in contestants)
        return {
            "connections": connections,
            "medians": {
                one.name: {figure: _median([turn[one.name][figure] for turn in turns]) for figure in FIGURES}
                for one in contestants
            },
            "ratios": {
                other: {figure: _ratio(turns, first, other, figure) for figure in FIGURES if figure != "loader_cpu"}
                for other in others
            },
            "turns": turns,
        }

    @property
    def sent(self) -> int:
        """How many requests were sent in all turns."""
        return self._number

    @property
    def turn_s(self) -> float:
        """Seconds that a turn takes."""
        return self._seconds * 1.25

    def turn(self, contestant: Contestant, connections: int) -> dict[str, float]:
        """One turn. Raises ``Failed``."""
        load = Load(
            host=HOST,
            port=contestant.port,
            path=contestant.path,
            key=contestant.key,
            bodies=[*contestant.bodies],
            connections=connections,
            seconds=self._seconds,
            warm_up_s=self._seconds / 4,
            first=self._number,
            cpus=self._cpus,
        )
        before = cpu_s(contestant.pid)
        loaded: Loaded = self._loader.submit(run, load).result()
        used = cpu_s(contestant.pid) - before
        self._number += loaded.sent
        if loaded.failures or not loaded.answers:
            raise Failed(f"{loaded.failures} of {loaded.answers} requests of `{contestant.name}` got no 200")
        return {
            "per_second": round(loaded.per_second, 1),
            "p50_ms": round(loaded.percentile(0.5) * 1000, 3),
            "p99_ms": round(loaded.percentile(0.99) * 1000, 3),
            "server_cpu_us": round(used / loaded.sent * 1e6, 1),
            "loader_cpu": round(loaded.cpu, 2),
        }


def resident_mib(pid: int) -> float:
    """The memory of a process that is in use now, in MiB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 2**20, 1)


def cpu_s(pid: int) -> float:
    """Processor time that a process has used, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _ratio(turns: list[dict[str, dict[str, float]]], first: str, other: str, figure: str) -> float:
    return _median([turn[first][figure] / max(turn[other][figure], 1e-9) for turn in turns])


def _median(values: list[float]) -> float:
    return round(statistics.median(values), 4)
