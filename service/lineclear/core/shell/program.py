"""A program as its description tells it: options, operands, subcommands, and what they amount to."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import TYPE_CHECKING

from lineclear.core.shell.kinds import CHOOSES, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineclear.core.call import Dialect


class Outcome(Enum):
    """What running a program amounts to, when all that it was given is described. The greater, the worse."""

    READ = 0
    """It only reads."""
    EDIT = 1
    """It does nothing but what its described paths tell."""
    OTHER = 2

    @classmethod
    def worst(cls, first: Outcome, second: Outcome) -> Outcome:
        """The worse of the two."""
        return first if first.value >= second.value else second


class Style(StrEnum):
    """How options are spelled."""

    GNU = "gnu"
    """``-abc`` is a cluster, ``--long=value``, options and operands in any order."""
    WORDS = "words"
    """``-long`` is one option (``-long value``, ``-long=value``)."""
    PAIRS = "pairs"
    """``name=value``, without dashes."""
    NONE = "none"
    """There are no options: every word is an operand."""


class Form(StrEnum):
    """How an option takes its value."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    """Only attached to it: ``-i.bak``, ``--color=auto``; the next word is never it."""
    SEPARATE = "separate"
    """Only the next word: what stands behind its letter in a cluster are more options."""


class Freedom(StrEnum):
    """What a word may do that could turn out to be an option, because nobody knows how it begins."""

    NONE = "none"
    READS = "reads"
    """No option of the program does more than read: a pattern of file names may begin with anything."""
    HARMLESS = "harmless"
    """No option of the program matters at all: a word that nobody knows may stand anywhere."""


class Says(StrEnum):
    """What text a program prints, which another one may take for a script."""

    UNKNOWN = "unknown"
    WORDS = "words"
    """Its operands, with blanks between."""
    FORMAT = "format"
    """Its first operand, with the others in their places."""
    INPUT = "input"
    """What it is given, where no operand names a file."""


class Names(StrEnum):
    """Which names a program prints, one a line, and nothing else."""

    BELOW = "below"
    """Paths that begin with those that it is given; if it is given none, below the directory in which it runs."""
    HERE = "here"
    """Names below the directory in which it runs, or the paths that it is given, as they are or in them."""
    INPUT = "input"
    """Some lines of its input as they are, if it is given no path."""
    PROGRAMS = "programs"
    """Where the programs lie whose names it is given."""
    NUMBER = "number"
    """No names, but a number from 0 on, or several, one a line."""
    DIGESTS = "digests"
    """No names, but digests, or else its operands as they are: words that begin with no dash and hold no blank."""


class See(StrEnum):
    """Who looks past a wrapper to what it runs, besides deny and ask rules."""

    NOBODY = "nobody"
    RULES = "rules"
    """Allow rules: but it does something of its own, so nothing is proven."""
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Value:
    """What a word is for. ``words`` and ``begins`` narrow a ``CHOICE``; ``recursive`` a path to all that it holds."""

    kind: Kind
    words: frozenset[str] = frozenset()
    begins: tuple[str, ...] = ()
    recursive: bool = False
    into: bool = False
    """A path that may be a folder, into which others are put."""
    dash: bool = False
    """A path that is written, but the output where it is a dash; elsewhere that is a file of this name."""
    without: tuple[str, ...] = ()
    """What the word must not hold."""
    ends: tuple[str, ...] = ()
    """How the word has to end: any other is no fault of the command, but nothing is proven of it."""
    strips: tuple[str, ...] = ()
    """Ends of a path without which what comes of it is called (``.gz``)."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for operands.

    ``most`` is None for any number. ``last`` slots are filled from the end. ``unless`` and ``when`` name options that
    take the place away, or give it. ``default`` is what the program takes where nothing is given.
    """

    value: Value
    least: int = 0
    most: int | None = 1
    last: bool = False
    unless: frozenset[str] = frozenset()
    when: frozenset[str] = frozenset()
    default: str | None = None
    outcome: Outcome | None = None
    writes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """An option. ``names`` begins with its canonical spelling."""

    names: tuple[str, ...]
    value: Value | None = None
    form: Form = Form.REQUIRED
    more: int = 0
    """How many words follow its value that are text, whatever they look like."""
    until: frozenset[str] = frozenset()
    """The words that end a wrapped command. Two with a blank between end one that gets many of what is found at once;
    the first of them is its last word."""
    outcome: Outcome | None = None
    dry_run: bool = False
    recursive: bool = False
    """Paths are meant with all that they hold."""
    narrows: bool = False
    """Only what fits its value is meant, below the paths."""
    opaque: bool = False
    """Allow rules don't look past the wrapper beside it."""
    picks: bool = False
    """Its value is a pattern of text that singles out what is found."""
    replaces: bool = False
    """Its value is the text that stands for each input in the wrapped command."""
    slots: tuple[Slot, ...] | None = None
    """The operands as they are where this option is given."""
    writes: tuple[str, ...] = ()
    """Paths that are written although nobody names them."""
    alone: frozenset[str] = frozenset()
    """Options beside which it may mean something else."""
    closes: bool = False
    """Names that it reads or prints end with a NUL."""
    elsewhere: bool = False
    """Its command runs in the folder of what is found, which is given by its name there."""
    final: bool = False
    """Whatever follows is an operand, and more of its value where that is a script."""
    whole: bool = False
    """What is put into a folder keeps all of its path there, not only its name."""
    saves: bool | None = None
    """Whether what a URL names is written under its last name, None where it changes nothing about that."""
    unpacks: bool = False
    """The archive that another option names is only read."""
    input: bool = False
    """Its input is read, whatever operands there are."""

    @property
    def name(self) -> str:
        """The canonical spelling."""
        return self.names[0]


