"""Words are bound to a description: which is an option, which its value, which the subcommand, which an operand.

What the description doesn't say is a fault, and a command with a fault is never proven.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct, field

from lineclear.core.shell.invocation import Invocation, Option
from lineclear.core.shell.kinds import Kind
from lineclear.core.shell.optionnames import find_option
from lineclear.core.shell.program import Form, Freedom, Level, OptionSpec, Outcome, Style
from lineclear.core.shell.words import HOLE, Word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.core.shell.program import Program

NUMBER_OPTION = "-NUM"
"""The canonical spelling of an option that is a number."""

_NO_OPTION = re.compile(r"-[^A-Za-z0-9@?#.-]")

_DIGITS = re.compile(r"-[0-9]+")


class Bound(Struct, frozen=True):
    """An option that is listed, with what it was given: a value, or the words of a command."""

    spec: OptionSpec
    value: Word | None = None
    command: tuple[Word, ...] = ()
    several: bool = False
    """Whether the command gets many of what is found at once, not one each time."""


class Binding(Struct):
    """What became of the words of one command."""

    program: Program
    level: Level
    subcommand: list[str] = field(default_factory=list)
    bound: list[Bound] = field(default_factory=list)
    options: list[Option] = field(default_factory=list)
    operands: list[Word] = field(default_factory=list)
    plain: int = 0
    """How many of the operands, from the first, could have been taken for options."""
    faults: list[str] = field(default_factory=list)
    undescribed: list[Word] = field(default_factory=list)
    """Options that the description doesn't list, and the word behind each, which may be its value."""
    holes: bool = False

    def invocation(self) -> Invocation:
        """The same for rules."""
        return Invocation(
            program=self.program.name,
            subcommand=tuple(self.subcommand),
            options=tuple(self.options),
            operands=tuple(self.operands),
            holes=self.holes,
        )


def bind(program: Program, words: Sequence[Word]) -> Binding:
    """Read ``words``, the first of which is the program, by its description."""
    return _Binder(program, words).run()


