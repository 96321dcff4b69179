"""YAML 1.2 to nodes: one document a file, every key once, nothing that hides what a reader of the file would see.

Merge keys, custom tags, more than 100 aliases and files over 1 MiB are errors: no file can be small to look at and
large to read.
"""

from __future__ import annotations

import re
from math import isinf
from typing import TYPE_CHECKING, Any

from yaml import CSafeLoader, MarkedYAMLError, YAMLError, parse
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)
from yaml.reader import ReaderError

from lineclear.policyfiles.node import Node
from lineclear.policyfiles.problems import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lineclear.policyfiles.node import Scalar

MAX_BYTES = 1024 * 1024
MAX_ALIASES = 100
MAX_NODES = 200_000
"""Nodes of one file, those counted again that an alias repeats."""

_MAX_DEPTH = 50
_CORE = "tag:yaml.org,2002:"
_NULL = re.compile(r"~|null|Null|NULL|")
_BOOL = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")


def read(data: bytes | str) -> Node | None:
    """The one document of a file, None where it is empty. Raises ``Fault``."""
    documents = read_all(data)
    if len(documents) > 1:
        second = documents[1]
        line, column = (second.line, second.column) if second is not None else (1, 1)
        raise Fault(line, column, "a second document begins here; a policy file holds one, so split it into files")
    return documents[0] if documents else None


def read_all(data: bytes | str) -> list[Node | None]:
    """All documents of a file. Raises ``Fault``."""
    raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    refuse_size(len(raw))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise Fault(line, 1, "the file isn't UTF-8; save it so") from error
    try:
        return _Builder(parse(text, Loader=CSafeLoader)).documents()
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise Fault(line, column, f"not YAML: {_told(error, text, line, column)}") from error
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        told = f"the control character {error.character!r} stands on this line; remove it"
        raise Fault(line, 1, f"not YAML: {told}") from error
    except (YAMLError, RecursionError, ValueError) as error:
        if isinstance(error, Fault):
            raise
        raise Fault(1, 1, f"not YAML: {' '.join(str(error).split())}") from error


def _told(error: MarkedYAMLError, text: str, line: int, column: int) -> str:
    """What is wrong in words; the parser's own are no help where a tab indents."""
    lines = text.split("\n")
    if line <= len(lines) and lines[line - 1][column - 1 : column] == "\t":
        return "a tab can't indent; use spaces"
    return " ".join(str(error.problem or error.context).split()) + "; correct it, or quote the text"


def refuse_size(size: int) -> None:
    """Raise ``Fault`` for a file of so many bytes, if that is too much."""
    if size > MAX_BYTES:
        raise Fault(1, 1, f"the file has {size} bytes, more than {MAX_BYTES}; split it")


class _Builder:
    """Makes nodes out of a parser's events."""

    def __init__(self, events: Iterator[Any]) -> None:
        self._events = events
        self._anchors: dict[str, tuple[Node, int]] = {}
        self._aliases = 0
        self._size = 0

    def documents(self) -> list[Node | None]:
        found: list[Node | None] = []
        for event in self._events:
            if isinstance(event, DocumentStartEvent):
                self._anchors.clear()
                found.append(self._document())
            elif not isinstance(event, StreamStartEvent | StreamEndEvent | DocumentEndEvent):
                raise _at(event, "not YAML: a value stands outside of any document")
        return found

    def _document(self) -> Node | None:
        node = self._node(next(self._events), 0)
        return None if node.value is None else node

    def _node(self, event: Any, depth: int) -> Node:
        if depth > _MAX_DEPTH:
            raise _at(event, f"nested more than {_MAX_DEPTH} deep; no policy needs that")
        if isinstance(event, AliasEvent):
            return self._alias(event)
        before = self._size
        self._count(1, event)
        if isinstance(event, ScalarEvent):
            node = _node(event, _scalar(event))
        elif isinstance(event, SequenceStartEvent):
            _no_tag(event, "seq")
            node = _node(event, tuple(self._elements(depth)))
        else:
            _no_tag(event, "map")
            node = self._mapping(event, depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = (node, self._size - before)
        return node

    def _elements(self, depth: int) -> Iterator[Node]:
        for event in self._events:
            if isinstance(event, SequenceEndEvent):
                return
            yield self._node(event, depth + 1)

    def _mapping(self, start: Any, depth: int) -> Node:
        values: dict[str, Node] = {}
        places: dict[str, tuple[int, int]] = {}
        for event in self._events:
            if isinstance(event, MappingEndEvent):
                break
            key = self._key(event, places)
            places[key] = _place(event)
            values[key] = self._node(next(self._events), depth + 1)
        line, column = _place(start)
        return Node(values, line, column, places)

    def _key(self, event: Any, seen: Mapping[str, tuple[int, int]]) -> str:
        if not isinstance(event, ScalarEvent):
            raise _at(event, "a key must be a plain text")
        key = str(event.value)
        if key == "<<" and not event.style:
            raise _at(event, "the merge key `<<` isn't taken; write the keys out")
        _scalar(event)
        if key in seen:
            raise _at(event, f"`{key}` stands here a second time, first on line {seen[key][0]}; keep one of them")
        return key

    def _alias(self, event: Any) -> Node:
        self._aliases += 1
        if self._aliases > MAX_ALIASES:
            raise _at(event, f"more than {MAX_ALIASES} aliases; write the values out")
        if event.anchor not in self._anchors:
            raise _at(event, f"the alias `*{event.anchor}` has no anchor before it")
        node, size = self._anchors[event.anchor]
        self._count(size, event)
        line, column = _place(event)
        return Node(node.value, line, column, node.keys)

    def _count(self, more: int, event: Any) -> None:
        self._size += more
        if self._size > MAX_NODES:
            raise _at(event, f"more than {MAX_NODES} values with what the aliases repeat; split the file")


def _scalar(event: Any) -> Scalar:
    text = str(event.value)
    if event.tag is not None and event.tag != "!":
        if event.tag == _CORE + "str":
            return text
        raise _at(event, f"the tag `{event.tag.removeprefix(_CORE)}` isn't taken; write the plain value")
    if event.style or event.tag == "!":
        return text
    if _NULL.fullmatch(text):
        return None
    if _BOOL.fullmatch(text):
        return text.lower() == "true"
    if _INT.fullmatch(text):
        if len(text) > 20:  # noqa: PLR2004 - no whole number of 64 bits is longer
            raise _at(event, f"the number `{text[:20]}…` is too long; quote it if it is a text")
        return int(text, 0) if text[:2] in {"0o", "0x"} else int(text)
    if _FLOAT.fullmatch(text):
        number = float(text)
        if isinf(number):  # which JSON has no word for: no call could ever hold it
            raise _at(event, f"the number `{text[:20]}` is too large; quote it if it is a text")
        return number
    return text


def _no_tag(event: Any, kind: str) -> None:
    if event.tag not in {None, _CORE + kind}:
        raise _at(event, f"the tag `{event.tag.removeprefix(_CORE)}` isn't taken; write the plain value")


def _node(event: Any, value: Scalar | tuple[Node, ...]) -> Node:
    line, column = _place(event)
    return Node(value, line, column)


def _place(event: Any) -> tuple[int, int]:
    return event.start_mark.line + 1, event.start_mark.column + 1


def _at(event: Any, message: str) -> Fault:
    line, column = _place(event)
    return Fault(line, column, message)
