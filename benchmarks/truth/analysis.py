"""The analysis under judgement, with the shipped programs, in the environment that the sandbox has."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from benchmarks.truth.observe.sandbox import HOME, SCRATCH

from lineclear import resources
from lineclear.core.call import Dialect, Environment, Platform
from lineclear.core.effects import Effects, Proof
from lineclear.core.shell.analysis import analyse
from lineclear.policyfiles.load import load

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
    """The shipped policy's programs and protected paths, read once."""

    def __init__(self) -> None:
        self._policy = load(resources.policies(), resources.builtin())

    def effects(self, command: str) -> Effects:
        """All that the analysis finds in one command."""
        return analyse(command, ENVIRONMENT, self._policy.programs)

    def opinion(self, command: str) -> Opinion:
        """The opinion of one command: proven is what the shipped policy would let through as a read-only command."""
        effects = self.effects(command)
        if effects.doubt is not None:
            return Opinion(proven=False, why=f"can't be told: {effects.doubt}")
        if not effects.read_only:
            stopped = (part.why for part in effects.commands if part.proof not in {Proof.READ_ONLY, Proof.WRAPPER})
            return Opinion(proven=False, why=next(stopped, "") or "writes a file")
        if effects.hosts:
            return Opinion(proven=False, why="connects")
        if any(self._policy.protections.breached(touch, ENVIRONMENT) for touch in effects.touches):
            return Opinion(proven=False, why="names a protected path")
        names = (command.words[0].shape for command in effects.commands if command.words)
        return Opinion(proven=True, programs=frozenset(PurePosixPath(name).name for name in names))
