"""Starting with a thousand rules: how long until calls are taken, and what memory that takes."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING, Any

from benchmarks.service import serving
from benchmarks.speed import workload
from benchmarks.speed.cells import resident_mib
from benchmarks.speed.growth import database_url

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.service import Service

RULES = 1000
_SECRET = "a-secret-of-the-benchmark"


def measured(folder: Path, cpus: frozenset[int], beside: Service, repeats: int) -> dict[str, Any]:
    """Seconds until ready: at a database that runs (that of another service), and with one of its own that is made."""
    policies = workload.policies(folder / "thousand", RULES)
    at_server, alone, memory = [], [], []
    for _ in range(repeats):
        begun = time.perf_counter()
        with serving(policies=policies, cpus=cpus, database_url=database_url(beside), secret=_SECRET) as service:
            at_server.append(time.perf_counter() - begun)
            memory.append(resident_mib(service.pid))
        begun = time.perf_counter()
        with serving(policies=policies, cpus=cpus):
            alone.append(time.perf_counter() - begun)
    return {
        "rules": RULES,
        "at_a_server_s": round(statistics.median(at_server), 2),
        "with_a_new_database_s": round(statistics.median(alone), 2),
        "memory_mib": statistics.median(memory),
    }
