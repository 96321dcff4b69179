"""Here-documents: where a body lies by the shell's own rule, whatever the grammar made of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lineclear.core.shell.grammar import hollows
from lineclear.core.shell.scan import Unreadable

if TYPE_CHECKING:
    from tree_sitter import Node

_DELIMITER = re.compile(r"(['\"]?)(\\?)([A-Za-z0-9_.+!-]+)\1")


@dataclass(slots=True)
class Heredoc:
    """A here-document, and what else stands on the line that opens it."""

    quoted: bool
    span: tuple[int, int]
    hollows: dict[int, Node]
    arguments: list[Node] = field(default_factory=list)
    redirects: list[Node] = field(default_factory=list)
    following: list[tuple[str, Node]] = field(default_factory=list)
    """What comes behind the command: operator and statement."""


def read_heredoc(text: str, node: Node) -> Heredoc:
    """Read a here-document. Raises ``Unreadable`` where the grammar's ends aren't the shell's."""
    arrow, start, *rest = node.children
    delimiter = _DELIMITER.fullmatch(text, start.start_byte, start.end_byte)
    line_end = text.find("\n", start.end_byte)
    if arrow.type != text[arrow.start_byte : arrow.end_byte]:  # the grammar has taken a word for a part of it
        raise Unreadable
    if delimiter is None or line_end < 0 or text[line_end - 1] == "\\" or "<<" in text[start.end_byte : line_end]:
        raise Unreadable
    body, end = rest[-2], rest[-1]
    if body.type != "heredoc_body" or end.type != "heredoc_end":
        raise Unreadable
    if (end.start_byte, end.end_byte) != _last_line(text, line_end + 1, delimiter[3], tabs=arrow.type == "<<-"):
        raise Unreadable
    quoted = bool(delimiter[1] or delimiter[2])
    stop = text.rfind("\n", 0, end.start_byte) + 1
    found = Heredoc(quoted, (line_end + 1, stop), {} if quoted else hollows(body, text))
    before = start.end_byte
    operator = ""
    for child in rest[:-2]:
        if child.end_byte > line_end or text[before : child.start_byte].strip(" \t"):
            raise Unreadable
        before = child.end_byte
        if child.type == "comment":
            continue
        if child.type == "pipeline" and not operator:
            found.following += _piped(child)
        elif child.type.endswith("_redirect"):
            found.redirects.append(child)
        elif not child.is_named and child.type in {"&&", "||"}:
            operator = child.type
        elif operator:
            found.following.append((operator, child))
            operator = ""
        elif not found.following and child.is_named:
            found.arguments.append(child)
        else:
            raise Unreadable
    if operator or text[before:line_end].strip(" \t"):
        raise Unreadable
    return found


def _piped(node: Node) -> list[tuple[str, Node]]:
    found: list[tuple[str, Node]] = []
    for child in node.children:
        if child.is_named:
            found.append(("|", child))
        elif child.type != "|":
            raise Unreadable
    return found


def _last_line(text: str, at: int, delimiter: str, *, tabs: bool) -> tuple[int, int]:
    """Where the line stands that ends the body: the offsets of the delimiter on it."""
    while at <= len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end]
        if (line.lstrip("\t") if tabs else line) == delimiter:
            return end - len(delimiter), end
        at = end + 1
    raise Unreadable