class _Binder:
    def __init__(self, program: Program, words: Sequence[Word]) -> None:
        self.words = words
        self.at = 1
        self.ended = False
        self.outer: list[Level] = []
        self.out = Binding(program, program.level)

    def run(self) -> Binding:
        out = self.out
        self.ended = out.level.style is Style.NONE
        if out.level.bundled:
            self._bundle()
        while self.at < len(self.words):
            word = self.words[self.at]
            shape = word.shape
            self.at += 1
            if self.ended and (not out.level.late or shape[:2] not in out.level.late):
                self._operand(word)
            elif shape == "--" and self._ends_options():
                self.ended = True
                out.plain = len(out.operands)
            elif shape.startswith("-") and shape != "-" and not self._never_option(shape):
                self._option(word)
            elif shape[:1] == "+" and shape in out.level.options:
                self._take(out.level.options[shape], word, None)
            elif shape in out.level.symbols:
                out.options.append(Option(shape))
            elif out.level.style is Style.PAIRS and shape.partition("=")[0] in out.level.options:
                self._long(word)
            else:
                if shape.startswith(HOLE):
                    out.holes = True
                if self._subcommand(word):
                    continue
                out.operands.append(word)
                if out.level.options_first:
                    self.ended = True
                    out.plain = len(out.operands)
        if not self.ended:
            out.plain = len(out.operands)
        return out

    def _ends_options(self) -> bool:
        """Whether options end at two dashes: not for certain where each is a word, or where these are one."""
        level = self.out.level
        return level.style is Style.GNU and "--" not in level.options

    def _never_option(self, shape: str) -> bool:
        """Whether a word behind a dash is no option of a program none of whose options does harm."""
        level = self.out.level
        return level.freedom is not Freedom.NONE and _NO_OPTION.match(shape) is not None

    def _operand(self, word: Word) -> None:
        if HOLE in word.shape and not word.quoted:
            self.out.holes = True
        self.out.operands.append(word)

    def _subcommand(self, word: Word) -> bool:
        out = self.out
        if not out.level.subcommands or out.operands:
            if HOLE in word.shape and not word.quoted:
                out.holes = True
            return False
        if not word.literal:
            out.holes = True
            out.faults.append("its subcommand isn't known")
            return False
        level = out.level.subcommands.get(word.shape)
        if level is None:
            if out.level.slots:
                return False
            out.faults.append(f"its subcommand `{word.shape}` isn't described")
            level = Level(style=out.level.style)
        if any(bound.spec.outcome is Outcome.READ for bound in out.bound):
            out.faults.append(f"the subcommand `{word.shape}` stands behind an option that makes it a read")
        if out.level.anywhere:
            self.outer.append(out.level)
        out.subcommand.append(word.shape)
        out.level = level
        self.ended = level.style is Style.NONE
        return True

    def _lookup(self, name: str) -> tuple[OptionSpec | None, bool]:
        for level in (self.out.level, *reversed(self.outer)):
            spec, exact = find_option(level, name, abbreviates=self.out.program.abbreviates)
            if spec is not None:
                return spec, exact
        return None, False

    def _option(self, word: Word) -> None:
        out = self.out
        shape = word.shape
        if not word.literal:
            out.holes = True
        if out.level.style is Style.WORDS or shape.startswith("--"):
            self._long(word)
        elif out.level.digits and _DIGITS.fullmatch(shape):
            out.options.append(Option(NUMBER_OPTION, Word(shape[1:], shape[1:])))
        elif shape in out.level.options:
            self._take(out.level.options[shape], word, None)
        else:
            self._cluster(word, shape[1:], following=False)

    def _long(self, word: Word) -> None:
        name, equals, value = word.shape.partition("=")
        spec, exact = self._lookup(name)
        if spec is None and self.out.level.style is Style.WORDS and name.startswith("--"):
            spec, exact = self._lookup(name[1:])
        if spec is None:
            self._unlisted(name, _part(word, value) if equals else None)
            self._undescribed(word)
            return
        if not exact and self.out.level.style is not Style.WORDS:
            self.out.faults.append(f"option `{name}` is shortened")
        if equals and spec.value is None:
            self.out.faults.append(f"option `{name}` takes no value")
        self._take(spec, word, _part(word, value) if equals else None)

    def _take(self, spec: OptionSpec, word: Word, attached: Word | None) -> None:
        out = self.out
        if HOLE in word.shape and attached is None:
            out.faults.append("an option isn't known")
        if spec.until or (spec.value is not None and spec.value.kind is Kind.COMMAND):
            self._command(spec)
            return
        value = attached
        if spec.value is not None and value is None and spec.form is not Form.OPTIONAL:
            if self.at < len(self.words):
                value = self.words[self.at]
                self.at += 1
                if HOLE in value.shape and not value.quoted:
                    out.holes = True
            else:
                out.faults.append(f"option `{spec.name}` has no value")
        for other in self.words[self.at : self.at + spec.more]:
            if not other.literal and (other.glob or not other.quoted):
                out.faults.append(f"`{other.raw}` may become several words")
        if spec.outcome is Outcome.OTHER:
            out.undescribed += self.words[self.at : self.at + spec.more]
        self.at += spec.more
        if self.at > len(self.words):
            out.faults.append(f"option `{spec.name}` has too few values")
        out.options.append(Option(spec.name, value))
        out.bound.append(Bound(spec, value))
        if spec.final:
            self.ended = True
            out.plain = len(out.operands)

    def _command(self, spec: OptionSpec) -> None:
        start, several = self.at, False
        while self.at < len(self.words):
            shape = self.words[self.at].shape
            several = self.at > start and f"{self.words[self.at - 1].shape} {shape}" in spec.until
            if several or shape in spec.until:
                break
            self.at += 1
        words = tuple(self.words[start : self.at])
        if self.at < len(self.words):
            self.at += 1
        elif spec.until:
            self.out.faults.append(f"option `{spec.name}` isn't closed")
        self.out.options.append(Option(spec.name))
        self.out.bound.append(Bound(spec, None, words, several))

    def _cluster(self, word: Word, letters: str, *, following: bool) -> None:
        """Short options in one word; ``following`` where their values are the next words, whatever is left."""
        index = 0
        unlisted = False
        seen: set[str] = set()
        while index < len(letters):
            letter = letters[index]
            index += 1
            if letter in seen:
                continue
            spec, exact = self._lookup(f"-{letter}")
            if spec is None or spec.value is None:
                seen.add(letter)
            if spec is None or not exact:
                self._unlisted(f"-{letter}", None)
                unlisted = True
            elif spec.value is not None and not following and index < len(letters) and spec.form is not Form.SEPARATE:
                self._take(spec, word, _part(word, letters[index:]))
                break
            else:
                if spec.form is Form.SEPARATE and index < len(letters):
                    self.out.faults.append(f"the value of `{spec.name}` is the next word, not what is attached to it")
                self._take(spec, Word(f"-{letter}", word.raw), None)
        if unlisted:
            self._undescribed(word)
            if len(letters) > 1:
                name, equals, value = word.shape.partition("=")
                self.out.options.append(Option(name, _part(word, value) if equals else None, known=False))

    def _bundle(self) -> None:
        if self.at < len(self.words):
            word = self.words[self.at]
            if not word.shape.startswith("-") and not word.shape.startswith(HOLE):
                self.at += 1
                self._cluster(word, word.shape, following=True)

    def _undescribed(self, option: Word) -> None:
        """Nobody knows what an option is for, nor whether the next word is its value."""
        if self.out.level.freedom is Freedom.NONE:
            self.out.undescribed += [option, *self.words[self.at : self.at + 1]]

    def _unlisted(self, name: str, value: Word | None) -> None:
        self.out.faults.append(f"option `{name.replace(HOLE, '…')}` isn't described")
        self.out.options.append(Option(name, value, known=False))


def _part(word: Word, shape: str) -> Word:
    """The end of a word that holds a value: a pattern in it may become several, each behind the same option."""
    holes = HOLE in shape
    return Word(shape, shape.replace(HOLE, "…"), quoted=word.quoted if holes else word.glob, glob=word.glob)
