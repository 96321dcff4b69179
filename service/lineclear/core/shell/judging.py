"""A command is judged by its words as they stand; where that proves nothing, with the names that are known for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from lineclear.core.effects import Deed, Proof
from lineclear.core.shell.found import in_place
from lineclear.core.shell.pathwords import touch_word
from lineclear.core.shell.proof import fills_in, prove
from lineclear.core.shell.reading import read_command
from lineclear.core.shell.special import astray
from lineclear.core.shell.touches import touches_of
from lineclear.core.shell.words import HOLE
from lineclear.core.shell.wrapped import wrapped_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.core.call import Dialect, Environment
    from lineclear.core.effects import Command, Touch
    from lineclear.core.shell.bind import Binding
    from lineclear.core.shell.programs import Programs
    from lineclear.core.shell.reading import Reading
    from lineclear.core.shell.simple import Simple
    from lineclear.core.shell.words import Word
    from lineclear.core.shell.wrapped import Wrapped


class Question(Struct, frozen=True):
    """A command and all around it. ``opened`` are the files of its redirects, ``clear`` whether all of them are known.

    ``recursive`` says that whoever runs it runs it for all that its paths hold.
    """

    command: Simple
    record: Command
    opened: Sequence[Touch]
    clear: bool
    recursive: bool
    dialect: Dialect


class Judged(Struct, frozen=True):
    """What became of a command: how it is read, what it touches and runs, and the proof, with what stopped it."""

    reading: Reading
    touches: Sequence[Touch]
    """Its own, those of its redirects not among them."""
    wrapped: Sequence[Wrapped]
    proof: Proof
    why: str
    transparent: bool


def judge(question: Question, binding: Binding, environment: Environment, programs: Programs) -> Judged:
    """The judgement of a command of a described program."""
    judged = _judge(question, binding, environment, named=())
    if judged.proof is not Proof.NONE or all(HOLE not in word.shape for word in question.command.words):
        return judged
    counts = any(handed.number for handed in question.command.known.values())
    others = [_in_place(question, environment, programs, sign) for sign in (("", "-") if counts else ("",))]
    return others[0] if others[0] is not None and None not in others else judged


def _in_place(question: Question, environment: Environment, programs: Programs, sign: str) -> Judged | None:
    """The judgement with what is known for words in their places, None where that is no proof either."""
    words, named = in_place(question.command.words, question.command.known, sign)
    known = None if words == question.command.words else programs.bind(words)
    if known is None:
        return None
    other = _judge(question, known, environment, named=named)
    proven = other.proof is Proof.READ_ONLY or (other.proof is Proof.WRAPPER and fills_in(other.reading))
    return other if proven and not any(map(astray, other.touches)) else None


def _judge(question: Question, binding: Binding, environment: Environment, *, named: Sequence[Word]) -> Judged:
    command, record, opened = question.command, question.record, question.opened
    reading = read_command(command, binding, environment, recursive=question.recursive, dialect=question.dialect)
    own = touches_of(reading, environment, record.index)
    for word in (*named, *command.named):
        own += touch_word(word, Deed.READ, environment, reading.folders, by=record.index)
    wrapped = wrapped_by(reading)
    proof, transparent, why = prove(
        reading, record, environment, [*opened, *own], wraps=len(wrapped), clear=question.clear
    )
    return Judged(reading, own, wrapped, proof, why, transparent)
