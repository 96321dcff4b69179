"""A JSON text as a tree that knows where each part stands; comments and trailing commas are read past, as hosts do."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

_SPACE = " \t\r\n"
_ENDS = frozenset(_SPACE + ",:]}/")
MAX_DEPTH = 64


class Unfit(ValueError):
    """A text that can't be edited; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Node:
    """A value from ``start`` to ``end``; ``keys`` names the children of an object, and is None for everything else."""

    start: int
    end: int
    value: object = None
    children: tuple[Node, ...] = ()
    keys: tuple[str, ...] | None = None
    starts: tuple[int, ...] = field(default=())
    """Where each child begins, its key included."""

    def child(self, key: str) -> Node | None:
        """A member of an object."""
        return self.children[self.keys.index(key)] if self.keys is not None and key in self.keys else None


def parse(text: str) -> Node:
    """The tree of a text. Raises ``Unfit``."""
    reader = _Reader(text)
    at = reader.skipped(1 if text.startswith("\ufeff") else 0)
    node = reader.value(at, 0)
    if reader.skipped(node.end) != len(text):
        raise reader.unfit("something follows the document", node.end)
    return node


def plain(node: Node) -> object:
    """The value of a node."""
    if node.keys is not None:
        return dict(zip(node.keys, map(plain, node.children), strict=True))
    return [plain(child) for child in node.children] if node.value == [] else node.value


def after_filling(text: str, at: int) -> int:
    """Where the next token begins: white space and comments are skipped."""
    return _Reader(text).skipped(at)


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text

    def value(self, at: int, depth: int) -> Node:
        first = self._text[at : at + 1]
        if depth > MAX_DEPTH:
            raise self.unfit("it is nested too deeply", at)
        if first == "{":
            return self._object(at, depth)
        if first == "[":
            return self._array(at, depth)
        end = self._string_end(at) if first == '"' else self._word_end(at)
        try:
            return Node(at, end, json.loads(self._text[at:end]))
        except ValueError:
            raise self.unfit("it is no JSON", at) from None

    def _object(self, at: int, depth: int) -> Node:
        keys: list[str] = []
        starts: list[int] = []
        children: list[Node] = []
        here = self.skipped(at + 1)
        while self._text[here : here + 1] != "}":
            end = self._string_end(here)
            key = json.loads(self._text[here:end])
            if key in keys:
                raise self.unfit(f"the key `{key}` stands there twice", here)
            keys.append(key)
            starts.append(here)
            colon = self.skipped(end)
            if self._text[colon : colon + 1] != ":":
                raise self.unfit("it is no JSON", colon)
            children.append(self.value(self.skipped(colon + 1), depth + 1))
            here = self._after_item(children[-1].end, "}")
        return Node(at, here + 1, None, tuple(children), tuple(keys), tuple(starts))

    def _array(self, at: int, depth: int) -> Node:
        children: list[Node] = []
        here = self.skipped(at + 1)
        while self._text[here : here + 1] != "]":
            children.append(self.value(here, depth + 1))
            here = self._after_item(children[-1].end, "]")
        return Node(at, here + 1, [], tuple(children), None, tuple(child.start for child in children))

    def _after_item(self, at: int, closing: str) -> int:
        here = self.skipped(at)
        found = self._text[here : here + 1]
        if found == ",":
            return self.skipped(here + 1)
        if found != closing:
            raise self.unfit("it is no JSON", here)
        return here

    def _string_end(self, at: int) -> int:
        here = at + 1
        while self._text[at : at + 1] == '"' and here < len(self._text):
            if self._text[here] == '"':
                return here + 1
            here += 2 if self._text[here] == "\\" else 1
        raise self.unfit("it is no JSON", at)

    def _word_end(self, at: int) -> int:
        end = at
        while end < len(self._text) and self._text[end] not in _ENDS:
            end += 1
        return end

    def skipped(self, at: int) -> int:
        while at < len(self._text):
            if self._text[at] in _SPACE:
                at += 1
            elif self._text.startswith("//", at):
                at = (self._text.find("\n", at) + 1) or len(self._text)
            elif self._text.startswith("/*", at):
                end = self._text.find("*/", at)
                if end < 0:
                    raise self.unfit("a comment has no end", at)
                at = end + 2
            else:
                break
        return at

    def unfit(self, what: str, at: int) -> Unfit:
        line = self._text.count("\n", 0, at) + 1
        return Unfit(f"line {line}: {what}; mend it, or use --print and add the entries by hand")
