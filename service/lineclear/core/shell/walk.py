"""Statements: the tree is walked in the order in which the shell would run it, and each simple command handed on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lineclear.core.call import Dialect
from lineclear.core.effects import Doubt
from lineclear.core.shell.expand import Expander, Found, Unreadable
from lineclear.core.shell.grammar import hollows, parse, substitutions
from lineclear.core.shell.heredoc import read_heredoc
from lineclear.core.shell.simple import Redirect, Simple
from lineclear.core.shell.variables import identifier, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tree_sitter import Node

    from lineclear.core.shell.scope import Scope
    from lineclear.core.shell.simple import Sink
    from lineclear.core.shell.words import Word

MAX_DEPTH = 24
"""How deep statements and substitutions may be nested."""

_GAP = re.compile(r"(?:[ \t]|\\\n)*")
_LINES = re.compile(r"(?:[ \t\n]|\\\n)*")
_COMMENT_AFTER = frozenset(" \t\n;&|()")
_SEPARATORS = frozenset({";", "&", "\n"})
_UNROLLED = 12

_REDIRECTS = frozenset({"file_redirect", "herestring_redirect", "heredoc_redirect"})


class Walker:
    """Walks one text."""

    def __init__(self, text: str, dialect: Dialect, sink: Sink, depth: int = 0) -> None:
        self.text = text
        self.sink = sink
        self.posix = dialect is Dialect.SH
        self.expander = Expander(text, dialect)
        self.depth = depth
        self.unrolling = False

    def run(self, scope: Scope) -> None:
        """Walk the whole text."""
        root = parse(self.text)
        if root.has_error:
            self.sink.doubt(Doubt.PARSE_ERROR)
        if self.text[: root.start_byte].strip(" \t\n") or self.text[root.end_byte :].strip(" \t\n"):
            self.sink.doubt(Doubt.CONSTRUCT)
        self._sequence(root.children, scope)

    # Statements

    def statement(self, node: Node, scope: Scope) -> None:
        """Walk one statement."""
        if self.sink.full():
            return
        if self.depth >= MAX_DEPTH:
            self.sink.doubt(Doubt.TOO_DEEP)
            return
        self.depth += 1
        try:
            walk = _WALKS.get(node.type)
            if walk is None:
                self._unknown(node, scope)
            else:
                walk(self, node, scope)
        except Unreadable:
            self.sink.doubt(Doubt.CONSTRUCT)
            self._inner(substitutions(node), scope)
        finally:
            self.depth -= 1

    def _unknown(self, node: Node, scope: Scope) -> None:
        self.sink.doubt(Doubt.CONSTRUCT)
        for child in node.children:
            if child.is_named:
                self.statement(child, scope)

    def _sequence(self, nodes: Sequence[Node], scope: Scope) -> None:
        """Statements one after the other, and what separates them."""
        end = -1
        separated = True
        for at, node in enumerate(nodes):
            if end >= 0:
                gap = self.text[end : node.start_byte]
                if not _LINES.fullmatch(gap):
                    self.sink.doubt(Doubt.CONSTRUCT)
                separated = separated or "\n" in gap
            end = node.end_byte
            if node.type == "comment":
                self._comment(node)
            elif node.is_named:
                if not separated:
                    self.sink.doubt(Doubt.CONSTRUCT)
                separated = False
                background = at + 1 < len(nodes) and nodes[at + 1].type == "&"
                self.statement(node, scope.copy() if background else scope)
            elif node.type in _SEPARATORS:
                separated = True
            else:
                self.sink.doubt(Doubt.CONSTRUCT)

    def _comment(self, node: Node) -> None:
        before = self.text[node.start_byte - 1] if node.start_byte else "\n"
        if before not in _COMMENT_AFTER or "\n" in self.text[node.start_byte : node.end_byte].rstrip("\n"):
            self.sink.doubt(Doubt.CONSTRUCT)

    def _list(self, node: Node, scope: Scope) -> None:
        """``a && b || c``, which the grammar nests to the left: each operator in the order of the text."""
        rights: list[tuple[str, Node]] = []
        while node.type == "list":
            node, operator, right = self._three(node)
            rights.append((operator.type, right))
        before = scope.others
        self.statement(node, scope)
        for operator_type, right in reversed(rights):
            self._second(operator_type, right, scope, before)
            before = scope.others

    def _second(self, operator: str, right: Node, scope: Scope, before: tuple[str | None, ...]) -> None:
        if operator == "&&":
            scope.others = before
            self.statement(right, scope)
        elif operator == "||":
            branch = scope.copy()
            self.statement(right, branch)
            scope.merge(branch)
        else:
            raise Unreadable

    def _three(self, node: Node) -> tuple[Node, Node, Node]:
        children = [child for child in node.children if child.type != "comment"]
        if len(children) != 3:  # noqa: PLR2004 - left, operator, right
            raise Unreadable
        self._gaps(node.children, _LINES)
        return children[0], children[1], children[2]

    def _pipeline(self, node: Node, scope: Scope) -> None:
        self._gaps(node.children, _LINES)
        for child in node.children:
            if child.is_named:
                if child.type == "comment":
                    self._comment(child)
                    continue
                branch = scope.copy()
                self.statement(child, branch)
                scope.merge(branch)
            elif child.type != "|" and (child.type != "|&" or self.posix):
                raise Unreadable

    def _negated(self, node: Node, scope: Scope) -> None:
        self._gaps(node.children, _GAP)
        if len(node.children) != 2:  # noqa: PLR2004 - the mark and the statement
            raise Unreadable
        self.statement(node.children[1], scope)

    def _subshell(self, node: Node, scope: Scope) -> None:
        self._sequence(self._between(node, "(", ")"), scope.copy())

    def _group(self, node: Node, scope: Scope) -> None:
        self._sequence(self._between(node, "{", "}"), scope)

    def _between(self, node: Node, first: str, last: str) -> list[Node]:
        children = node.children
        if len(children) < 2 or children[0].type != first or children[-1].type != last:  # noqa: PLR2004
            raise Unreadable
        return children[1:-1]

    def _if(self, node: Node, scope: Scope) -> None:
        part: list[Node] = []
        branch = scope
        for child in node.children:
            if child.type in {"if", "elif", "then", "else", "fi", "elif_clause", "else_clause"}:
                self._sequence(part, branch)
                if branch is not scope:
                    scope.merge(branch)
                part = []
                branch = scope.copy() if child.type in {"then", "else"} else scope
                if child.type in {"elif_clause", "else_clause"}:
                    clause = scope.copy()
                    self._if(child, clause)
                    scope.merge(clause)
            else:
                part.append(child)
        self._sequence(part, branch)
        if branch is not scope:
            scope.merge(branch)

    def _while(self, node: Node, scope: Scope) -> None:
        self._loop_begins(node, scope)
        condition = [child for child in node.children if child.type not in {"while", "until", "do_group"}]
        self._sequence(condition, scope)
        self._body(node, scope)

    def _for(self, node: Node, scope: Scope) -> None:
        if node.children[0].type != "for":
            raise Unreadable
        name = node.child_by_field_name("variable")
        variable = self._text(name) if name is not None else ""
        if not identifier(variable):
            raise Unreadable
        if not plain(variable):
            scope.taint(variable)
        found = Found()
        values = self._words(node.children_by_field_name("value"), scope, found)
        self._inner(found.inner, scope)
        self._loop_begins(node, scope)
        known = [word.text for word in values if word.literal]
        if len(known) == len(values) and 0 < len(known) <= _UNROLLED and not self.unrolling:
            self.unrolling = True
            for value in known:
                scope.assign(variable, value)
                self._body(node, scope)
                scope.forget()
            self.unrolling = False
        else:
            scope.assign(variable, None)
            self._body(node, scope)
        scope.forget()

    def _loop_begins(self, node: Node, scope: Scope) -> None:
        """What the loop's own commands set is set when they run again."""
        scope.forget()
        if self.sink.moves(self._text(node)):
            scope.move(None)

    def _body(self, node: Node, scope: Scope) -> None:
        body = node.child_by_field_name("body")
        if body is None or body.type != "do_group":
            raise Unreadable
        branch = scope.copy()
        self._sequence(self._between(body, "do", "done"), branch)
        scope.merge(branch)

    def _case(self, node: Node, scope: Scope) -> None:
        found = Found()
        value = node.child_by_field_name("value")
        if value is None:
            raise Unreadable
        self.expander.words(value.start_byte, value.end_byte, hollows(value), scope, found, condition=True)
        self._inner(found.inner, scope)
        for item in node.children:
            if item.type == "case_item":
                self._item(item, scope)

    def _item(self, item: Node, scope: Scope) -> None:
        statements: list[Node] = []
        head = True
        for child in item.children:
            if head:
                if any(letter in self._text(child) for letter in "$`"):
                    raise Unreadable
                head = child.type != ")"
            elif child.type not in {";;", ";&", ";;&"}:
                statements.append(child)
        branch = scope.copy()
        self._sequence(statements, branch)
        scope.merge(branch)

    # Simple commands

    def _redirected(self, node: Node, scope: Scope) -> None:
        body = node.child_by_field_name("body")
        redirects = node.children_by_field_name("redirect")
        self._gaps(node.children, _GAP)
        if body is None or body.type in {"command", "test_command", "declaration_command", "unset_command"}:
            self._command(body, scope, redirects)
            return
        found = Found()
        opened: list[Redirect] = []
        for redirect in redirects:
            if redirect.type == "heredoc_redirect":
                raise Unreadable
            extra = self._redirect(redirect, scope, found, opened)
            if extra:
                raise Unreadable
        self._inner(found.inner, scope)
        self.statement(body, scope)
        self.sink.redirects(opened, scope)

    def _command(self, node: Node | None, scope: Scope, redirects: Sequence[Node] = ()) -> None:
        found = Found()
        command = Simple([], "", scope)
        arguments: list[Node] = []
        opened = list(redirects)
        if node is not None:
            self._gaps(node.children, _GAP)
            command.text = self._text(node)
            if node.type == "test_command":
                command.words = self._condition(node, scope, found)
            else:
                for child in node.children:
                    if child.type == "variable_assignment" and not arguments and node.type == "command":
                        command.assigned.append(self._assignment(child, scope, found))
                    elif child.type in _REDIRECTS:
                        opened.append(child)
                    else:
                        arguments.append(child)
        elif opened:
            command.text = self.text[opened[0].start_byte : opened[-1].end_byte]
        following: list[tuple[str, Node]] = []
        for redirect in opened:
            if redirect.type == "heredoc_redirect":
                if command.stdin is not None:
                    raise Unreadable
                heredoc = read_heredoc(self.text, redirect)
                arguments += heredoc.arguments
                for inner in heredoc.redirects:
                    arguments += self._redirect(inner, scope, found, command.redirects)
                following += heredoc.following
                start, end = heredoc.span
                command.stdin = self.text[start:end]
                if not heredoc.quoted:
                    command.stdin = self.expander.body(start, end, heredoc.hollows, scope, found)
            elif redirect.type == "herestring_redirect":
                words = self._words(redirect.children[1:], scope, found)
                command.stdin = words[0].shape if len(words) == 1 else None
                if self.posix:
                    raise Unreadable
            else:
                arguments += self._redirect(redirect, scope, found, command.redirects)
        command.words += self._words(arguments, scope, found)
        command.names = found.names
        self._inner(found.inner, scope)
        before = scope.others
        if command.words:
            self.sink.simple(command)
        else:
            self._set(command.assigned, scope)
            self.sink.redirects(command.redirects, scope)
        for operator, right in following:
            if operator == "|":
                branch = scope.copy()
                self.statement(right, branch)
                scope.merge(branch)
            else:
                self._second(operator, right, scope, before)

    def _condition(self, node: Node, scope: Scope, found: Found) -> list[Word]:
        """The words of ``[ … ]`` and ``[[ … ]]``, which the grammar takes apart as an expression."""
        first, last = node.children[0], node.children[-1]
        if first.type not in {"[", "[["} or (self.posix and first.type == "[[") or last.is_missing:
            raise Unreadable
        doubled = first.type == "[["
        inside = hollows(node)
        words = self.expander.words(first.start_byte, first.end_byte, {}, scope, found, condition=True)
        at = first.end_byte
        while True:
            gap = (_LINES if doubled else _GAP).match(self.text, at, last.start_byte)
            at = gap.end() if gap else at
            if at >= last.start_byte:
                break
            end = self._word_end(at, last.start_byte, inside)
            words += self.expander.words(at, end, inside, scope, found, condition=doubled)
            at = end
        return words + self.expander.words(last.start_byte, last.end_byte, {}, scope, found, condition=True)

    def _word_end(self, at: int, end: int, inside: dict[int, Node]) -> int:
        quote = ""
        while at < end:
            letter = self.text[at]
            if at in inside and quote != "'":
                at = inside[at].end_byte
                continue
            if letter == "\\" and quote != "'":
                at += 1
            elif quote:
                quote = "" if letter == quote else quote
            elif letter in "'\"":
                quote = letter
            elif letter in " \t\n":
                return at
            at += 1
        return end

    def _declaration(self, node: Node, scope: Scope) -> None:
        self._command(node, scope)

    def _assignments(self, node: Node, scope: Scope) -> None:
        found = Found()
        nodes = [node] if node.type == "variable_assignment" else node.children
        self._gaps(nodes, _GAP)
        assigned = [self._assignment(child, scope, found) for child in nodes]
        self._inner(found.inner, scope)
        self._set(assigned, scope)

    def _set(self, assigned: Iterable[tuple[str, str | None]], scope: Scope) -> None:
        for name, value in assigned:
            scope.assign(name, value)
            if not plain(name):
                scope.taint(name)

    def _assignment(self, node: Node, scope: Scope, found: Found) -> tuple[str, str | None]:
        name, operator = node.children[0], node.children[1]
        variable = self._text(name)
        if name.type != "variable_name" or not identifier(variable) or operator.end_byte > node.end_byte:
            raise Unreadable
        if any(child.type == "array" for child in node.children):
            for hollow in hollows(node).values():
                self.expander.value(hollow.start_byte, hollow.end_byte, {hollow.start_byte: hollow}, scope, found)
            return variable, None
        value = self.expander.value(operator.end_byte, node.end_byte, hollows(node), scope, found)
        return variable, value if operator.type == "=" else None

    def _redirect(self, node: Node, scope: Scope, found: Found, opened: list[Redirect]) -> list[Node]:
        """Take a redirect; what the grammar holds for further targets are the command's own words."""
        self._gaps(node.children, _GAP)
        if node.type == "herestring_redirect":
            self._words(node.children[1:], scope, found)
            return []
        operator = next((child for child in node.children if not child.is_named), None)
        if operator is None:
            raise Unreadable
        targets = node.children_by_field_name("destination")
        if not targets:
            if operator.type in {">&-", "<&-"}:
                return []
            raise Unreadable
        count = 1
        while count < len(targets) and targets[count].start_byte == targets[count - 1].end_byte:
            count += 1
        words = self._words(targets[:count], scope, found)
        raw = self.text[targets[0].start_byte : targets[count - 1].end_byte]
        target = words[0] if len(words) == 1 and not words[0].glob else None
        if operator.type in {"&>", "&>>"} and self.posix:
            raise Unreadable
        opened.append(Redirect(operator.type, target, raw))
        return targets[count:]

    def _words(self, nodes: Sequence[Node], scope: Scope, found: Found) -> list[Word]:
        words: list[Word] = []
        at = 0
        while at < len(nodes):
            first = nodes[at]
            end = first.end_byte
            inside = hollows(first) if first.child_count or first.type in _HOLLOW else {}
            at += 1
            while at < len(nodes) and nodes[at].start_byte == end:
                inside |= hollows(nodes[at])
                end = nodes[at].end_byte
                at += 1
            words += self.expander.words(first.start_byte, end, inside, scope, found)
        return words

    def _inner(self, nodes: Iterable[Node], scope: Scope) -> None:
        """Substitutions: what is in them runs in a shell of its own."""
        for node in nodes:
            text = self._text(node)
            if text.startswith("`") and "\\" in text:
                self.sink.doubt(Doubt.CONSTRUCT)
            inner = node.children[1:-1]
            branch = scope.copy()
            if len(inner) == 1 and inner[0].type == "file_redirect":
                opened: list[Redirect] = []
                found = Found()
                if self._redirect(inner[0], branch, found, opened):
                    self.sink.doubt(Doubt.CONSTRUCT)
                self._inner(found.inner, branch)
                self.sink.redirects(opened, branch)
            else:
                self.depth += 1
                if self.depth >= MAX_DEPTH:
                    self.sink.doubt(Doubt.TOO_DEEP)
                else:
                    self._sequence(inner, branch)
                self.depth -= 1

    def _gaps(self, nodes: Sequence[Node], blank: re.Pattern[str]) -> None:
        for before, after in zip(nodes, nodes[1:], strict=False):
            if before.end_byte != after.start_byte and not blank.fullmatch(
                self.text, before.end_byte, after.start_byte
            ):
                raise Unreadable

    def _text(self, node: Node) -> str:
        return self.text[node.start_byte : node.end_byte]


_HOLLOW = frozenset({"command_substitution", "process_substitution", "expansion", "simple_expansion"})

_WALKS: dict[str, Callable[[Walker, Node, Scope], None]] = {
    "command": Walker._command,
    "test_command": Walker._command,
    "redirected_statement": Walker._redirected,
    "pipeline": Walker._pipeline,
    "list": Walker._list,
    "subshell": Walker._subshell,
    "compound_statement": Walker._group,
    "negated_command": Walker._negated,
    "if_statement": Walker._if,
    "for_statement": Walker._for,
    "while_statement": Walker._while,
    "case_statement": Walker._case,
    "declaration_command": Walker._declaration,
    "unset_command": Walker._declaration,
    "variable_assignment": Walker._assignments,
    "variable_assignments": Walker._assignments,
}
