"""What is wrong with policy files: each problem with its place and what to do; all of them at once where possible."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One fault of one file; line and column count from 1. ``file`` is relative to the policies' folder."""

    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


class PolicyError(Exception):
    """The files can't become a policy; nothing of them is in force."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__("\n".join(str(problem) for problem in self.problems))


class Fault(ValueError):
    """A problem at a place of the file that is being read."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.column = column

    def within(self, what: str) -> Fault:
        """The same fault, said to lie within something that has a name."""
        return Fault(self.line, self.column, f"{what}: {self}")

    def of(self, file: str) -> Problem:
        """The problem of a file."""
        return Problem(file, self.line, self.column, str(self))


class Problems:
    """Gathers problems, so that a person sees all of them and not the first alone."""

    def __init__(self) -> None:
        self.found: list[Problem] = []

    @contextmanager
    def of(self, file: str) -> Iterator[None]:
        """Note a fault of a file, and go on behind the block."""
        try:
            yield
        except Fault as fault:
            self.found.append(fault.of(file))

    def check(self) -> None:
        """Raise ``PolicyError`` if there was any."""
        if self.found:
            raise PolicyError(self.found)
