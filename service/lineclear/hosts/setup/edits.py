"""Adding entries to a JSON text and taking them out again: nothing else in it changes by a byte."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lineclear.hosts.setup import making
from lineclear.hosts.setup.tree import Node, Unfit, after_filling, parse, plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lineclear.core.call import JSON


def added(text: str, entries: Mapping[tuple[str, ...], JSON], extra: Mapping[str, JSON] | None = None) -> str:
    """The text with one entry at the end of the list at each path, in place of one of ours that is there already.

    ``extra`` are members of the document itself that must be there; one that is there stays as it is.
    Raises ``Unfit``.
    """
    text = text if text.strip("\ufeff \t\r\n") else "{}\n"
    for key, value in (extra or {}).items():
        root = _object(parse(text), ())
        if root.child(key) is None:
            text = _with_child(text, root, key, value)
    for path, entry in entries.items():
        text = _with_entry(text, path, entry)
    return text


def removed(text: str, keys: Sequence[tuple[str, ...]]) -> str:
    """The text without our entries in the lists at the paths, and without lists and objects that this leaves empty."""
    for path in keys:
        while found := [place for places in _ours(text, path) for place in places]:
            text = _without_child(text, *found[-1])
            for depth in range(len(path), 0, -1):
                nodes = _walk(parse(text), path[:depth])
                if len(nodes) == depth + 1 and not nodes[-1].children:
                    keys_of = nodes[-2].keys or ()
                    text = _without_child(text, nodes[-2], keys_of.index(path[depth - 1]))
                else:
                    break
    return text


def entries_of_ours(text: str, keys: Sequence[tuple[str, ...]]) -> int:
    """How many of the lists at the paths hold an entry of ours."""
    return sum(any(_ours(text, path)) for path in keys)


def _with_entry(text: str, path: tuple[str, ...], entry: JSON) -> str:
    items, grouped = _ours(text, path)
    while spare := [*items[1:], *grouped]:
        text = _without_child(text, *spare[-1])
        items, grouped = _ours(text, path)
    for parent, index in items:
        node = parent.children[index]
        if json.loads(json.dumps(entry)) == plain(node):
            return text
        indent = _indent_at(text, node.start)
        return text[: node.start] + _rendered(entry, text, indent) + text[node.end :]
    nodes = _walk(parse(text), path)
    missing = path[len(nodes) - 1 :]
    last = nodes[-1]
    if not missing:
        if last.keys is not None or last.value != []:
            raise Unfit(f"`{'.'.join(path)}` is no list; mend it, or use --print and add the entries by hand")
        return _with_child(text, last, None, entry)
    value: JSON = [entry]
    for key in reversed(missing[1:]):
        value = {key: value}
    return _with_child(text, _object(last, path[: len(nodes) - 1]), missing[0], value)


_Places = list[tuple[Node, int]]
"""Each as parent and index."""


def _ours(text: str, path: tuple[str, ...]) -> tuple[_Places, _Places]:
    """Where ours are in the list at a path: as items of it, and in a group into which somebody has put others too."""
    nodes = _walk(parse(text), path)
    found, items, grouped = nodes[-1], _Places(), _Places()
    if len(nodes) != len(path) + 1 or found.keys is not None:
        return items, grouped
    for index, item in enumerate(found.children):
        group = item.child("hooks")
        if making.entry(plain(item)):
            items.append((found, index))
        elif group is not None and group.keys is None:
            grouped += [(group, at) for at, hook in enumerate(group.children) if making.entry(plain(hook))]
    return items, grouped


def _walk(root: Node, path: tuple[str, ...]) -> list[Node]:
    """The nodes along a path, as far as it is there."""
    nodes = [root]
    for key in path:
        child = nodes[-1].child(key)
        if child is None:
            break
        nodes.append(child)
    return nodes


def _object(node: Node, path: tuple[str, ...]) -> Node:
    if node.keys is None:
        where = f"`{'.'.join(path)}`" if path else "the document"
        raise Unfit(f"{where} is no object; mend it, or use --print and add the entries by hand")
    return node


def _with_child(text: str, parent: Node, key: str | None, value: JSON) -> str:
    """The text with a child more at the end of an object or list; comments behind the last one stay behind it."""
    outer = _indent_at(text, parent.start)
    inner = _indent_at(text, parent.starts[-1]) if parent.children else outer + _unit(text)
    if inner == outer:
        inner = outer + _unit(text)
    line = _newline(text)
    named = "" if key is None else json.dumps(key) + ": "
    new = line + inner + named + _rendered(value, text, inner)
    closing = parent.end - 1
    kept = text[:closing].rstrip(" \t")
    kept = kept.removesuffix("\n").removesuffix("\r") if kept.endswith("\n") else text[:closing]
    if parent.children:
        end = parent.children[-1].end
        behind = after_filling(text, end)
        if text[behind : behind + 1] == ",":
            new += ","
        else:
            kept = kept[:end] + "," + kept[end:]
    return kept + new + line + outer + text[closing:]


def _without_child(text: str, parent: Node, index: int) -> str:
    """The text without a child, the space before it, and the comma that stood between it and a neighbour."""
    start, end = parent.starts[index], parent.children[index].end
    comma = after_filling(text, end)
    trailing = text[comma : comma + 1] == ","
    head, tail = text[:start].rstrip(" \t\r\n"), text[comma + 1 :] if trailing else text[end:]
    if index == len(parent.children) - 1 and index > 0 and not trailing:
        before = after_filling(text, parent.children[index - 1].end)
        head = head[:before] + head[before + 1 :]
    if len(parent.children) == 1 and len(head) == parent.start + 1:
        tail = tail.lstrip(" \t\r\n")
    elif "//" in head.rpartition("\n")[2] and not tail.lstrip(" \t\r").startswith("\n"):
        tail = _newline(text) + tail  # a comment ends with its line, and must not swallow what follows
    return head + tail


def _rendered(value: JSON, text: str, indent: str) -> str:
    lines = json.dumps(value, indent=_unit(text), ensure_ascii=False).split("\n")
    return (_newline(text) + indent).join(lines)


def _indent_at(text: str, at: int) -> str:
    """The white space with which the line of a place begins."""
    begin = text.rfind("\n", 0, at) + 1
    line = text[begin:at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """One step of indentation, as the document has it."""
    for line in text.split("\n")[1:]:
        stripped = line.lstrip(" \t")
        if stripped[:1] == '"':
            return line[: len(line) - len(stripped)] or "  "
    return "  "


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
