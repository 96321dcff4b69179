"""One grammar, and an allow-list of what it may find: any other kind of node is a doubt, never a guess."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import tree_sitter_bash
from tree_sitter import Language, Parser

if TYPE_CHECKING:
    from tree_sitter import Node

_LANGUAGE = Language(tree_sitter_bash.language())

_SHORT = 1_000
"""A text of so many characters is read quickly, whatever stands in it."""

_CHUNK = 64
_LOOKS = 8
"""How often the grammar may look at each chunk of a longer one. Two are usual."""

_NOT_PLAIN = re.compile(r"[^\t\n\x20-\x7e]")
_DASH = re.compile(r"(?<![^\s;&|()])(?<![<>]&)-(?=[^\s<>;&|()]*[ \t]*<<)")

HOLLOW = frozenset(
    {"command_substitution", "process_substitution", "expansion", "simple_expansion", "arithmetic_expansion"}
)
"""Kinds of node inside a word whose value isn't known before it runs."""

RESERVED = frozenset(
    [
        "!",
        "case",
        "coproc",
        "do",
        "done",
        "elif",
        "else",
        "end",
        "esac",
        "fi",
        "for",
        "foreach",
        "function",
        "if",
        "in",
        "nocorrect",
        "noglob",
        "repeat",
        "select",
        "then",
        "time",
        "until",
        "while",
        "{",
        "}",
        "[[",
        "]]",
    ]
) - {"time", "[["}
"""Words of the grammar of bash and zsh that, found as a program's name, show that a text was read wrongly."""

TOKENS = frozenset(
    kind
    for number in range(_LANGUAGE.node_kind_count)
    if (kind := _LANGUAGE.node_kind_for_id(number)) is not None and not _LANGUAGE.node_kind_is_named(number)
)
"""What the grammar itself is made of: a word that is one of them may mean more to it than a word."""


_TICKED = re.compile(r"`([\w ./+%:,=@~|$-]*)`", re.ASCII)
_NEIGHBOURS = re.compile(r"`\s+`")
_NOT_TICKED = re.compile(r"[\\'#]|<<")
"""Where a backquote may be none, or what stands between two is read in another way than between parentheses."""


def spelled_out(text: str) -> str:
    """The text with ``$(…)`` for backquotes where the grammar takes a closing and an opening one for a pair."""
    if "`" not in text or not _NEIGHBOURS.search(text) or _NOT_TICKED.search(text):
        return text
    other = _TICKED.sub(r"$(\1)", text)
    return text if "`" in other else other


def parse(text: str) -> Node | None:
    """The tree of a text, None if reading it would take too long. Offsets in it are those of the text's characters.

    What isn't printable ASCII is a letter to the shells, blank or not, so the grammar is given a letter for it; also
    for the dash of a word before a here-document, which it would pass over (``find . -delete<<E``, ``cat - <<E``).
    Where it doesn't understand a text it may look ahead to the end again and again: it is given so much and no more.
    """
    if "<<" in text:
        text = _DASH.sub("a", text)
    plain = (text if text.isascii() and text.isprintable() else _NOT_PLAIN.sub("_", text)).encode("ascii")
    if len(plain) <= _SHORT:
        return Parser(_LANGUAGE).parse(plain).root_node
    left = _LOOKS * (len(plain) // _CHUNK + 1)

    def read(offset: int, _point: object) -> bytes:
        nonlocal left
        left -= 1
        return plain[offset : offset + _CHUNK] if left > 0 else b""

    root = Parser(_LANGUAGE).parse(read).root_node
    return root if left > 0 else None


def hollows(node: Node, text: str) -> dict[int, Node]:
    """The outermost nodes in a word whose value isn't known, by where they begin.

    Behind another one in double quotes, the grammar counts the blanks before a node as its own (``"$a $b"``).
    """
    found: dict[int, Node] = {}
    stack = [node]
    while stack:
        current = stack.pop()
        if current.type in HOLLOW:
            start = current.start_byte
            while text[start] in " \t\n":
                start += 1
            found[start] = current
        else:
            stack.extend(current.children)
    return found


def substitutions(node: Node) -> list[Node]:
    """The outermost command and process substitutions below a node."""
    found: list[Node] = []
    stack = [node]
    while stack:
        current = stack.pop()
        if current.type in {"command_substitution", "process_substitution"}:
            found.append(current)
        else:
            stack.extend(reversed(current.children))
    return found
