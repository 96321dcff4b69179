"""What a command runs in turn: the words of another command, or a script."""

from __future__ import annotations

import re
from posixpath import commonprefix, join
from typing import TYPE_CHECKING

from msgspec import Struct, field, structs

from lineclear.core.effects import Deed
from lineclear.core.shell.found import Handed, found_below, picked_by, read_by
from lineclear.core.shell.kinds import DEEDS, Kind
from lineclear.core.shell.variables import harmless
from lineclear.core.shell.words import HOLE, Word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lineclear.core.call import Dialect
    from lineclear.core.shell.bind import Bound
    from lineclear.core.shell.programs import Programs
    from lineclear.core.shell.reading import Reading
    from lineclear.core.shell.scope import Scope
    from lineclear.core.shell.slots import Given

_MOST_SUSPECTED = 10
"""How many words from the first are looked at for a program that may begin there."""

_ODD = re.compile(r"[-+0-9]")
"""How a word begins that is rather an option's value than a program."""

_SET = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\+?=")

_MOVES_PARAMETERS = re.compile(r"\b(?:shift|set|getopts|eval|source|function)\b|(?:^|[\s;&|({])\.\s|\(\s*\)")
_MOST_PARAMETERS = 10
"""Behind ``$9``, shells don't agree where a parameter's name ends."""

FIRST_PARAMETER = re.compile(r"\$(?:0(?![0-9])|\{0\})")
_FIRST = "_0"
"""What the first word behind a script is called here, so that it is no name of the shell."""

_OF_ITS_OWN = re.compile(r"\s*(?:-|(?![A-Za-z_][A-Za-z0-9_]*\+?=)[^\s=]*=)")
"""How a script begins that is rather a wrapper's own words: with an option, or what is an assignment to no shell."""

STAND_IN = "$_"
"""What a hole in a script is spelled as: a variable that nobody knows."""


class Wrapped(Struct, frozen=True):
    """One thing that a wrapper runs.

    ``recursive`` says that its paths are meant with all that they hold; ``dialect`` is that of the script, None where
    it is the one of the text in which the wrapper stands.
    """

    words: tuple[Word, ...] = ()
    script: str | None = None
    stdin: str | None = None
    assigned: tuple[str, ...] = ()
    recursive: bool = False
    dialect: Dialect | None = None
    known: dict[str, Handed] = field(default_factory=dict)
    """As for a simple command."""
    named: tuple[Word, ...] = ()
    """What the text singles out among the paths for which it is run, read at least."""
    elsewhere: bool = False
    """It runs in a folder that nobody knows."""
    parameters: tuple[Word, ...] = ()
    """The words behind a script that stand for what it calls ``$0``, ``$1`` and so on."""

    def tell(self, scope: Scope) -> None:
        """Tell a script what its parameters are, as far as it leaves them as they are and each is one word."""
        if self.script is None or _MOVES_PARAMETERS.search(self.script):
            return
        for number, word in enumerate(self.parameters[:_MOST_PARAMETERS]):
            name = str(number) if number else _FIRST
            if not word.literal:  # what is found is told by several patterns, so that nobody knows which is the next
                pattern = _shared([other for other in self.parameters[number:] if other.raw == word.raw])
                if pattern is not None:
                    scope.patterns[name] = pattern
                return
            scope.assign(name, word.shape)


def wrapped_by(reading: Reading) -> list[Wrapped]:
    """Everything that a command runs in turn."""
    command, binding, placed, given = reading.command, reading.binding, reading.placed, reading.given
    runs = placed.command or Kind.SHELL in reading.kinds or binding.level.stdin is not None
    if not runs and not any(bound.command for bound in binding.bound):
        return []
    pairs = [*command.assigned]
    if Kind.ASSIGNMENT in reading.kinds:
        given_pairs = [item.word.shape.partition("=") for item in given if item.value.kind is Kind.ASSIGNMENT]
        pairs += [(name, value) for name, _, value in given_pairs]
    assigned = tuple(name.rstrip("+") for name, value in pairs if not harmless(name, value))
    found: list[Wrapped] = []
    if placed.command:
        own = [word for word in placed.command if word.shape not in binding.level.symbols]
        words, known = _with_input(reading, own) if binding.level.appends else (own, {})
        found.append(Wrapped(tuple(words), stdin=command.stdin, assigned=assigned, known={**command.known, **known}))
    for bound in binding.bound:
        if bound.command and bound.spec.elsewhere:
            found.append(_elsewhere(bound, reading, assigned))
        elif bound.command:
            run = tuple(_with_found(bound, given, reading.narrowing))
            named = tuple(picked_by(reading))
            found.append(Wrapped(run, assigned=assigned, recursive=reading.narrowing is None, named=named))
    scripts = [item for item in given if item.value.kind is Kind.SHELL] if Kind.SHELL in reading.kinds else []
    speaks = binding.level.speaks
    found += [_with_parameters(item, reading, assigned) for item in scripts if item.option or item.single]
    joined = " ".join(item.word.shape for item in scripts if not (item.option or item.single))
    if joined:
        found.append(script(joined, assigned, speaks))
    if binding.level.stdin is Kind.SHELL and not binding.operands and command.stdin is not None:
        found.append(script(command.stdin, assigned, speaks))
    return found


