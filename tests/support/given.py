"""Inputs that aren't part of the project, for tests that are skipped without them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from benchmarks import given

if TYPE_CHECKING:
    from pathlib import Path


def cases() -> Path:
    """The folder of given decision cases; the test is skipped without it."""
    return _there(given.cases(), "LINECLEAR_CASES")


def corpora() -> Path:
    """The folder of corpora; the test is skipped without it."""
    return _there(given.corpora(), "LINECLEAR_CORPORA")


def _there(folder: Path, setting: str) -> Path:
    if not folder.is_dir():
        pytest.skip(f"no folder `{folder}`; set {setting}", allow_module_level=True)
    return folder
