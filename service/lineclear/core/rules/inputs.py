"""What an argument of a call must hold: whole values, by their JSON type.

For deny and ask rules one element of an array is enough; for allow rules every element must fit, and there must be one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from lineclear.core.pointers import steps
from lineclear.core.rules.globs import Glob
from lineclear.core.tools import Use

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.core.call import JSON
    from lineclear.core.tools import Tool

Wanted: TypeAlias = "Glob | bool | int | float | None"
"""A string as a pattern, a number or boolean as itself, None for absent or null."""


class _Absent:
    """Stands where a pointer leads nowhere."""


_ABSENT = _Absent()


@dataclass(frozen=True, slots=True)
class InputMatcher:
    """One key of a rule's ``input``.

    ``path`` are the steps of its pointer; ``wanted`` are values of which any may be there. ``absent`` says that a
    missing key matches too.
    """

    key: str
    path: tuple[str, ...]
    wanted: tuple[Wanted, ...]
    absent: bool = False

    @staticmethod
    def of(key: str, wanted: Sequence[Wanted], *, absent: bool = False) -> InputMatcher:
        """A matcher of a JSON pointer (beginning with ``/``) or of a top-level key."""
        path = tuple(steps(key)) if key.startswith("/") else (key,)
        return InputMatcher(key, path, tuple(wanted), absent)

    def holds(self, tool: Tool, tool_input: Mapping[str, JSON], *, strict: bool) -> bool:
        """Whether the input holds what is wanted; ``strict`` for allow rules."""
        del tool
        return self._at(tool_input, self.path, strict=strict)

    def _at(self, value: JSON | _Absent, path: tuple[str, ...], *, strict: bool) -> bool:
        if isinstance(value, list | tuple) and not (path and path[0].isdigit()):
            if strict and not value:
                return False
            found = (self._at(element, path, strict=strict) for element in value)
            return all(found) if strict else any(found) or (not value and self._fits(_ABSENT, strict=strict))
        if not path:
            return self._fits(value, strict=strict)
        step, *rest = path
        return self._at(_child(value, step), tuple(rest), strict=strict)

    def _fits(self, value: JSON | _Absent, *, strict: bool) -> bool:
        if isinstance(value, _Absent):
            return None in self.wanted or (self.absent and not strict)
        return any(_fits(wanted, value, strict=strict) for wanted in self.wanted)


@dataclass(frozen=True, slots=True)
class NameMatcher:
    """The name of an agent type or a skill, wherever the tool takes it.

    ``more`` says that the name may be followed by arguments; without it an allow rule covers only a call without any.
    """

    use: Use
    name: Glob
    more: bool = False

    def holds(self, tool: Tool, tool_input: Mapping[str, JSON], *, strict: bool) -> bool:
        """Whether the call names it; ``strict`` for allow rules."""
        pointers = [argument.pointer for argument in tool.arguments if argument.use is self.use]
        given = [
            (pointer, value) for pointer in pointers for value in [_value(tool_input, pointer)] if value is not None
        ]
        if not strict:
            return any(isinstance(value, str) and self._names(value, more=True) for _, value in given)
        if len(given) != 1 or not isinstance(given[0][1], str):
            return False
        return self._names(given[0][1], more=self.more) and (self.more or self._alone(tool_input, given[0][0]))

    def _names(self, value: str, *, more: bool) -> bool:
        name, _, arguments = value.strip().partition(" ")
        if self.use is not Use.SKILL_NAME:
            return self.name.matches(value.strip())
        return self.name.matches(name.removeprefix("/")) and (more or not arguments)

    def _alone(self, tool_input: Mapping[str, JSON], pointer: str) -> bool:
        if self.use is not Use.SKILL_NAME:
            return True
        return not any(value for key, value in tool_input.items() if key != steps(pointer)[0])


def _value(tool_input: Mapping[str, JSON], pointer: str) -> JSON:
    value: JSON | _Absent = tool_input
    for step in steps(pointer):
        value = _child(value, step)
    return None if isinstance(value, _Absent) else value


def _child(value: JSON | _Absent, step: str) -> JSON | _Absent:
    if isinstance(value, Mapping):
        return value.get(step, _ABSENT)
    if isinstance(value, list | tuple) and step.isdigit() and int(step) < len(value):
        child: JSON = value[int(step)]
        return child
    return _ABSENT


def _fits(wanted: Wanted, value: JSON, *, strict: bool) -> bool:
    if wanted is None:
        return value is None
    if isinstance(wanted, Glob):
        if wanted.everything:
            return not (strict and value is None)
        return isinstance(value, str) and wanted.matches(value)
    if isinstance(wanted, bool) or isinstance(value, bool):
        return wanted is value
    return isinstance(value, int | float) and wanted == value
