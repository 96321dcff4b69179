"""What a command leaves behind in its shell: the directory that it went to, and the variables that it set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.shell.found import kept_by
from lineclear.core.shell.kinds import Kind
from lineclear.core.shell.pathwords import enter, likely
from lineclear.core.shell.variables import harmless, plain, unread
from lineclear.core.shell.words import HOLE, Word

if TYPE_CHECKING:
    from lineclear.core.call import Environment
    from lineclear.core.shell.reading import Reading
    from lineclear.core.shell.said import Said
    from lineclear.core.shell.scope import Scope
    from lineclear.core.shell.supposed import Supposed


def leave(
    reading: Reading, scope: Scope, environment: Environment, said: Said, supposed: Supposed, *, proven: bool
) -> None:
    """Change the scope as running the command would; one that isn't ``proven`` may have set any variable."""
    for item in reading.placed.given:
        kind, text = item.value.kind, item.word.text
        if kind is Kind.CHDIR:
            _move(item.word, reading, scope, environment, said, supposed)
        elif kind is Kind.VARIABLE and text is not None and not unread(text):
            scope.assign(text, None)
            supposed.read(text, [*said.texts, reading.command.stdin or ""])
            if proven and (names := kept_by(reading)) is not None:
                scope.names[text] = names
            if not plain(text):
                scope.taint(text)
        elif kind is Kind.ASSIGNMENT and text is not None and not reading.placed.command:
            name, _, value = text.partition("=")
            scope.assign(name, value)
            supposed.keep(name, [value])
            if not harmless(name, value):
                scope.taint(name)
    if Kind.VARIABLE in reading.kinds:
        for item in reading.given:
            if item.option and item.value.kind is Kind.VARIABLE:
                scope.set([(item.word.shape, None)])
                supposed.read(item.word.shape, said.texts)
    if not proven:
        scope.forget()


def _move(word: Word, reading: Reading, scope: Scope, environment: Environment, said: Said, supposed: Supposed) -> None:
    """Change the directory; where it leads isn't known of a word that isn't literal, but what is known is kept."""
    back = word.shape[:1] in {"-", "+"}
    lost = back or reading.binding.faults or reading.placed.faults
    target = None if lost else enter(word, environment, (scope.cwd,))[0]
    if target is not None:
        scope.move(target)
    elif back:
        scope.move(None, scope.before and likely(Word(scope.before, scope.before), environment, scope.goal))
    else:
        texts = supposed.texts(word.raw, said.texts) if HOLE in word.shape else []
        scope.move(None, likely(Word(texts[0], word.raw) if texts else word, environment, scope.goal))
