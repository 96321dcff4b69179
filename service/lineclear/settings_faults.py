"""What is wrong with a setting: where it was set, and the form that it takes; never the value, which may be secret."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pydantic_core import ErrorDetails

_UNKNOWN = "extra_forbidden"
_NEAR = 0.6
_BOUNDS = {"minimum": "of at least", "exclusiveMinimum": "above", "maximum": "of at most"}
_FORMATS = {"path": "a path", "password": "a text"}


class SettingsError(Exception):
    """The settings can't be used; the text names each one that is wrong and never holds a value."""


def told(faults: Iterable[ErrorDetails], schema: Mapping[str, Any], place: Callable[[str, str], str]) -> str:
    """All faults in one line, by the settings' own JSON schema.

    ``place`` spells a setting's dotted name as it is written where another one was set.
    """
    return "; ".join(dict.fromkeys(_told(fault, schema, place) for fault in faults))


def _told(fault: ErrorDetails, schema: Mapping[str, Any], place: Callable[[str, str], str]) -> str:
    steps, field, around = [], dict(schema), dict(schema)
    for step in fault["loc"]:
        inner = _resolved(field, schema).get("properties", {}).get(step)
        if inner is None and fault["type"] != _UNKNOWN:  # an element of a list: the setting is the list
            break
        steps.append(str(step))
        around, field = field, inner or {}
    name = ".".join(steps)
    if fault["type"] != _UNKNOWN:
        return f"{place(name, name)} must be {_form(_resolved(field, schema))}"
    *group, wrong = steps
    near = get_close_matches(wrong.lower(), _resolved(around, schema).get("properties", {}), 1, _NEAR)
    meant = f"; did you mean {place('.'.join([*group, *near]), name)}?" if near else ""
    return f"there is no setting {place(name, name)}{meant}"


def _resolved(field: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """A field's own form: what it refers to, and of one that may be unset what it is where it is set."""
    if "$ref" in field:
        return _resolved(schema["$defs"][field["$ref"].rpartition("/")[2]], schema)
    if "anyOf" in field:
        return {**_resolved(next(one for one in field["anyOf"] if one.get("type") != "null"), schema), **_about(field)}
    return dict(field)


def _about(field: Mapping[str, Any]) -> dict[str, Any]:
    return {key: field[key] for key in ("examples",) if key in field}


def _form(field: Mapping[str, Any]) -> str:
    like = "".join(f", like `{example}`" for example in field.get("examples", ())[:1])
    if "enum" in field:
        return _either([f"`{value}`" for value in field["enum"]])
    match field.get("type"):
        case "integer" | "number" as kind:
            return ("a whole number" if kind == "integer" else "a number") + _bounds(field)
        case "array":
            return f"names, separated by commas{like}"
        case "object":
            return "a table of settings"
    least = f" of at least {field['minLength']} characters" if "minLength" in field else ""
    return _FORMATS.get(field.get("format", ""), "a text") + least + like


def _bounds(field: Mapping[str, Any]) -> str:
    if {"minimum", "maximum"} <= field.keys():
        return f" from {field['minimum']:g} to {field['maximum']:g}"
    told = [f" {words} {field[key]:g}" for key, words in _BOUNDS.items() if key in field]
    return " and".join(told)


def _either(values: Sequence[str]) -> str:
    return f"{', '.join(values[:-1])} or {values[-1]}" if len(values) > 1 else values[0]
