"""A finding of the lint: a stable code, a level, the place, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lineclear.core.rules.rule import Origin, Rule


class Level(StrEnum):
    """How much a finding matters."""

    ERROR = "error"
    """It doesn't mean what it says."""
    WARNING = "warning"
    """It most likely isn't what its author wants."""
    NOTE = "note"
    """It can go."""


class Kind(StrEnum):
    """What is found; the codes by which findings are suppressed."""

    COLON_STAR = "colon-star"
    NEVER = "never-matches"
    ONE_SLASH = "one-slash"
    TOO_BROAD = "too-broad"
    SUSPENDED = "suspended"
    SHADOWED = "shadowed"
    DUPLICATE = "duplicate"
    REDUNDANT = "redundant"
    EXPIRED = "expired"
    EXAMPLES = "examples"
    CALLERS_WORD = "callers-word"
    MISSING_DATA = "missing-data"
    UNUSED_IGNORE = "unused-ignore"


LEVELS = {
    Kind.COLON_STAR: Level.ERROR,
    Kind.NEVER: Level.ERROR,
    Kind.ONE_SLASH: Level.WARNING,
    Kind.TOO_BROAD: Level.WARNING,
    Kind.SUSPENDED: Level.WARNING,
    Kind.SHADOWED: Level.WARNING,
    Kind.DUPLICATE: Level.WARNING,
    Kind.REDUNDANT: Level.NOTE,
    Kind.EXPIRED: Level.WARNING,
    Kind.EXAMPLES: Level.WARNING,
    Kind.CALLERS_WORD: Level.WARNING,
    Kind.MISSING_DATA: Level.ERROR,
    Kind.UNUSED_IGNORE: Level.WARNING,
}
"""The level of each kind."""

MEANING = {
    Kind.COLON_STAR: "`:*` is a wildcard at the end of a command pattern only; here it is literal",
    Kind.NEVER: "no call can match the rule",
    Kind.ONE_SLASH: "one slash means the workspace root, and the folder is one of the file system",
    Kind.TOO_BROAD: "the rule allows nearly everything of its kind",
    Kind.SUSPENDED: "in mode `auto` the rule doesn't count: its wildcard chooses what is executed, or it starts agents",
    Kind.SHADOWED: "a stricter rule matches everything that this one does",
    Kind.DUPLICATE: "another rule of the same effect says the same",
    Kind.REDUNDANT: "another rule of the same effect matches everything that this one does",
    Kind.EXPIRED: "the rule's time is over",
    Kind.EXAMPLES: "the rule has no examples of both kinds, so that nothing tests what it means",
    Kind.CALLERS_WORD: "the condition rests on what the caller says of itself",
    Kind.MISSING_DATA: "the condition reads data that nobody wrote, and so fails at each call",
    Kind.UNUSED_IGNORE: "nothing is found that the entry ignores",
}
"""What each kind means, in one clause."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. ``subject`` is the id of what it is about, as ``lint.ignore`` names it."""

    kind: Kind
    subject: str
    file: str
    line: int
    column: int
    message: str

    @property
    def level(self) -> Level:
        """How much it matters."""
        return LEVELS[self.kind]

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.level}: {self.subject}: {self.message} [{self.kind}]"


def of_rule(kind: Kind, rule: Rule, message: str) -> Finding:
    """A finding about a rule."""
    return at(kind, rule.name, rule.origin, message)


def at(kind: Kind, subject: str, origin: Origin, message: str) -> Finding:
    """A finding at a place."""
    return Finding(kind, subject, origin.file, origin.line, origin.column, message)
