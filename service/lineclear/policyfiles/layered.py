"""Settings that several files may make: a higher layer's counts, and two of one layer contradict each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lineclear.core.rules.rule import Layer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lineclear.policyfiles.node import Node
    from lineclear.policyfiles.problems import Problems
    from lineclear.policyfiles.sources import Source

_RANK = {layer: rank for rank, layer in enumerate(Layer)}


@dataclass(frozen=True, slots=True)
class Setting:
    """The value of a key, and the file in which it stands."""

    source: Source
    node: Node


def merged(sources: Iterable[Source], section: str, keys: Iterable[str], problems: Problems) -> Mapping[str, Setting]:
    """The keys of a section, each from the highest layer that sets it."""
    found: dict[str, Setting] = {}
    keys = tuple(keys)
    for source in _by_layer(sources):
        node = source.entries.get(section)
        if node is None:
            continue
        with problems.of(source.file):
            for key, value in node.mapping(keys, f"`{section}`").items():
                _put(found, f"{section}.{key}", key, Setting(source, value))
    return found


def single(sources: Iterable[Source], section: str, problems: Problems) -> Setting | None:
    """A section that is one value, from the highest layer that sets it."""
    found: dict[str, Setting] = {}
    for source in _by_layer(sources):
        if (node := source.entries.get(section)) is not None:
            with problems.of(source.file):
                _put(found, section, section, Setting(source, node))
    return found.get(section)


def _by_layer(sources: Iterable[Source]) -> list[Source]:
    return sorted(sources, key=lambda source: _RANK[source.layer])


def _put(found: dict[str, Setting], name: str, key: str, setting: Setting) -> None:
    earlier = found.get(key)
    if earlier is not None and earlier.source.layer is setting.source.layer:
        place = f"{earlier.source.file}:{earlier.node.line}"
        raise setting.node.fault(f"`{name}` is set here and in {place}; keep one of them")
    found[key] = setting
