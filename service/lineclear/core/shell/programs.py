"""The described programs, by name: the only place where a word becomes a program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lineclear.core.shell.bind import Binding, bind
from lineclear.core.shell.kinds import CHOOSES, Kind
from lineclear.core.shell.optionnames import find_option
from lineclear.core.shell.program import Level, OptionSpec, Style
from lineclear.core.shell.special import expression
from lineclear.core.shell.words import HOLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lineclear.core.shell.invocation import Invocation
    from lineclear.core.shell.program import Program
    from lineclear.core.shell.words import Word

MAX_FITTED = 5
"""How many patterns of one text that stand where a program does are compared with all names."""

SYSTEM_FOLDERS = frozenset(
    {"/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"},
)
"""Folders whose programs are what their names say."""


@dataclass(frozen=True, slots=True)
class Programs:
    """All descriptions. Where two have a name, the later one counts."""

    by_name: Mapping[str, Program]

    @classmethod
    def of(cls, descriptions: Iterable[Program]) -> Programs:
        """Index descriptions by name and aliases."""
        by_name: dict[str, Program] = {}
        for program in descriptions:
            for name in (program.name, *program.aliases):
                by_name[name] = program
        return cls(by_name)

    @property
    def names(self) -> frozenset[str]:
        """Every name and alias."""
        return frozenset(self.by_name)

    def get(self, name: str) -> Program | None:
        """The program of a name, which may be a path or end in ``.exe``."""
        program = self.by_name.get(name)
        return program if program is not None else self.by_name.get(base_name(name))

    def bind(self, words: Sequence[Word]) -> Binding | None:
        """What the first word's description makes of the others, None if it isn't known."""
        if not words or not words[0].literal:
            return None
        program = self.get(words[0].shape)
        return None if program is None else bind(program, words)

    def invoke(self, words: Sequence[Word]) -> Invocation | None:
        """The same for rules, which put their own words through it as well."""
        binding = self.bind(words)
        return None if binding is None else binding.invocation()

    def fitting(self, pattern: str) -> list[str]:
        """The names that a pattern of file names may become where a program stands."""
        return list(filter(expression(pattern.rpartition("/")[2]).match, self.by_name))

    def moves(self, name: str) -> bool:
        """Whether a program changes the shell's directory."""
        program = self.by_name.get(name)
        return program is not None and any(slot.value.kind is Kind.CHDIR for slot in program.level.slots)

    def tells_folder(self, name: str) -> bool:
        """Whether a program, given nothing, prints the directory in which it runs."""
        program = self.by_name.get(name)
        return program is not None and program.level.tells_folder

    def chooses(self, words: Sequence[str]) -> bool:
        """Whether a pattern of these words, with ``*`` in them, lets the caller choose what is executed."""
        first = next((at for at, word in enumerate(words) if "*" in word), None)
        if first is None:
            return False
        program = None if first == 0 else self.get(words[0])
        if program is None:
            return True
        level = program.level
        if level.chooses and not level.subcommands:
            return True
        for word in words[1:first]:
            if level.subcommands and word in level.subcommands:
                level = level.subcommands[word]
            elif level.subcommands and word.startswith("-"):
                continue
            elif level.subcommands:
                return program.level.hands_over
        if level.chooses is None and not level.slots and not level.options and not level.subcommands:
            return False
        return level.hands_over

    def executes(self, invocation: Invocation, option: str) -> bool:
        """Whether a described option of a command executes what it is given."""
        program = self.get(invocation.program)
        level = None if program is None else program.level
        specs: list[OptionSpec] = []
        for word in (*invocation.subcommand, ""):
            if level is not None:
                specs += [spec for spec in (level.options.get(option),) if spec is not None]
                level = level.subcommands.get(word)
        return any(spec.until or (spec.value is not None and spec.value.kind in CHOOSES) for spec in specs)

    def same_option(self, program: str, pattern: str, given: str) -> bool:
        """Whether an option as given is the one of a pattern, or may be it, shortened.

        Both are canonical where the description lists them. A shortening counts although it may be ambiguous: for a
        denial the stricter reading holds.
        """
        if pattern == given:
            return True
        known = self.get(program)
        if known is None or not known.abbreviates or not given.startswith("--") or len(given) < 4:  # noqa: PLR2004
            return False
        return pattern.startswith(given) and not self._listed(known.level, given)

    def _listed(self, level: Level, name: str) -> bool:
        if level.style is Style.GNU and find_option(level, name, abbreviates=False)[0] is not None:
            return True
        return any(self._listed(below, name) for below in level.subcommands.values())


def base_name(name: str) -> str:
    """The name of a program, wherever it lies."""
    name = name.replace("\\", "/").rpartition("/")[2]
    return name[:-4] if name.lower().endswith(".exe") else name


def in_system_folder(name: str) -> bool:
    """Whether a program's word is a bare name, or a path that names it in a system folder."""
    folder, slash, base = name.rpartition("/")
    return bool(base) and HOLE not in name and (not slash or folder in SYSTEM_FOLDERS)
