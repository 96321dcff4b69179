"""Which option a word spells: by its names, shortened where the program takes that, or perhaps one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lineclear.core.shell.program import Freedom
from lineclear.core.shell.words import HOLE

if TYPE_CHECKING:
    from lineclear.core.shell.program import Level, OptionSpec
    from lineclear.core.shell.words import Word

_OPEN = re.compile(r"[*?]|\[(?![A-Za-z0-9_.:]+\])")
"""How a pattern begins that may stand for a dash."""

_CLASS = re.compile(r"\[[^]]*\]")
_NO_OPTION = re.compile(r"[^\w*?-]")
"""What stands in no option that is exactly one word, where a pattern has it as it is."""


def find_option(level: Level, name: str, *, abbreviates: bool) -> tuple[OptionSpec | None, bool]:
    """The option that ``name`` spells, and whether it is spelled out."""
    spec = level.options.get(name)
    if spec is not None:
        return spec, True
    if abbreviates and name.startswith("--") and len(name) > 3:  # noqa: PLR2004 - two dashes and a letter
        meant = {id(spec): spec for full, spec in level.options.items() if full.startswith(name)}
        if len(meant) == 1:
            return next(iter(meant.values())), False
    return None, False


def could_be_option(word: Word, level: Level) -> bool:
    """Whether a word that isn't fully known might begin with a dash and mean something by it."""
    if level.freedom is Freedom.HARMLESS:
        return False
    if word.shape.startswith(HOLE):
        return True
    if word.torn:
        return level.freedom is Freedom.NONE
    if not word.glob or level.freedom is not Freedom.NONE or not _OPEN.match(word.shape):
        return False
    return not (level.exact and _NO_OPTION.search(_CLASS.sub("", word.shape)))
