"""A policy's version: the hash of what it means. Comments, the order of entries and the names of files don't count.

What was made of a file's entries comes in tuples and sets, whose order says nothing. A list is one as it was written,
and its order does: of a program's operands, and of data that conditions read.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import date
from enum import Enum
from typing import TYPE_CHECKING, Any

from lineclear.core.conditions.condition import Condition
from lineclear.core.paths.pattern import PathPattern
from lineclear.core.rules.commands import CommandPattern
from lineclear.core.rules.domains import DomainPattern
from lineclear.core.rules.globs import Glob
from lineclear.core.rules.rule import Origin

if TYPE_CHECKING:
    from lineclear.core.call import JSON

FORMAT = 1
"""Counts up when the same files come to mean something else."""

_BY_TEXT = (CommandPattern, PathPattern, DomainPattern, Condition)


def version(content: Mapping[str, object]) -> str:
    """``sha256:`` and the hash of the canonical form of some content: values, mappings, dataclasses."""
    return "sha256:" + hashlib.sha256(canonical({"format": FORMAT, **content}).encode()).hexdigest()


def plain(value: object) -> JSON:
    """A value as JSON, without where it was written: what a version is the hash of."""
    return _canonical(value)


def described(sections: Iterable[JSON]) -> JSON:
    """Sections of descriptions (``programs``, ``tools``) as they were written, but for the order of their entries."""
    return _canonical(tuple(_unordered(section) for section in sections))


def canonical(content: Mapping[str, object]) -> str:
    """The canonical form of some content: equal where it means the same."""
    return _key(_mapping(content))


def _canonical(value: Any) -> JSON:
    if isinstance(value, Enum):
        return _canonical(value.value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, _BY_TEXT):
        return value.text
    if isinstance(value, Glob):
        return "*".join(value.pieces)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return _mapping(value)
    if dataclasses.is_dataclass(value):
        fields = ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))
        return {name: _canonical(one) for name, one in fields if not isinstance(one, Origin)}
    if isinstance(value, list):
        return [_canonical(one) for one in value]
    if isinstance(value, Iterable):
        return sorted((_canonical(one) for one in value), key=_key)
    raise TypeError(f"{type(value).__name__} has no canonical form")


def _unordered(section: JSON) -> object:
    if isinstance(section, Mapping):
        return {key: tuple(one) if isinstance(one, list) else one for key, one in section.items()}
    return tuple(section) if isinstance(section, list) else section


def _mapping(value: Mapping[Any, object]) -> dict[str, JSON]:
    return {str(key): _canonical(one) for key, one in value.items()}


def _key(value: JSON) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
