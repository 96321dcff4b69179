"""What is wrong with a request, place by place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: a JSON pointer (``""`` is the whole), a stable code, a text."""

    pointer: str
    code: str
    message: str


class Malformed(ValueError):
    """The request isn't one; ``problems`` says why."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = tuple(problems)
