"""Where inputs lie that aren't part of the project: a setting says it, for all that measures and tests with them."""

from __future__ import annotations

import os
from pathlib import Path

_BESIDE = Path(__file__).parents[2] / "shared"


def corpora() -> Path:
    """The folder of corpora: the setting ``LINECLEAR_CORPORA``; unset, one beside the checkout. It may be missing."""
    return _named("LINECLEAR_CORPORA", "corpora")


def cases() -> Path:
    """The folder of decision cases, likewise: ``LINECLEAR_CASES``."""
    return _named("LINECLEAR_CASES", "cases")


def _named(setting: str, beside: str) -> Path:
    return Path(os.environ.get(setting) or _BESIDE / beside)
