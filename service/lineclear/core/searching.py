"""What a search reads: its patterns are looked for below its folder, whatever the tool calls the two."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lineclear.core.shell.braces import TooManyWords, expand_braces
from lineclear.core.shell.namedfiles import fitting

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST = 200
"""How many patterns of one search are looked at."""

_ANCHORED = re.compile(r"[/\\~]|[A-Za-z]:[/\\]|file:", re.IGNORECASE)
_BETWEEN = re.compile(r"[,\s]+(?![^{}]*\})")
_ANY_DEPTH = re.compile(r"^(?:\*\*/)+")
_WILD = re.compile(r"[*?\[{]")


def searched(texts: Sequence[str]) -> tuple[str, ...] | None:
    """The patterns that a search reads besides its arguments as they stand; None where they are too many to look at.

    Several may stand in one text, with commas or blanks between; braces hold alternatives; what is left out by an
    exclamation mark isn't read. A star of a search stands for a leading dot too. As with what reads all that a folder
    holds, what lies deeper is touched by its name only.
    """
    try:
        found = dict.fromkeys(_all(texts))
    except TooManyWords:
        return None
    return None if len(found) > MOST else tuple(name for name in found if name not in texts)


def _all(texts: Sequence[str]) -> Iterator[str]:
    patterns = [name for text in texts if not _ANCHORED.match(text) for name in _patterns(text)]
    yield from patterns
    for folder in texts:
        if _WILD.search(folder):
            continue
        for pattern in patterns:
            if pattern != folder:
                yield f"{folder.rstrip('/')}/{_ANY_DEPTH.sub('', pattern)}"


def _patterns(text: str) -> Iterator[str]:
    for piece in _BETWEEN.split(text):
        if any(map(str.isalnum, piece)) and not piece.startswith("!"):
            for name, _ in expand_braces(piece, "u" * len(piece)):
                yield from (one for one in fitting(name) if any(map(str.isalnum, one.rpartition("/")[2])))
