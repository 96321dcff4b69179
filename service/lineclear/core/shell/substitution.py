"""Substitutions: what stands in them runs in a shell of its own, and what it prints may be known to be names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lineclear.core.effects import Doubt
from lineclear.core.shell.scan import Found, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tree_sitter import Node

    from lineclear.core.shell.found import Handed
    from lineclear.core.shell.scope import Scope
    from lineclear.core.shell.simple import Redirect
    from lineclear.core.shell.walk import Walker

MAX_DEPTH = 24
"""How deep statements and substitutions may be nested."""

_TWICE = re.compile(r"\\[$`\\\"\n]")
"""A backslash that the shell takes away before it reads what stands between backquotes."""


def walk_substitutions(walker: Walker, nodes: Iterable[Node], scope: Scope) -> dict[str, Handed]:
    """Walk substitutions. Returns the names that they become, by their text, where these are known."""
    known: dict[str, Handed] = {}
    for node in nodes:
        text = walker.reader.text_of(node).lstrip(" \t\n")
        if text.startswith("`") and _TWICE.search(text):
            walker.sink.doubt(Doubt.CONSTRUCT, text)
        if walker.depth >= MAX_DEPTH:
            walker.sink.doubt(Doubt.TOO_DEEP)
            return known
        walker.depth += 1
        try:
            walker.fits(node)
            inner = node.children[1:-1]
            walker.pipes.asked += 1
            _substituted(walker, inner, scope.copy())
            walker.pipes.asked -= 1
            known |= walker.pipes.printed_in(inner, text)
        except Unreadable:
            walker.sink.doubt(Doubt.CONSTRUCT, text)
        walker.depth -= 1
    return known


def _substituted(walker: Walker, inner: Sequence[Node], scope: Scope) -> None:
    if len(inner) == 1 and inner[0].type == "file_redirect":
        opened: list[Redirect] = []
        found = Found()
        if walker.reader.redirect(inner[0], scope, found, opened):
            raise Unreadable
        walker.inner(found.inner, scope)
        walker.sink.redirects(opened, scope)
    else:
        walker.sequence(inner, scope)
