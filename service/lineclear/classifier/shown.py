"""Which arguments of a call a model sees: all that take effect, none in which the agent speaks of its own call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lineclear.core.pointers import steps
from lineclear.core.tools import Source, Use

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lineclear.core.call import JSON
    from lineclear.core.tools import Tool

_ABSENT = object()
_Path = tuple[str, ...]


def shown(tool: Tool, tool_input: JSON) -> JSON:
    """The input without its prose and, where the catalogue lists all arguments, without what it doesn't list.

    A tool of a server or of nobody has no list to go by: everything but known prose stays, since hiding an argument
    that takes effect would be worse than showing one that pleads.
    """
    prose = tuple(tuple(steps(item.pointer)) for item in tool.arguments if item.use is Use.PROSE)
    listed: Iterable[_Path] = ((),)
    if tool.source is Source.BUILTIN and tool.arguments:
        pointers = [item.pointer for item in tool.arguments if item.use is not Use.PROSE]
        pointers += [] if tool.unsandboxed is None else [tool.unsandboxed]
        listed = [tuple(steps(pointer)) for pointer in pointers]
    kept = _kept(tool_input, (), tuple(listed), prose)
    return {} if kept is _ABSENT else kept  # type: ignore[return-value]  # the sentinel is no JSON


def _kept(value: JSON, at: _Path, listed: tuple[_Path, ...], prose: tuple[_Path, ...]) -> object:
    if any(_leads_to(path, at) for path in prose):
        return _ABSENT
    inside = any(len(path) <= len(at) and _leads_to(path, at[: len(path)]) for path in listed)
    above = any(len(path) > len(at) and _leads_to(path[: len(at)], at) for path in listed)
    if not inside and not above:
        return _ABSENT
    if isinstance(value, Mapping):
        children = ((key, _kept(child, (*at, key), listed, prose)) for key, child in value.items())
        return {key: child for key, child in children if child is not _ABSENT}
    if isinstance(value, list | tuple):
        items = (_kept(child, (*at, str(index)), listed, prose) for index, child in enumerate(value))
        return [item for item in items if item is not _ABSENT]
    return value


def _leads_to(path: _Path, at: _Path) -> bool:
    return len(path) == len(at) and all(step in {"*", name} for step, name in zip(path, at, strict=True))
