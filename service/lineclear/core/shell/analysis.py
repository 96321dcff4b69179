"""The analysis: which commands a text holds, what each does, and whether that is proven. It never raises."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.call import Dialect
from lineclear.core.effects import Doubt, Effects
from lineclear.core.shell.record import Recorder
from lineclear.core.shell.scope import Scope
from lineclear.core.shell.simple import Simple
from lineclear.core.shell.words import HOLE, Word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.core.call import Environment
    from lineclear.core.shell.programs import Programs

MAX_LENGTH = 10_000
"""How many characters a text may have."""

_WITHOUT_GRAMMAR = frozenset({Dialect.POWERSHELL, Dialect.CMD})


def analyse(command: str | Sequence[str], environment: Environment, programs: Programs) -> Effects:
    """What a command would do in an environment.

    A list of words runs as it is, no shell reads it. Where the structure can't be told the result has a ``doubt``, the
    raw text, and what was found all the same.
    """
    raw = command if isinstance(command, str) else " ".join(command)
    if len(raw) > MAX_LENGTH:
        return Effects(doubt=Doubt.TOO_LONG, raw=raw)
    if HOLE in raw or "\0" in raw:
        return Effects(doubt=Doubt.CONSTRUCT, raw=raw)
    recorder = Recorder(environment, programs, environment.dialect)
    scope = Scope(environment.cwd if environment.cwd is not None else ".", environment.home)
    if isinstance(command, str):
        if environment.dialect in _WITHOUT_GRAMMAR:
            return Effects(doubt=Doubt.DIALECT, raw=raw)
        recorder.walk(command, scope)
    elif command:
        recorder.simple(Simple([Word(word, word) for word in command], raw, scope))
    return recorder.effects(raw)
