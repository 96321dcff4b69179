"""What a pattern means by a program's description, for deny and ask rules: the wide reading.

Each option of the pattern must be there, however it is spelled and wherever it stands; other options never prevent a
match. Subcommands match in place, past global options. Operands are equal without a star, and come in order with one.
Of a program that nobody described, options are words like others, and one that isn't in the pattern may have a value.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, TypeVar

from lineclear.core.rules.globs import STAR, Glob
from lineclear.core.rules.spelling import base_name
from lineclear.core.shell.words import HOLE, Word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from lineclear.core.effects import Command
    from lineclear.core.shell.invocation import Invocation, Option
    from lineclear.core.shell.programs import Programs

    Test: TypeAlias = Callable[[Glob, Word], bool]

T = TypeVar("T")

_GLOB_CHARACTERS = frozenset("*?[](){}|^~#<>")


@dataclass(frozen=True, slots=True)
class Reading:
    """A pattern, read once by the description of its program where there is one.

    ``spine`` is the subcommand and the operands, of which the first ``fixed`` chose the subcommand; ``options`` are
    the described options with their values; ``flags`` and ``plain`` are the words as they stand, for programs that
    nobody described. ``loose`` says that a star lets further words stand in between; ``dashes`` that ``--`` must be
    there.
    """

    program: str | None
    loose: bool
    dashes: bool
    flags: tuple[Glob, ...]
    plain: tuple[Glob, ...]
    known: bool = False
    fixed: int = 0
    spine: tuple[Glob, ...] = ()
    options: tuple[tuple[str, Glob | None], ...] = ()

    @staticmethod
    def of(words: Sequence[str], open_: bool, programs: Programs) -> Reading:  # noqa: FBT001 - the pattern's own field
        """Read the words of a pattern, in which ``STAR`` stands for a wildcard."""
        before, after = _parted(words[1:], lambda word: word == "--")
        program = None if STAR in words[0] else base_name(words[0])
        flags = [word for word in before if _is_flag(word)]
        plain = [word for word in before if not _is_flag(word)] + after
        loose = open_ or any(STAR in word for word in words)
        dashes = "--" in words[1:]
        invocation = None if program is None else _invoke([Word(word, word) for word in words], programs)
        if invocation is None:
            return Reading(program, loose, dashes, _globs(flags), _globs(plain))
        operands = [operand.shape for operand in invocation.operands]
        return Reading(
            program,
            loose,
            dashes,
            _globs(flags),
            _globs(plain),
            known=True,
            fixed=len(invocation.subcommand),
            spine=_globs([*invocation.subcommand, *operands]),
            options=tuple((option.name, _value(option)) for option in invocation.options),
        )


def matches(reading: Reading, command: Command, programs: Programs) -> bool:
    """Whether the command, all of whose words that matter are literal, is one that the pattern means."""
    return _holds(reading, command, programs, possible=False)


def possible(reading: Reading, command: Command, programs: Programs) -> bool:
    """Whether it would be one if a word that can't be known turned out as the pattern's."""
    if not any(HOLE in word.shape or word.glob for word in command.words[1:]):
        return False
    return _holds(reading, command, programs, possible=True)


def _holds(reading: Reading, command: Command, programs: Programs, *, possible: bool) -> bool:
    if not command.words or command.words[0].text is None or reading.program is None:
        return False
    if base_name(command.words[0].shape) != reading.program:
        return False
    if reading.dashes and not any(word.text == "--" for word in command.words):
        return False
    test = _may_be if possible else _is
    invocation = command.invocation or _invoke(command.words, programs)
    if reading.known and invocation is not None:
        if _known(reading, invocation, programs, test):
            return True
        if all(option.known for option in invocation.options):
            return False
    return _undescribed(reading, command.words[1:], test)


def _known(reading: Reading, invocation: Invocation, programs: Programs, test: Test) -> bool:
    if not all(_has_option(option, invocation, programs, test) for option in reading.options):
        return False
    given = [*(Word(word, word) for word in invocation.subcommand), *invocation.operands]
    fixed = max(reading.fixed, len(invocation.subcommand))
    wanted = list(reading.spine)
    while wanted and fixed and not wanted[0].everything:
        if not given or not test(wanted[0], given[0]):
            return False
        if test is _may_be and _several(given[0]):
            return True
        wanted.pop(0)
        given.pop(0)
        fixed -= 1
    # behind the first operand of some programs an option is an operand to them, and still an option to people
    return _in_order(wanted, [(word, _is_flag(word.shape)) for word in given], test, whole=not reading.loose)


def _has_option(wanted: tuple[str, Glob | None], given: Invocation, programs: Programs, test: Test) -> bool:
    name, value = wanted
    for option in given.options:
        if _same_name(given.program, name, option.name, programs) and (
            value is None or (option.value is not None and test(value, option.value))
        ):
            return True
    if test is _is:
        return False
    loose = [*given.operands, *(Word(option.name, option.name) for option in given.options if not option.known)]
    return given.holes or any(word.shape.startswith((HOLE, "-")) and HOLE in word.shape for word in loose)


def _same_name(program: str, pattern: str, given: str, programs: Programs) -> bool:
    if STAR in pattern:
        return Glob.of(pattern, STAR).matches(given)
    return programs.same_option(program, pattern, given)


def _undescribed(reading: Reading, words: Sequence[Word], test: Test) -> bool:
    before, after = _parted(words, lambda word: word.text == "--")
    flags = [word for word in before if _is_flag(word.shape)]
    candidates = [*flags, *before] if test is _may_be else flags
    if not all(any(_is_given(flag, word, test) for word in candidates) for flag in reading.flags):
        return False
    plain = [*_plain(before, reading, test), *((word, False) for word in after)]
    return _in_order(list(reading.plain), plain, test, whole=not reading.loose, fixed=reading.fixed)


def _is_given(flag: Glob, word: Word, test: Test) -> bool:
    return test(flag, word) or test(Glob((*flag.pieces[:-1], flag.pieces[-1] + "=", "")), word)


def _plain(words: Iterable[Word], reading: Reading, test: Test) -> Iterator[tuple[Word, bool]]:
    """The words that are no options; with each, whether it may be the value of an option before it."""
    value = False
    for word in words:
        if _is_flag(word.shape):
            value = not any(_is_given(flag, word, test) for flag in reading.flags) and "=" not in word.shape
        else:
            yield word, value
            value = False


def _in_order(
    wanted: list[Glob], given: Sequence[tuple[Word, bool]], test: Test, *, whole: bool, fixed: int = 0
) -> bool:
    """Whether the wanted words come in order among the given ones, each with whether it may be skipped.

    ``whole``: only skippable ones stand between. The same holds before and among the first ``fixed`` of them.
    """
    wanted = [glob for glob in wanted if not glob.everything]
    reached = {0}
    for word, skippable in given:
        following: set[int] = set()
        several = test is _may_be and _several(word)
        for state in reached:
            if skippable or several or (not whole and state >= fixed):
                following.add(state)
            at = state
            while at < len(wanted) and (test(wanted[at], word) or (at > state and HOLE in word.shape)):
                at += 1
                following.add(at)
                if not several:
                    break
        reached = following
    return len(wanted) in reached


def _is(glob: Glob, word: Word) -> bool:
    return glob.matches(word.shape) and HOLE not in word.shape


def _may_be(glob: Glob, word: Word) -> bool:
    return glob.meets(_shape(word))


def _shape(word: Word) -> Glob:
    """What a word may be, or the first of the words that it may become: a hole may hold a blank."""
    if not word.glob:
        first, hole, _ = word.shape.partition(HOLE)
        return Glob.of(first + hole, HOLE) if hole and not word.quoted else Glob.of(word.shape, HOLE)
    special = [at for at, letter in enumerate(word.shape) if letter in _GLOB_CHARACTERS or letter == HOLE]
    if not special:
        return Glob((word.shape, ""))
    return Glob((word.shape[: special[0]], word.shape[special[-1] + 1 :]))


def _several(word: Word) -> bool:
    """Whether the shell may make several words of it, or none."""
    return word.glob or (HOLE in word.shape and not word.quoted)


def _invoke(words: Sequence[Word], programs: Programs) -> Invocation | None:
    name = words[0].shape.replace("\\", "/").rpartition("/")[2]
    for candidate in dict.fromkeys((words[0].shape, name, base_name(name))):
        if (found := programs.invoke([Word(candidate, candidate), *words[1:]])) is not None:
            return found
    return None


def _value(option: Option) -> Glob | None:
    return None if option.value is None else Glob.of(option.value.shape, STAR)


def _globs(words: Iterable[str]) -> tuple[Glob, ...]:
    return tuple(Glob.of(word, STAR) for word in words)


def _is_flag(word: str) -> bool:
    return len(word) > 1 and word.startswith("-") and word != "--"


def _parted(words: Sequence[T], divides: Callable[[T], bool]) -> tuple[list[T], list[T]]:
    before = list(takewhile(lambda word: not divides(word), words))
    return before, list(words[len(before) + 1 :])
