"""What an allow rule covers of a command: the words as they are written, under one strict reading.

A word that can't be known may stand under a star only where it is double-quoted and an operand: never as program,
subcommand or option, never unquoted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.rules.globs import STAR
from lineclear.core.rules.spelling import sound_name
from lineclear.core.shell.words import HOLE, Word

if TYPE_CHECKING:
    from lineclear.core.effects import Command
    from lineclear.core.rules.commands import CommandPattern
    from lineclear.core.shell.invocation import Invocation
    from lineclear.core.shell.programs import Programs

_WILD = frozenset("*?[](){}|^~#<>")


def covers(pattern: CommandPattern, command: Command, home: str | None, programs: Programs) -> bool:
    """Whether a pattern of an allow rule means exactly this command; ``home`` is where the call runs, if known."""
    if command.assignments or not resolved(command, programs):
        return False
    program = _program(pattern.words[0], command, home)
    words = [_certain(word) for word in command.words[1:]]
    if program is None or any("\0" in word for word in words):
        return False
    return pattern.fits("\0".join((program, *words)))


def chooses(pattern: CommandPattern, command: Command, programs: Programs) -> bool:
    """Whether a star of a pattern stands for an option that executes its value, or that nobody described."""
    invocation = command.invocation
    if invocation is None or not invocation.options:
        return False
    spelled = programs.invoke([Word(word, word) for word in pattern.words if STAR not in word])
    written = set() if spelled is None else {option.name for option in spelled.options}
    return any(
        option.name not in written and (not option.known or programs.executes(invocation, option.name))
        for option in invocation.options
    )


def resolved(command: Command, programs: Programs) -> bool:
    """Whether every word that an allow rule must know is known."""
    if not command.words or command.words[0].text is None or command.words[0].glob:
        return False
    holes = [word for word in command.words[1:] if HOLE in word.shape]
    if not holes:
        return True
    if not all(word.quoted for word in holes):
        return False
    data = _data(command, programs)
    return all(data.count(word) >= holes.count(word) for word in holes)


def _data(command: Command, programs: Programs) -> list[Word]:
    """The words of a command that can only be data: operands, and the values of options that are described."""
    invocation = command.invocation
    if invocation is None:
        return _behind_a_literal(command)
    values = [option.value for option in invocation.options if option.known and option.value is not None]
    operands = list(invocation.operands)
    if operands and _awaits_subcommand(invocation, programs):
        return values
    return [*operands, *values]


def _awaits_subcommand(invocation: Invocation, programs: Programs) -> bool:
    """Whether the first operand stands where a subcommand would."""
    program = programs.get(invocation.program)
    level = None if program is None else program.level
    for word in invocation.subcommand:
        level = None if level is None else level.subcommands.get(word)
    return level is not None and bool(level.subcommands) and not invocation.operands[0].literal


def _behind_a_literal(command: Command) -> list[Word]:
    """Of a program that nobody described, the words behind a literal one that could be a subcommand; no option."""
    plain = [at for at, word in enumerate(command.words) if at and word.literal and not word.shape.startswith("-")]
    behind = command.words[plain[0] + 1 :] if plain else ()
    return [word for word in behind if not word.shape.startswith("-") or HOLE not in word.shape.partition("=")[0]]


def _program(wanted: str, command: Command, home: str | None) -> str | None:
    """The program as the pattern may name it, None where it isn't soundly named."""
    given = command.words[0].shape
    if "/" not in wanted or STAR in wanted:
        return sound_name(given)
    if given != wanted:
        return None
    return given if given.startswith("/") or command.cwd == (home or ".") else None


def _certain(word: Word) -> str:
    """The word up to what the shell makes of it, a hole in place of the rest."""
    if not word.glob:
        return word.shape
    wild = next((at for at, letter in enumerate(word.shape) if letter in _WILD or letter == HOLE), 0)
    return word.shape[:wild] + HOLE
