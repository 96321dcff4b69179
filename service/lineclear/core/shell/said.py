"""What text a command is known to print: another one may take it for a script, or for more words."""

from __future__ import annotations

import re
from itertools import dropwhile
from typing import TYPE_CHECKING

from msgspec import Struct, field

from lineclear.core.shell.ansi import ansi_value
from lineclear.core.shell.kinds import DEEDS
from lineclear.core.shell.program import Names, Says

if TYPE_CHECKING:
    from lineclear.core.shell.reading import Reading

_MOST = 8
"""How many texts, the last ones, are kept of those that one command line prints."""

_OPTION = re.compile(r"-[neE]+")
_PLACE = re.compile(r"%[-+ #0]*[0-9]*(?:\.[0-9]+)?[a-zA-Z]")


class Said(Struct):
    """What was printed so far, each text with the index of the command that printed it."""

    kept: list[tuple[int, str]] = field(default_factory=list)

    def keep(self, index: int, text: str | None) -> None:
        """Keep what a command printed, if that is known."""
        if text is not None:
            self.kept = [*self.kept, (index, text)][-_MOST:]

    @property
    def texts(self) -> list[str]:
        """All that was printed."""
        return [text for _, text in self.kept]

    def before(self, index: int) -> str | None:
        """What the command before one printed."""
        if not self.kept:
            return None
        return next((text for at, text in self.kept if at == index - 1), None)


def said_by(reading: Reading, before: str | None) -> str | None:
    """The text that a command prints, escapes resolved, a hole for what isn't known of it; None where nothing is.

    ``before`` is what the command before it printed, which it may pass on.
    """
    says = reading.binding.level.says
    if says is Says.UNKNOWN:
        return _programs_told(reading) if reading.binding.level.tells else None
    operands = [word.shape for word in reading.binding.operands]
    match says:
        case Says.WORDS:
            words = list(dropwhile(_OPTION.fullmatch, operands))
            return _plain(" ".join(words)) if words else None
        case Says.FORMAT:
            return _plain(_formatted(operands[0], operands[1:])) if operands else None
        case Says.INPUT:
            given = reading.command.stdin if reading.command.stdin is not None else before
            files = [item.word.shape for item in reading.given if not item.option and item.value.kind in DEEDS]
            return given if all(file == "-" for file in files) else None


def _programs_told(reading: Reading) -> str | None:
    """The programs of which a command tells where they lie: where that is doesn't matter to what speaks against it."""
    if all(telling.names is not Names.PROGRAMS for telling in reading.binding.level.tells):
        return None
    return "\n".join(word.shape for word in reading.binding.operands)


def _plain(text: str) -> str:
    value = ansi_value(text) if "\\" in text else None
    return text if value is None else value


def _formatted(text: str, values: list[str]) -> str:
    """The format with its values in place, as often as there are values left."""
    if not _PLACE.search(text):
        return text
    left = iter(values)
    rounds = max(1, -(-len(values) // len(_PLACE.findall(text))))
    return "".join(_PLACE.sub(lambda _: next(left, ""), text) for _ in range(rounds))