def suspected(reading: Reading, programs: Programs) -> list[Wrapped]:
    """What a command may run besides, where its description doesn't tell for certain where the other one begins.

    An option that nobody described may take the next word, or not: each word may be the program. What is found here
    is there for what holds against a command; it proves nothing.
    """
    binding, words, inner = reading.binding, reading.command.words, reading.placed.command
    if Kind.COMMAND not in [slot.value.kind for slot in binding.level.slots]:
        return []
    found: list[Wrapped] = []
    text = " ".join(word.shape for word in inner)
    if binding.level.appends and any(" " in word.shape for word in inner):
        found.append(script(text, ()))
    for item in reading.given:
        if item.option and item.value.kind is Kind.SHELL and inner:
            found.append(script(f"{item.word.shape} {text}", ()))
        if item.option and item.value.kind is Kind.SHELL and _OF_ITS_OWN.match(item.word.shape):
            found.append(script(f"{words[0].shape} {item.word.shape} {text}", ()))
    option = binding.level.options.get(inner[0].shape) if inner else None
    if option is not None and option.value is not None and option.value.kind is Kind.SHELL:
        found += [script(word.shape, ()) for word in inner[1:2]]
    if all(option.known for option in binding.options) and not (inner and _ODD.match(inner[0].shape)):
        return found
    begins = len(words) - len(inner)
    for at, word in enumerate(words[1:_MOST_SUSPECTED], 1):
        if word.shape[:1] not in {"-", "+"} and at != begins:
            found.append(Wrapped(tuple(words[at:])))
        if at >= begins and programs.get(word.shape) is not None:
            break
    return found


def _with_parameters(item: Given, reading: Reading, assigned: tuple[str, ...]) -> Wrapped:
    operands, speaks = reading.binding.operands, reading.binding.level.speaks
    behind = operands[1:] if operands and operands[0] is item.word else ()
    if not behind:
        return script(item.word.shape, assigned, speaks)
    text = FIRST_PARAMETER.sub(f"${{{_FIRST}}}", item.word.shape)  # alone, `$0` is the shell's own name
    return structs.replace(script(text, assigned, speaks), parameters=tuple(behind))


def _shared(words: Sequence[Word]) -> str | None:
    """The pattern of one path, or the folder of all of some; None where they are none."""
    if not all(word.glob and word.quoted and not (word.several or word.torn) for word in words):
        return None
    shapes = [word.shape for word in words]
    shared = shapes[0] if len(shapes) == 1 else commonprefix(shapes).rpartition("/")[0]
    return shared if shared and HOLE not in shared else None


def script(text: str, assigned: tuple[str, ...] = (), dialect: Dialect | None = None) -> Wrapped:
    """A script of the shell, in which whatever can't be known is a variable."""
    return Wrapped(script=text.replace(HOLE, STAND_IN), assigned=assigned, dialect=dialect)


def _with_input(reading: Reading, words: Sequence[Word]) -> tuple[list[Word], dict[str, Handed]]:
    """The words of a command that gets more of them from input, in place of a text or at the end; what these are."""
    bound = reading.binding.bound
    stands = next((one.value.shape for one in bound if one.spec.replaces and one.value), None)
    if stands is None:
        more = [Word(HOLE, "…")]
        words = [*words, *more]
    else:
        words = [Word(word.shape.replace(stands, HOLE), word.raw) for word in words]
        more = [word for word in words if word.shape == HOLE]
    fed = reading.command.fed
    if fed is None or any(item.option and item.value.kind is Kind.READ for item in reading.given):
        return words, {}
    closed = any(one.spec.closes for one in bound)
    return words, {word.raw: fed.handed(word.raw, closed=closed, several=stands is None) for word in more}


def _elsewhere(bound: Bound, reading: Reading, assigned: tuple[str, ...]) -> Wrapped:
    """A command that is run in the folder of what is found: what it is given there begins as nobody knows."""
    stands = bound.spec.value.words if bound.spec.value is not None else frozenset()
    words = [
        Word(HOLE, word.raw, quoted=not bound.several) if any(text in word.shape for text in stands) else word
        for word in bound.command
    ]
    raws = {word.raw for word in bound.command if word.shape in stands}
    folder = reading.folders[0] if len(reading.folders) == 1 else None
    roots = [structs.replace(root, shape=join(folder, root.shape)) for root in read_by(reading)] if folder else []
    known = {
        raw: Handed(
            tuple(
                structs.replace(word, torn=True)
                for root in roots
                for word in found_below(root, raw, None, several=bound.several)
            )
        )
        for raw in raws
        if roots
    }
    named = tuple(structs.replace(word, shape=join(folder or "", word.shape)) for word in picked_by(reading))
    return Wrapped(tuple(words), assigned=assigned, recursive=True, known=known, named=named, elsewhere=True)


def _with_found(bound: Bound, given: Iterable[Given], narrowing: str | None) -> Iterable[Word]:
    """The words of a command that is run for what is found below some paths."""
    stands = bound.spec.value.words if bound.spec.value is not None else frozenset()
    roots = [item.word for item in given if not item.option and DEEDS.get(item.value.kind) == (Deed.READ,)]
    for word in bound.command:
        if word.shape in stands:
            for root in roots:
                yield from found_below(root, word.raw, narrowing, several=bound.several)
        elif any(text in word.shape for text in stands):
            shape = word.shape
            for text in stands:
                shape = shape.replace(text, HOLE)
            yield Word(shape, word.raw, quoted=True)
        else:
            yield word


def behind_assignments(words: Sequence[Word]) -> tuple[list[str], list[Word]]:
    """The names that are set before a wrapped command, and its words.

    Only where the wrapper is a word of the shell's grammar (``time A=1 x``) are these assignments; elsewhere the first
    is a program of that name. So they are looked past, and since every name counts, nothing is proven of the command.
    """
    names: list[str] = []
    for at, word in enumerate(words):
        found = _SET.match(word.shape)
        if found is None:
            return names, list(words[at:])
        names.append(found[1])
    return [], list(words)
