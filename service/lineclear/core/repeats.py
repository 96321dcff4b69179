"""When two calls are the same to a model that denied one of them: same words, same directory, same effects.

Blanks between words don't count, nor does what the agent says about its own call. An agent that changes anything else
is judged anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lineclear.core.canonical import canonical
from lineclear.core.pointers import steps
from lineclear.core.tools import Use

if TYPE_CHECKING:
    from lineclear.core.call import JSON
    from lineclear.core.facts import Facts

_Path = tuple[str, ...]


def repeat_key(facts: Facts) -> str:
    """What tells such calls apart: SHA-256, hex."""
    tool, effects = facts.tool, facts.effects
    prose = tuple(tuple(steps(argument.pointer)) for argument in tool.arguments if argument.use is Use.PROSE)
    value: JSON = {
        "tool": [tool.source, tool.host, tool.name],
        "words": _words(facts.call.tool_input, (), prose),
        "cwd": facts.call.environment.cwd,
        "commands": [[command.text.split(), command.cwd] for command in effects.commands],
        "touches": [
            [None if touch.place is None else touch.place.views, touch.spelled, touch.deed, touch.recursive]
            for touch in effects.touches
        ],
        "hosts": [host.url for host in effects.hosts],
        "doubt": effects.doubt,
    }
    return hashlib.sha256(canonical(value)).hexdigest()


def _words(value: JSON, at: _Path, prose: tuple[_Path, ...]) -> JSON:
    """The input with each text as its words, without what stands at the pointers of prose."""
    if isinstance(value, str):
        return value.split()
    if isinstance(value, Mapping):
        return {key: _words(child, (*at, key), prose) for key, child in value.items() if not _is((*at, key), prose)}
    if isinstance(value, list | tuple):
        return [_words(child, (*at, str(n)), prose) for n, child in enumerate(value) if not _is((*at, str(n)), prose)]
    return value


def _is(at: _Path, prose: tuple[_Path, ...]) -> bool:
    return any(
        len(path) == len(at) and all(step in {"*", name} for step, name in zip(path, at, strict=True)) for path in prose
    )