@dataclass(frozen=True, slots=True)
class Telling:
    """The names that a program prints: with no other options than ``options``, and with one of ``needs``, if any.

    ``given`` are the operands with which it does, if it isn't with any; ``most`` is how many there may be, None for any
    number.
    """

    names: Names
    options: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Level:
    """A program, or one of its subcommands."""

    options: Mapping[str, OptionSpec] = field(default_factory=dict)
    slots: tuple[Slot, ...] = ()
    subcommands: Mapping[str, Level] = field(default_factory=dict)
    outcome: Outcome = Outcome.OTHER
    bare: Outcome | None = None
    """What it amounts to without operands, where that differs."""
    style: Style = Style.GNU
    options_first: bool = False
    """The first operand ends the options."""
    late: frozenset[str] = frozenset()
    """Short options that may stand behind that operand all the same."""
    exact: bool = False
    """An option is one whole word of letters, digits, dashes and underlines; nothing is attached to it."""
    digits: bool = False
    """``-5`` is an option."""
    bundled: bool = False
    """The first operand may be a cluster without dash."""
    anywhere: bool = False
    """Its options may also stand behind a subcommand."""
    symbols: frozenset[str] = frozenset()
    """Words that only give structure."""
    widening: frozenset[str] = frozenset()
    """Options and symbols beside which nothing narrows the paths any more."""
    freedom: Freedom = Freedom.NONE
    refuses: tuple[str, ...] = ()
    """Beginnings with which an operand or a value would mean something else than is described (``@options.txt``)."""
    see: See = See.NOBODY
    keeps: frozenset[str] = frozenset()
    """Options beside which it puts lines of its input, or parts of them, into its variables."""
    ignores: frozenset[str] = frozenset()
    """Names that may be set for it alone, because they change nothing but how it takes words apart."""
    trusted_repository: bool = False
    """It obeys the configuration of the repository in which it runs."""
    appends: bool = False
    """The wrapped command gets more words, from input."""
    tells_folder: bool = False
    """Without any other word it prints the directory in which it runs, and nothing else."""
    chooses: bool | None = None
    writes: tuple[str, ...] = ()
    tells: tuple[Telling, ...] = ()
    """The names that it prints, by its options, where it prints nothing else."""
    speaks: Dialect | None = None
    """The dialect in which it reads the scripts that it is given, None where that is the one of whoever runs it."""
    saves: bool = False
    """What a URL names is written under its last name."""
    same_shell: bool = False
    """What it runs runs in the shell itself, whose directory it may change."""
    input: bool = False
    """Its input is read, whatever operands there are."""
    says: Says = Says.UNKNOWN
    """What text it prints."""
    stands: tuple[str, ...] = ()
    """What stands for each input in the wrapped command, unless an option says otherwise."""
    stdin: Kind | None = None
    """What the program takes its input for, where that matters."""

    @property
    def only_texts(self) -> bool:
        """Whether every word is a text, whatever it is and however many there are."""
        dashes = self.style is Style.NONE or self.freedom is Freedom.HARMLESS
        return dashes and not self.subcommands and all(slot.value.kind is Kind.TEXT for slot in self.slots)

    @property
    def hands_over(self) -> bool:
        """Whether a caller who may add words chooses what is executed."""
        if self.chooses is not None:
            return self.chooses
        specs = self.options.values()
        return (
            any(slot.value.kind in CHOOSES for slot in self.slots)
            or any(spec.value is not None and spec.value.kind in CHOOSES for spec in specs)
            or any(slot.value.kind in CHOOSES for spec in specs for slot in spec.slots or ())
            or any(level.hands_over for level in self.subcommands.values())
        )


@dataclass(frozen=True, slots=True)
class Program:
    """A described program. ``read_only`` and ``not_read_only`` are its examples, commands each."""

    name: str
    level: Level
    aliases: tuple[str, ...] = ()
    abbreviates: bool = True
    """Long options may be shortened."""
    read_only: tuple[str, ...] = ()
    not_read_only: tuple[str, ...] = ()
