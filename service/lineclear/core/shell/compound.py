"""Branches and loops: what they hold may run, or not, or again; what differs then isn't known any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.shell.grammar import hollows
from lineclear.core.shell.pipes import quiet
from lineclear.core.shell.scan import Found, Unreadable
from lineclear.core.shell.variables import identifier, plain, secret
from lineclear.core.shell.words import HOLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from lineclear.core.shell.scope import Scope
    from lineclear.core.shell.simple import Redirect
    from lineclear.core.shell.walk import Walker

_UNROLLED = 12
"""How many values of a loop are tried one by one."""


def is_one(node: Node) -> bool:
    """Whether a statement is one command: of any other, success doesn't say that each change of directory succeeded."""
    body = node.child_by_field_name("body") if node.type == "redirected_statement" else node
    return body is not None and body.type == "command"


def walk_redirected(walker: Walker, body: Node, redirects: Sequence[Node], scope: Scope) -> None:
    """A statement of several commands, all of which have the same redirects."""
    found = Found()
    opened: list[Redirect] = []
    for redirect in redirects:
        if redirect.type == "herestring_redirect":
            walker.sink.hear(walker.reader.herestring(redirect, scope, found))
            if any(map(secret, found.names)):
                raise Unreadable  # what all of them read may be shown by any of them
        elif walker.reader.redirect(redirect, scope, found, opened):
            raise Unreadable
    walker.inner(found.inner, scope)
    texts = walker.texts(redirects)
    reads = walker.pipes.enter(texts)
    if reads:
        walker.pipes.fed(body)
    walker.statement(body, scope)
    walker.pipes.leave(reads)
    if not quiet(texts):
        walker.pipes.tell(body, None)
    walker.sink.redirects(opened, scope)


def walk_if(walker: Walker, node: Node, scope: Scope) -> None:
    """``if``: its conditions run in order, each branch in a state that may be left or not."""
    walker.fits(node)
    part: list[Node] = []
    branch = scope
    for child in node.children:
        if child.type in {"if", "elif", "then", "else", "fi", "elif_clause", "else_clause"}:
            walker.sequence(part, branch)
            if branch is not scope:
                scope.merge(branch)
            part = []
            branch = scope.copy() if child.type in {"then", "else"} else scope
            if child.type in {"elif_clause", "else_clause"}:
                clause = scope.copy()
                walk_if(walker, child, clause)
                scope.merge(clause)
        else:
            part.append(child)
    walker.sequence(part, branch)
    if branch is not scope:
        scope.merge(branch)


def walk_while(walker: Walker, node: Node, scope: Scope) -> None:
    """``while`` and ``until``."""
    walker.fits(node)
    fed = walker.pipes.fed(node)
    loop_begins(walker, node, scope)
    condition = [child for child in node.children if child.type not in {"while", "until", "do_group"}]
    commands = [child for child in condition if child.is_named]
    if len(commands) == 1:
        walker.pipes.feed(commands[0], fed)
    walker.sequence(condition, scope)
    walk_body(walker, node, scope)
    scope.names = {}


def walk_for(walker: Walker, node: Node, scope: Scope) -> None:
    """``for`` over words: one by one where they are few and literal."""
    walker.fits(node)
    if node.children[0].type != "for":
        raise Unreadable
    name = node.child_by_field_name("variable")
    variable = walker.reader.text_of(name) if name is not None else ""
    if not identifier(variable):
        raise Unreadable
    if not plain(variable):
        scope.taint(variable)
    found = Found()
    values = walker.reader.words(node.children_by_field_name("value"), scope, found)
    handed = walker.inner(found.inner, scope)
    numbers = loop_begins(walker, node, scope)
    known = [word for word in values if word.text is not None]
    if len(known) == len(values) and 0 < len(known) <= _UNROLLED and not walker.unrolling:
        walker.unrolling = True
        for word in known:
            scope.assign(variable, None if word.glob else word.shape)
            if word.glob:
                scope.patterns[variable] = word.shape
            walk_body(walker, node, scope)
            scope.forget(numbers)
        walker.unrolling = False
    else:
        scope.assign(variable, None)
        for value in values:
            walker.sink.suppose(f"{variable}={value.raw}")
        if len(values) == 1 and values[0].shape == HOLE and values[0].raw in handed and not values[0].quoted:
            scope.names[variable] = handed[values[0].raw]
            scope.counts |= {variable} if handed[values[0].raw].count else set()
        walk_body(walker, node, scope)
    scope.forget(numbers)


def loop_begins(walker: Walker, node: Node, scope: Scope) -> frozenset[str]:
    """What the loop's own commands set is set when they run again. Returns what holds a number even so."""
    numbers = frozenset(name for name in scope.counted if walker.assigned.holds_numbers(name))
    scope.forget(numbers)
    if walker.sink.moves(walker.reader.text_of(node)):
        scope.move(None, scope.goal)
    return numbers


def walk_body(walker: Walker, node: Node, scope: Scope) -> None:
    """What a loop runs, or doesn't."""
    body = node.child_by_field_name("body")
    if body is None or body.type != "do_group":
        raise Unreadable
    branch = scope.copy()
    walker.sequence(walker.between(body, "do", "done"), branch)
    scope.merge(branch)


def walk_case(walker: Walker, node: Node, scope: Scope) -> None:
    """``case``: any of its items may run."""
    walker.fits(node)
    found = Found()
    value = node.child_by_field_name("value")
    if value is None:
        raise Unreadable
    inside = hollows(value, walker.text)
    walker.reader.expander.words(value.start_byte, value.end_byte, inside, scope, found, condition=True)
    walker.inner(found.inner, scope)
    for item in node.children:
        if item.type == "case_item":
            _item(walker, item, scope)


def _item(walker: Walker, item: Node, scope: Scope) -> None:
    walker.fits(item)
    statements: list[Node] = []
    head = True
    for child in item.children:
        if head:
            if any(letter in walker.reader.text_of(child) for letter in "$`<>"):
                raise Unreadable
            head = child.type != ")"
        elif child.type not in {";;", ";&", ";;&"}:
            statements.append(child)
    branch = scope.copy()
    walker.sequence(statements, branch)
    scope.merge(branch)
