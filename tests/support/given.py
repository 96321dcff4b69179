"""Where inputs that aren't part of the project lie: decision cases and corpora, named by two settings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_BESIDE = Path(__file__).parents[3] / "shared"


def cases() -> Path:
    """The folder of given decision cases; the test is skipped without it."""
    return _there("LINECLEAR_CASES", _BESIDE / "cases")


def corpora() -> Path:
    """The folder of corpora; the test is skipped without it."""
    return _there("LINECLEAR_CORPORA", _BESIDE / "corpora")


def _there(setting: str, beside: Path) -> Path:
    folder = Path(os.environ.get(setting, beside))
    if not folder.is_dir():
        pytest.skip(f"no folder {setting}={folder}", allow_module_level=True)
    return folder
