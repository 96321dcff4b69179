"""YAML files as plain values, read as policies are: 1.2, every key once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lineclear.policyfiles.yaml import read

if TYPE_CHECKING:
    from pathlib import Path


def document(path: Path) -> Any:
    """What a file holds."""
    node = read(path.read_bytes())
    assert node is not None, path
    return node.plain()
