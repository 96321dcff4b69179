"""What a command leaves behind in its shell: the directory that it went to, and the variables that it set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.shell.found import kept_by
from lineclear.core.shell.kinds import Kind
from lineclear.core.shell.pathwords import enter
from lineclear.core.shell.variables import harmless, plain

if TYPE_CHECKING:
    from lineclear.core.call import Environment
    from lineclear.core.shell.reading import Reading
    from lineclear.core.shell.scope import Scope


def leave(reading: Reading, scope: Scope, environment: Environment, *, proven: bool) -> None:
    """Change the scope as running the command would; one that isn't ``proven`` may have set any variable."""
    for item in reading.placed.given:
        kind, text = item.value.kind, item.word.text
        if kind is Kind.CHDIR:
            lost = reading.binding.faults or reading.placed.faults or item.word.shape[:1] in {"-", "+"}
            scope.move(None if lost else enter(item.word, environment, (scope.cwd,))[0])
        elif kind is Kind.VARIABLE and text is not None:
            scope.assign(text, None)
            if proven and (names := kept_by(reading)) is not None:
                scope.names[text] = names
            if not plain(text):
                scope.taint(text)
        elif kind is Kind.ASSIGNMENT and text is not None and not reading.placed.command:
            name, _, value = text.partition("=")
            scope.assign(name, value)
            if not harmless(name):
                scope.taint(name)
    if not proven:
        scope.forget()
