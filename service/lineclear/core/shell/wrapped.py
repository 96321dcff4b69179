"""What a command runs in turn: the words of another command, or a script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lineclear.core.effects import Deed
from lineclear.core.shell.kinds import DEEDS, Kind
from lineclear.core.shell.variables import harmless
from lineclear.core.shell.words import HOLE, Word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lineclear.core.shell.bind import Binding, Bound
    from lineclear.core.shell.reading import Reading
    from lineclear.core.shell.slots import Given

_STAND_IN = "$_"
"""What a hole in a script is spelled as: a variable that nobody knows."""


@dataclass(frozen=True, slots=True)
class Wrapped:
    """One thing that a wrapper runs. ``recursive`` says that its paths are meant with all that they hold."""

    words: tuple[Word, ...] = ()
    script: str | None = None
    stdin: str | None = None
    assigned: tuple[str, ...] = ()
    recursive: bool = False


def wrapped_by(reading: Reading) -> list[Wrapped]:
    """Everything that a command runs in turn."""
    command, binding, placed, given = reading.command, reading.binding, reading.placed, reading.given
    names = [name for name, _ in command.assigned]
    names += [item.word.shape.partition("=")[0] for item in given if item.value.kind is Kind.ASSIGNMENT]
    assigned = tuple(name.rstrip("+") for name in names if not harmless(name))
    found: list[Wrapped] = []
    if placed.command:
        words = tuple(_with_input(binding, placed.command) if binding.level.appends else placed.command)
        found.append(Wrapped(words, stdin=command.stdin, assigned=assigned))
    for bound in binding.bound:
        if bound.command:
            words = tuple(_with_found(bound, given, reading.narrowing))
            found.append(Wrapped(words, assigned=assigned, recursive=reading.narrowing is None))
    scripts = [item for item in given if item.value.kind is Kind.SHELL]
    found += [_script(item.word.shape, assigned) for item in scripts if item.option or item.single]
    joined = " ".join(item.word.shape for item in scripts if not (item.option or item.single))
    if joined:
        found.append(_script(joined, assigned))
    if binding.level.stdin is Kind.SHELL and not binding.operands and command.stdin is not None:
        found.append(_script(command.stdin, assigned))
    return found


def _script(text: str, assigned: tuple[str, ...]) -> Wrapped:
    return Wrapped(script=text.replace(HOLE, _STAND_IN), assigned=assigned)


def _with_input(binding: Binding, words: Sequence[Word]) -> list[Word]:
    """The words of a command that gets more of them from input: in place of a text, or behind the last."""
    stands = next((bound.value.shape for bound in binding.bound if bound.spec.replaces and bound.value), None)
    if stands is None:
        return [*words, Word(HOLE, "…")]
    return [Word(word.shape.replace(stands, HOLE), word.raw) for word in words]


def _with_found(bound: Bound, given: Iterable[Given], narrowing: str | None) -> Iterable[Word]:
    """The words of a command that is run for what is found below some paths."""
    stands = bound.spec.value.words if bound.spec.value is not None else frozenset()
    roots = [item.word for item in given if not item.option and DEEDS.get(item.value.kind) == (Deed.READ,)]
    for word in bound.command:
        if word.shape in stands:
            for root in roots:
                yield _found_below(root, word.raw, narrowing)
        elif any(text in word.shape for text in stands):
            shape = word.shape
            for text in stands:
                shape = shape.replace(text, HOLE)
            yield Word(shape, word.raw, quoted=True)
        else:
            yield word


def _found_below(root: Word, raw: str, narrowing: str | None) -> Word:
    if HOLE in root.shape:
        return Word(HOLE, raw, quoted=True)
    if narrowing is None:
        return Word(root.shape, raw, glob=root.glob)
    return Word(f"{root.shape.rstrip('/')}/{narrowing}", raw, quoted=True, glob=True)
