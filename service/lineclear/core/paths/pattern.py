"""A path pattern as people write it: an anchor, and steps with ``*``, ``?`` and ``**``; nothing else has a meaning."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

DEEP = "**"
"""The step that stands for any number of folders, none included."""


class PatternError(ValueError):
    """A text that is no path pattern; the message says what to write instead."""


class Anchor(StrEnum):
    """Where a pattern's steps begin."""

    FILE_SYSTEM = "//p"
    """The file system, ``//c/p`` and ``C:/p`` a drive."""
    HOME = "~/p"
    ROOT = "/p"
    """Each workspace root."""
    START = "./p"
    """Each workspace root; for what denies or asks the working directory, too."""
    FREE = "p"
    """Any depth for what denies or asks; see ``PathPattern.bare`` for what allows."""


@dataclass(frozen=True, slots=True)
class PathPattern:
    """A parsed pattern. ``text`` is what was written; two patterns of the same anchor and steps mean the same."""

    text: str
    anchor: Anchor
    steps: tuple[str, ...]

    _REFUSED: ClassVar[tuple[tuple[re.Pattern[str], str], ...]] = (
        (re.compile(r"\A\s*\Z"), "is empty: write a path, or `**` for all"),
        (re.compile(r"\A!"), "begins with `!`: write what is matched, and an exception as a rule or entry of its own"),
        (re.compile(r"[{}]"), "holds a brace: write one pattern for each alternative"),
        (re.compile(r"[\[\]]"), "holds a bracket: write `?` for one character, or one pattern for each alternative"),
        (re.compile(r"\\"), "holds a backslash: write `/` between names"),
        (re.compile(r"(?:\A|/)\.\.(?:/|\Z)"), "holds `..`: write the path that it leads to"),
        (re.compile(r"\A~[^/]"), "names another person's home: write it from `//`"),
        (re.compile(r"[\x00-\x1f\x7f]"), "holds a control character"),
    )

    @classmethod
    def parse(cls, text: str) -> PathPattern:
        """The pattern that a text means; raises ``PatternError`` with advice."""
        for refused, advice in cls._REFUSED:
            if refused.search(text):
                raise PatternError(f"path pattern `{text}` {advice}")
        anchor, rest = _anchored(text)
        steps = tuple(re.sub(r"\*+", "*", step) if step != DEEP else step for step in rest.split("/"))
        return cls(text, anchor, tuple(step for step in steps if step not in {"", "."}))

    @property
    def bare(self) -> bool:
        """Whether it is one name without a folder, which means any depth everywhere."""
        return self.anchor is Anchor.FREE and len(self.steps) == 1 and self.steps[0] != DEEP


def _anchored(text: str) -> tuple[Anchor, str]:
    if re.match(r"[A-Za-z]:(?:/|\Z)", text):
        return Anchor.FILE_SYSTEM, text[0].lower() + text[2:]
    if text.startswith("//"):
        return Anchor.FILE_SYSTEM, text[2:]
    if text.startswith("/"):
        return Anchor.ROOT, text[1:]
    if text.startswith("~"):
        return Anchor.HOME, text[1:]
    if text == "." or text.startswith("./"):
        return Anchor.START, text[1:]
    return Anchor.FREE, text
