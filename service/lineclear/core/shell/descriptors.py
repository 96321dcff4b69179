"""Descriptors: a number before an arrow is none of the command's words, as far as bash and zsh agree on it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lineclear.core.shell.scan import Unreadable

if TYPE_CHECKING:
    from tree_sitter import Node

_DIGITS = frozenset("0123456789")
_VARIABLE = re.compile(r"\{[A-Za-z_][A-Za-z0-9_]*(?:\[.*\])?\}", re.DOTALL)
_BEFORE = frozenset(" \t\n;&|()<>")


def before_arrow(text: str, start: int, end: int) -> bool:
    """Whether the word between two offsets is the descriptor of the arrow behind it.

    Raises ``Unreadable`` where the number is continued on another line, where bash or zsh alone takes it for one
    (``11<a``, ``1&>a``), and for a variable into which a shell puts such a number (``{x}>a``).
    """
    arrow = end
    while text.startswith("\\\n", arrow):
        arrow += 2
    both = text.startswith("&>", arrow)
    if not both and text[arrow : arrow + 1] not in {"<", ">"}:
        return False
    word = text[start:arrow].replace("\\\n", "")
    if word in _DIGITS and arrow - start == 1 and not both:
        return True
    if word.isdigit() or _VARIABLE.fullmatch(word):
        raise Unreadable
    return False


def is_descriptor(text: str, node: Node) -> bool:
    """Whether what the grammar takes for one is one: it also takes the end of another word, and longer numbers."""
    start = node.start_byte
    return text[start : node.end_byte] in _DIGITS and (start == 0 or text[start - 1] in _BEFORE)
