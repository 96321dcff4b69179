"""Sums as statements: ``((…))`` and ``for ((…))`` change numbers, and are read where they can change nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.shell.compound import loop_begins, walk_body
from lineclear.core.shell.scan import Unreadable
from lineclear.core.shell.sums import change_of
from lineclear.core.shell.variables import plain

if TYPE_CHECKING:
    from tree_sitter import Node

    from lineclear.core.shell.scope import Scope
    from lineclear.core.shell.walk import Walker

_PARTS = 3
"""How a loop begins, how long it goes on, what it changes."""


def walk_group(walker: Walker, node: Node, scope: Scope) -> None:
    """``{ … }`` or ``((…))``."""
    if node.children and node.children[0].type == "((":
        _change(_between(walker, node), scope)
    else:
        walker.sequence(walker.between(node, "{", "}"), scope)


def walk_counting(walker: Walker, node: Node, scope: Scope) -> None:
    """``for ((…))``: what it counts with is a number in each round."""
    walker.fits(node)
    parts = _between(walker, node).split(";")
    if len(parts) != _PARTS:
        raise Unreadable
    _change(parts[0], scope)
    numbers = loop_begins(walker, node, scope)
    for part in parts[1:]:
        _change(part, scope)
    walk_body(walker, node, scope)
    scope.forget(numbers)


def _between(walker: Walker, node: Node) -> str:
    """What stands between the doubled parentheses. Raises ``Unreadable`` where the shell has none."""
    opened = next((child for child in node.children if child.type == "(("), None)
    closed = next((child for child in node.children if child.type == "))"), None)
    if walker.posix or opened is None or closed is None or closed.end_byte - closed.start_byte != len("))"):
        raise Unreadable
    return walker.text[opened.end_byte : closed.start_byte]


def _change(text: str, scope: Scope) -> None:
    """Read one sum. Raises ``Unreadable`` where a name in it may hold more than a number."""
    if not text.strip():
        return
    name = change_of(text, scope.value, scope.numbers | scope.counts)
    if name is None:
        raise Unreadable
    if name:
        scope.assign(name, None)
        scope.numbers |= {name}
        if not plain(name):
            scope.taint(name)
