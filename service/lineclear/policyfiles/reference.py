"""The reference of policy files in Markdown, made of their published schema: what one says, the other does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Schema = Mapping[str, Any]

_HEAD = """\
# Reference of policy files

Every key that a file in `organisation/` or `teams/<name>/` may hold. [policies.md](policies.md) says what the forms
mean, with examples; this page is made of `policies/schema.json`, the schema that editors read, by
`lineclear policy schema --output markdown`. What a schema can't say (that a pattern is one command, that an id is
unique, that a condition compiles) `lineclear policy lint` says, with file, line and column.
"""
_PLAIN = {
    "string": "text",
    "boolean": "true or false",
    "integer": "whole number",
    "number": "number",
    "object": "mapping",
    "null": "null",
}
_LINKED = re.compile(r"docs/(\w+\.md)")
_MANY = 2


def reference(schema: Schema) -> str:
    """The page, sections first, then the parts that several of them are made of, then plain values."""
    parts: Mapping[str, Schema] = schema["$defs"]
    schema = dict(schema, properties={name: _told(one, parts) for name, one in schema["properties"].items()})
    parts = {name: _described(part, parts) for name, part in parts.items()}
    made = [name for name, part in parts.items() if "properties" in part]
    lines = [_HEAD, "## Sections", "", *_table(_rows(schema, "", deep=False), ("section", "value", "meaning"))]
    for name, section in schema["properties"].items():
        if rows := list(_rows(section, "")):
            lines += ["", f"## `{name}`", "", _LINKED.sub(r"[\1](\1)", section["description"]), "", *_table(rows)]
    lines += ["", "# Parts"]
    for name in made:
        lines += ["", f"## {_title(name)}", "", parts[name]["description"], "", *_table(_rows(parts[name], ""))]
    lines += ["", "# Values", "", "| value | form | meaning |", "| --- | --- | --- |"]
    for name, part in parts.items():
        if name not in made:
            lines.append(f"| <a id='{_anchor(name)}'></a>{_title(name)} | {_form(part)} | {part['description']} |")
    return "\n".join(lines) + "\n"


def _described(part: Schema, parts: Mapping[str, Schema]) -> Schema:
    """A part with its keys described, those too whose values say themselves what they are."""
    if "properties" not in part:
        return part
    return dict(part, properties={name: _told(one, parts) for name, one in part["properties"].items()})


def _told(node: Schema, parts: Mapping[str, Schema]) -> Schema:
    if "$ref" not in node or "description" in node:
        return node
    return dict(node, description=parts[node["$ref"].rpartition("/")[2]]["description"])


def _table(rows: Iterator[tuple[str, ...]] | list[tuple[str, ...]], head: tuple[str, ...] = ()) -> Iterator[str]:
    head = head or ("key", "value", "if left out", "meaning")
    yield "| " + " | ".join(head) + " |"
    yield "| " + " | ".join("---" for _ in head) + " |"
    for row in rows:
        yield "| " + " | ".join(row if len(head) == len(row) else (row[0], row[1], row[3])) + " |"


def _rows(node: Schema, prefix: str, *, deep: bool = True) -> Iterator[tuple[str, ...]]:
    """A row for each key of a mapping, and of the mappings in it that have no name of their own."""
    required = set(node.get("required", ()))
    for key, value in node.get("properties", {}).items():
        name = f"{prefix}{key}"
        default = f"`{_plain(value['default'])}`" if "default" in value else "**required**" if key in required else ""
        yield f"`{name}`", _form(value), default, _LINKED.sub(r"[\1](\1)", value["description"])
        if deep and "$ref" not in value:
            yield from _rows(value, f"{name}.")
    for inner, mark in ((node.get("items"), "[]"), (node.get("additionalProperties"), "<name>")):
        if deep and isinstance(inner, dict) and "$ref" not in inner:
            yield from _rows(inner, f"{prefix.removesuffix('.')}{'.' * (mark != '[]' and bool(prefix))}{mark}.")


def _form(node: Schema) -> str:
    """What a value looks like, in words."""
    if "$ref" in node:
        name = node["$ref"].rpartition("/")[2]
        return f"[{_title(name)}](#{_anchor(name)})"
    if "const" in node:
        return f"`{_plain(node['const'])}`"
    if "enum" in node:
        return ", ".join(f"`{_plain(one)}`" for one in node["enum"])
    if "anyOf" in node and "properties" not in node:
        return _either([_form(one) for one in node["anyOf"]])
    kind = node.get("type", "object")
    if isinstance(kind, list):
        return " or ".join(_PLAIN[one] for one in kind)
    if kind == "array":
        least = ", not empty" if node.get("minItems") else ""
        return f"list of {_form(node['items'])}{least}"
    if isinstance(node.get("additionalProperties"), dict):
        return f"mapping of names to {_form(node['additionalProperties'])}"
    bounds = f", {node['minimum']} or more" if "minimum" in node else ""
    bounds += f", at most {node['maxLength']} characters" if "maxLength" in node else ""
    return _PLAIN[kind] + bounds


def _either(forms: list[str]) -> str:
    if len(forms) == _MANY and forms[1].startswith(f"list of {forms[0]}"):
        return f"{forms[0]}, or a list of them"
    return ", or ".join(forms)


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _title(name: str) -> str:
    return name.replace("_", " ")


def _anchor(name: str) -> str:
    return name.replace("_", "-")
