"""A failure is logged by its type and its place; its text may quote what a caller sent, and stays out."""

from __future__ import annotations

import traceback
from pathlib import Path

_INNERMOST = 12


def described(error: BaseException) -> dict[str, object]:
    """Fields for a log line: the type of the failure and of its causes, and the innermost frames."""
    chain: list[str] = []
    seen: BaseException | None = error
    while seen is not None and len(chain) < _INNERMOST:
        chain.append(type(seen).__qualname__)
        seen = seen.__cause__ or seen.__context__
    frames = traceback.extract_tb(error.__traceback__)[-_INNERMOST:]
    return {
        "error": chain[0],
        "causes": chain[1:],
        "frames": [f"{_short(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames],
    }


def _short(filename: str) -> str:
    return "/".join(Path(filename).parts[-3:])
