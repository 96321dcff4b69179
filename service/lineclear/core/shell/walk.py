"""Statements: the tree is walked in the order in which the shell would run it, and each simple command handed on."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from lineclear.core.call import Dialect
from lineclear.core.effects import Doubt
from lineclear.core.shell.commandreader import GAP, LINES, REDIRECTS, CommandReader
from lineclear.core.shell.comments import begins_word
from lineclear.core.shell.compound import is_one, walk_case, walk_for, walk_if, walk_redirected, walk_while
from lineclear.core.shell.counting import walk_counting, walk_group
from lineclear.core.shell.found import counted, held
from lineclear.core.shell.grammar import parse, spelled_out, substitutions
from lineclear.core.shell.load import too_much
from lineclear.core.shell.pipes import Pipes, only_piped, printed_by
from lineclear.core.shell.scan import Found, Unreadable
from lineclear.core.shell.substitution import MAX_DEPTH, walk_substitutions
from lineclear.core.shell.sums import Assigned

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Sequence

    from tree_sitter import Node

    from lineclear.core.shell.found import FoundNames, Handed
    from lineclear.core.shell.scope import Scope
    from lineclear.core.shell.simple import Sink

MAX_STATEMENTS = 500
"""How many statements of one text are looked at, each as often as it runs."""

_SEPARATORS = frozenset({";", "&", "\n"})
_SIMPLE = frozenset({"command", "test_command", "declaration_command", "unset_command"})
_WITHOUT_STATEMENTS = _SIMPLE | {"variable_assignment", "variable_assignments"}


class Walker:
    """Walks one text."""

    def __init__(self, text: str, dialect: Dialect, sink: Sink, depth: int = 0) -> None:
        text = spelled_out(text)
        self.text = text
        self.sink = sink
        self.posix = dialect is Dialect.SH
        self.reader = CommandReader(text, dialect, sink.tells_folder)
        self.depth = depth
        self.unrolling = False
        self.pipes = Pipes()
        self.assigned = Assigned(text)
        self.statements = 0

    def run(self, scope: Scope) -> None:
        """Walk the whole text."""
        root = None if too_much(self.text) else parse(self.text)
        if root is None:
            self.sink.doubt(Doubt.TOO_MANY_PARTS)
            return
        if root.has_error:
            self.sink.doubt(Doubt.PARSE_ERROR)
        if self.text[: root.start_byte].strip(" \t\n") or self.text[root.end_byte :].strip(" \t\n"):
            self.sink.doubt(Doubt.CONSTRUCT)
        self.sequence(root.children, scope)

    # Statements

    def statement(self, node: Node, scope: Scope) -> None:
        """Walk one statement."""
        self.statements += 1
        if self.statements > MAX_STATEMENTS:
            self.sink.doubt(Doubt.TOO_MANY_PARTS)
            return
        if self.sink.full():
            return
        if self.depth >= MAX_DEPTH:
            self.sink.doubt(Doubt.TOO_DEEP)
            return
        self.depth += 1
        try:
            walk = self._WALKS.get(node.type)
            if walk is None:
                self._unknown(node, scope)
            else:
                walk(self, node, scope)
        except Unreadable:
            self.sink.doubt(Doubt.CONSTRUCT, self.reader.text_of(node))
            if node.type in _WITHOUT_STATEMENTS:
                self.inner(substitutions(node), scope)
                self._groups(node, scope)
            else:
                self._unknown(node, scope)
        finally:
            self.depth -= 1
            if self.pipes.asked:
                self.pipes.ended(node)

    def _unknown(self, node: Node, scope: Scope) -> None:
        self.sink.doubt(Doubt.CONSTRUCT, self.reader.text_of(node))
        for child in node.children:
            if child.is_named:
                self.statement(child, scope)

    def _groups(self, node: Node, scope: Scope) -> None:
        """What stands in parentheses in a command that isn't understood runs as well."""
        for child in node.children:
            if child.type == "subshell":
                self.statement(child, scope)

    def sequence(self, nodes: Sequence[Node], scope: Scope) -> None:
        """Statements one after the other, and what separates them."""
        end = -1
        separated = True
        for at, node in enumerate(nodes):
            if end >= 0:
                gap = self.text[end : node.start_byte]
                if not LINES.fullmatch(gap):
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
        if not begins_word(self.text, node.start_byte) or "\n" in self.reader.text_of(node):
            self.sink.doubt(Doubt.CONSTRUCT)

    def _list(self, node: Node, scope: Scope) -> None:
        """``a && b || c``, which the grammar nests to the left: each operator in the order of the text."""
        rights: list[tuple[str, Node]] = []
        while node.type == "list":
            node, operator, right = self._three(node)
            rights.append((operator.type, right))
        before = scope.others
        self.statement(node, scope)
        before = before if is_one(node) else scope.others
        self._seconds(reversed(rights), scope, before)

    def _seconds(self, rights: Iterable[tuple[str, Node]], scope: Scope, before: tuple[str | None, ...]) -> None:
        """What comes behind a statement: what it sets is set only where all before it went well."""
        failed = scope.copy()
        for operator, right in rights:
            if operator == "||":
                scope.doubt_values(failed)
            self._second(operator, right, scope, before)
            before = scope.others
            failed.doubt_values(scope)
        scope.doubt_values(failed)

    def _second(self, operator: str, right: Node, scope: Scope, before: tuple[str | None, ...]) -> None:
        if operator == "&&":
            scope.others = before
            self.statement(right, scope)
        elif operator in {"||", "|"}:
            branch = scope.copy()
            self.statement(right, branch)
            scope.merge(branch)
        else:
            raise Unreadable

    def _three(self, node: Node) -> tuple[Node, Node, Node]:
        children = [child for child in node.children if child.type != "comment"]
        if len(children) != 3:  # noqa: PLR2004 - left, operator, right
            raise Unreadable
        self.fits(node)
        return children[0], children[1], children[2]

    def _pipeline(self, node: Node, scope: Scope) -> None:
        self.fits(node)
        told: FoundNames | None = None
        self.pipes.asked += 1
        for child in node.children:
            if child.is_named:
                if child.type == "comment":
                    self._comment(child)
                    continue
                self.pipes.feed(child, told)
                branch = scope.copy()
                self.statement(child, branch)
                scope.merge(branch)
                told = self.pipes.told(child)
            elif child.type == "|&" and not self.posix:
                told = None
            elif child.type != "|":
                raise Unreadable
        self.pipes.asked -= 1
        self.pipes.tell(node, told)

    def _negated(self, node: Node, scope: Scope) -> None:
        self.fits(node, GAP)
        if len(node.children) != 2:  # noqa: PLR2004 - the mark and the statement
            raise Unreadable
        self.statement(node.children[1], scope)

    def _subshell(self, node: Node, scope: Scope) -> None:
        self.sequence(self.between(node, "(", ")"), scope.copy())

    def fits(self, node: Node, blank: re.Pattern[str] = LINES) -> None:
        """Nothing may stand between a statement's parts but blanks. Raises ``Unreadable``."""
        self.reader.gaps(node.children, blank)
        self.reader.keywords(node)

    def between(self, node: Node, first: str, last: str) -> list[Node]:
        """What stands between two marks. Raises ``Unreadable`` where they aren't there."""
        self.fits(node)
        children = node.children
        if len(children) < 2 or children[0].type != first or children[-1].type != last:  # noqa: PLR2004
            raise Unreadable
        return children[1:-1]

    # Simple commands

    def _redirected(self, node: Node, scope: Scope) -> None:
        body = node.child_by_field_name("body")
        redirects = [child for child in node.children if child.type in REDIRECTS]  # the grammar names some of them only
        self.reader.gaps(node.children, GAP)
        if body is None or body.type in _SIMPLE:
            self._command(body, scope, redirects)
        else:
            walk_redirected(self, body, redirects, scope)

    def _command(self, node: Node | None, scope: Scope, redirects: Sequence[Node] = ()) -> None:
        read = self.reader.read(node, scope, redirects)
        asked = node is not None and self.pipes.asked and only_piped(read.simple, self.texts(redirects))
        if node is not None and self.pipes.asked:
            fed = self.pipes.fed(node)
            read.simple.fed = fed if asked else None
        read.simple.known = self.inner(read.inner, scope)
        if scope.names:
            read.simple.known |= held(scope.names)
        if scope.numbers or scope.counts:
            read.simple.known |= counted(scope)
        before = scope.others
        if read.simple.words:
            told = self.sink.simple(read.simple)
            if node is not None and self.pipes.asked:
                told = told if asked else printed_by(told, self.texts(redirects))
                self.pipes.tell(node, None if read.following else told)
        else:
            scope.set(read.simple.assigned)
            self._suppose(node.children if node is not None else ())
            self.sink.redirects(read.simple.redirects, scope)
        if read.following:
            self._seconds(read.following, scope, before)

    def texts(self, nodes: Iterable[Node]) -> list[str]:
        """What some nodes span."""
        return [self.reader.text_of(node) for node in nodes]

    def _assignments(self, node: Node, scope: Scope) -> None:
        found = Found()
        nodes = [node] if node.type == "variable_assignment" else node.children
        self.reader.gaps(nodes, GAP)
        assigned = self.reader.assignments(nodes, scope, found)
        handed = self.inner(found.inner, scope)
        scope.set(assigned)
        self._suppose(nodes)
        for (name, value), one in zip(assigned, nodes, strict=True):
            if value is None and one.children[1].type == "=":
                scope.count(name, self.reader.text_of(one.children[-1]), handed)

    def _suppose(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            if node.type == "variable_assignment":
                self.sink.suppose(self.reader.text_of(node))

    def inner(self, nodes: Iterable[Node], scope: Scope) -> dict[str, Handed]:
        """Substitutions: what is in them runs in a shell of its own. Returns the names that they become, if known."""
        return walk_substitutions(self, nodes, scope)

    _WALKS: ClassVar[dict[str, Callable[[Walker, Node, Scope], None]]] = {
        "command": _command,
        "test_command": _command,
        "redirected_statement": _redirected,
        "pipeline": _pipeline,
        "list": _list,
        "subshell": _subshell,
        "compound_statement": walk_group,
        "negated_command": _negated,
        "if_statement": walk_if,
        "for_statement": walk_for,
        "c_style_for_statement": walk_counting,
        "while_statement": walk_while,
        "case_statement": walk_case,
        "declaration_command": _command,
        "unset_command": _command,
        "variable_assignment": _assignments,
        "variable_assignments": _assignments,
    }
