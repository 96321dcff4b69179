"""Decisions per second beside a bare echo, turn by turn, so that whatever else the machine does hits both."""

from __future__ import annotations

import os
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.speed import workload
from benchmarks.speed.echo import HOST
from benchmarks.speed.load import Load, Loaded, run

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import ProcessPoolExecutor

    from benchmarks.service import Service

PATH = "/v1/decisions"
_SATURATED = 0.95
"""Above this share of a processor the loader is what was measured."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One combination that is measured: its name, how many connections, over how many sessions."""

    name: str
    connections: int
    sessions: int = workload.SESSIONS


CELLS = (Cell("16 connections", 16), Cell("1 connection", 1), Cell("16 connections, one session", 16, sessions=1))


class Failed(Exception):
    """A request wasn't answered with a decision, so that there is nothing to report."""


class Race:
    """The two servers and the loader; ``seconds`` and ``warm_up_s`` are those of each turn."""

    def __init__(
        self, loader: ProcessPoolExecutor, cpus: frozenset[int], service: Service, echo: tuple[int, int], seconds: float
    ) -> None:
        self._loader = loader
        self._cpus = cpus
        self._service = service
        self._echo_pid, self._echo_port = echo
        self._seconds = seconds
        self._number = 0

    def cell(self, cell: Cell, repeats: int, told: Callable[[str], None]) -> dict[str, Any]:
        """Medians over turns, and each turn. Raises ``Failed``."""
        turns = []
        for number in range(repeats):
            ours, echo = self._ours(cell), self._echo(cell)
            turns.append({"lineclear": ours, "echo": echo})
            told(f"{cell.name}, {number + 1} of {repeats}: {ours['per_second']:.0f}/s, echo {echo['per_second']:.0f}/s")
        names = ("per_second", "p50_ms", "p99_ms", "server_cpu_us")
        medians = {
            who: {name: _median([turn[who][name] for turn in turns]) for name in names} for who in ("lineclear", "echo")
        }
        return {
            **medians,
            "ratio": _median([turn["lineclear"]["per_second"] / turn["echo"]["per_second"] for turn in turns]),
            "ratio_of_processor_time": _median(
                [turn["echo"]["server_cpu_us"] / turn["lineclear"]["server_cpu_us"] for turn in turns]
            ),
            "loader_saturated": any(turn[who]["loader_cpu"] > _SATURATED for turn in turns for who in turn),
            "turns": turns,
        }

    def _ours(self, cell: Cell) -> dict[str, float]:
        return self._turn(cell, self._service.pid, self._service.port, self._service.key())

    def _echo(self, cell: Cell) -> dict[str, float]:
        return self._turn(cell, self._echo_pid, self._echo_port, self._service.key())

    def _turn(self, cell: Cell, pid: int, port: int, key: str) -> dict[str, float]:
        load = Load(
            host=HOST,
            port=port,
            path=PATH,
            key=key,
            bodies=workload.bodies(cell.sessions),
            connections=cell.connections,
            seconds=self._seconds,
            warm_up_s=self._seconds / 4,
            first=self._number,
            cpus=self._cpus,
        )
        before = _cpu_s(pid)
        loaded: Loaded = self._loader.submit(run, load).result()
        used = _cpu_s(pid) - before
        self._number += loaded.sent
        if loaded.failures or not loaded.answers:
            raise Failed(f"{loaded.failures} of {loaded.answers} requests got no 200 ({cell.name}, port {port})")
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


def _cpu_s(pid: int) -> float:
    """Processor time that a process has used, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _median(values: list[float]) -> float:
    return round(statistics.median(values), 4)
