"""Input schemas as a model is shown them, made of what the catalogue knows of a tool's arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lineclear.core.pointers import steps
from lineclear.core.tools import Use

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lineclear.core.tools import Argument

_OPEN = frozenset({Use.DATA, Use.PROSE})
_COMMAND = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}


def input_schema(arguments: Iterable[Argument]) -> dict[str, Any]:
    """A JSON Schema (2020-12) of a tool's input. Arguments that aren't listed are neither named nor forbidden."""
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    for argument in arguments:
        at = schema
        path = steps(argument.pointer)
        for step, following in zip(path, [*path[1:], None], strict=True):
            at = _child(at, step, required=argument.required)
            if following is not None:
                at.setdefault("type", "array" if following == "*" else "object")
        if argument.use is Use.COMMAND:
            at |= _COMMAND
        elif argument.use not in _OPEN:
            at["type"] = "string"
    return schema


def _child(schema: dict[str, Any], step: str, *, required: bool) -> dict[str, Any]:
    if step == "*":
        items: dict[str, Any] = schema.setdefault("items", {})
        return items
    properties: dict[str, dict[str, Any]] = schema.setdefault("properties", {})
    if required and step not in schema.setdefault("required", []):
        schema["required"].append(step)
    return properties.setdefault(step, {})
