"""The shipped catalogues, read as plainly as can be: what reads them for the service is tested elsewhere."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from lineclear.core.catalogue import Catalogue, entry, host_names
from support.documents import document

FOLDER = Path(__file__).parents[2] / "policies" / "builtin" / "catalogues"


@cache
def documents() -> dict[str, dict[str, Any]]:
    """Each file's content by its name without the ending."""
    return {path.stem: document(path) for path in sorted(FOLDER.glob("*.yaml"))}


def entries():
    return [entry(tool, document["host"]) for document in documents().values() for tool in document["tools"]]


def hosts():
    return [host_names(document) for document in documents().values()]


@cache
def shipped() -> Catalogue:
    return Catalogue.of(entries(), hosts=hosts())


def shipped_with(**more: Any) -> Catalogue:
    return Catalogue.of(entries(), hosts=hosts(), **more)
