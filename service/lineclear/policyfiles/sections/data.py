"""``data``: static maps of the organisation, which conditions read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.conditions.cost import MAX_ELEMENTS
from lineclear.policyfiles.layered import merged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lineclear.core.call import JSON
    from lineclear.policyfiles.node import Node
    from lineclear.policyfiles.problems import Problems
    from lineclear.policyfiles.sources import Source


def data(sources: Sequence[Source], problems: Problems) -> Mapping[str, JSON]:
    """The maps of all files by name."""
    names = [name for source in sources for name in _names(source)]
    found = {}
    for name, setting in merged(sources, "data", names, problems).items():
        with problems.of(setting.source.file):
            _check(setting.node, f"`data.{name}`")
            found[name] = setting.node.plain()
    return found


def _names(source: Source) -> tuple[str, ...]:
    section = source.entries.get("data")
    return tuple(section.keys) if section is not None and section.keys is not None else ()


def _check(node: Node, what: str) -> None:
    """A condition isn't evaluated on more: it would fail at every call, which only a look at the file can tell."""
    children = node.children()
    if len(children) > MAX_ELEMENTS:
        raise node.fault(f"{what} has {len(children)} elements, and conditions take {MAX_ELEMENTS}; split it")
    for child in children:
        _check(child, what)
