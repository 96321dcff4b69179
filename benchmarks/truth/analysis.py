"""The analysis under judgement, with the shipped programs, in the environment that the sandbox has."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from benchmarks.truth.observe.sandbox import HOME, SCRATCH

from lineclear import resources
from lineclear.core.call import Dialect, Environment, Platform
from lineclear.core.effects import Proof
from lineclear.core.shell import describe
from lineclear.core.shell.analysis import analyse
from lineclear.core.shell.programs import Programs
from lineclear.policyfiles import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.core.shell.program import Program

ENVIRONMENT = Environment(
    cwd=SCRATCH,
    roots=(SCRATCH,),
    home=HOME,
    platform=Platform.LINUX,
    dialect=Dialect.BASH,
    repository_trusted=True,
)


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the analysis says: whether a command is proven, the programs that it names, else what is in the way."""

    proven: bool
    programs: frozenset[str] = frozenset()
    why: str = ""


class Analysis:
    """The shipped descriptions, read once."""

    def __init__(self) -> None:
        self._programs = Programs.of(_described())

    def opinion(self, command: str) -> Opinion:
        """The opinion of one command."""
        effects = analyse(command, ENVIRONMENT, self._programs)
        if effects.read_only and not effects.hosts:
            names = (command.words[0].shape for command in effects.commands if command.words)
            return Opinion(proven=True, programs=frozenset(PurePosixPath(name).name for name in names))
        if effects.doubt is not None:
            return Opinion(proven=False, why=f"can't be told: {effects.doubt}")
        for part in effects.commands:
            if part.proof not in {Proof.READ_ONLY, Proof.WRAPPER}:
                return Opinion(proven=False, why=part.why or "no reason given")
        return Opinion(proven=False, why="writes a file or connects")


def _described() -> Iterator[Program]:
    for file in sorted((resources.builtin() / "programs").glob("*.yaml")):
        document = yaml.read(file.read_bytes())
        if document is None:
            continue
        plain = document.plain()
        assert isinstance(plain, dict)
        for mapping in plain["programs"]:
            yield describe.program(mapping)
