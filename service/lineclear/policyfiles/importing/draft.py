"""A policy in the making: rules that were carried over, and a note for each entry that isn't what it was.

Nothing is carried over that the loader wouldn't take, and nothing is left out in silence.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from lineclear.core.rules.faults import RuleFault
from lineclear.core.rules.rule import Effect, Layer, Origin
from lineclear.policyfiles import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.core.call import JSON
    from lineclear.policyfiles.vocabulary import Vocabulary


class Fate(StrEnum):
    """What became of an entry."""

    CARRIED = "carried"
    """Carried over as it is."""
    CHANGED = "changed"
    """Carried over, and it means something else in a way that the note says."""
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Note:
    """One entry, where it stood, and what is to be known of it."""

    fate: Fate
    where: str
    entry: str
    why: str

    def __str__(self) -> str:
        return f"{self.fate}: {self.where}: `{self.entry}`: {self.why}"


@dataclass(slots=True)
class Draft:
    """What is being made of one or several files. ``where`` of an entry names file and key."""

    vocabulary: Vocabulary
    default_mode: str | None = None
    notes: list[Note] = field(default_factory=list)
    _fates: dict[tuple[str, str], Fate] = field(default_factory=dict)
    _rules: dict[Effect, dict[str, None]] = field(default_factory=lambda: {effect: {} for effect in reversed(Effect)})

    def carry(self, effect: Effect, text: str, where: str, entry: str | None = None) -> bool:
        """Add a short rule, or note why it can't be one; true if it was added or is there already."""
        told = text if entry is None else entry
        if any(unicodedata.category(letter) == "Cs" for letter in text):
            self.drop(where, told, "it holds half of a character")
            return False
        try:
            short.rule(text, effect, Layer.ORGANISATION, Origin(where, 1, 1), self.vocabulary)
        except RuleFault as fault:
            self.drop(where, told, str(fault))
            return False
        self._rules[effect][text] = None
        before = self._fates.setdefault((where, told), Fate.CARRIED)
        if before is Fate.DROPPED:
            self._fates[where, told] = Fate.CHANGED
        return True

    def change(self, where: str, entry: str, why: str) -> None:
        """Note that an entry means something else here."""
        self.notes.append(Note(Fate.CHANGED, where, entry, why))
        self._fates[where, entry] = Fate.CHANGED

    def drop(self, where: str, entry: str, why: str) -> None:
        """Note that an entry isn't carried over."""
        self.notes.append(Note(Fate.DROPPED, where, entry, why))
        carried = self._fates.get((where, entry), Fate.DROPPED) is not Fate.DROPPED
        self._fates[where, entry] = Fate.CHANGED if carried else Fate.DROPPED

    @property
    def fates(self) -> dict[tuple[str, str], Fate]:
        """What became of each entry, by its place and its text: of one with several rules, the least faithful."""
        return dict(self._fates)

    @property
    def rules(self) -> dict[Effect, list[str]]:
        """The short rules by effect."""
        return {effect: list(texts) for effect, texts in self._rules.items()}

    def as_yaml(self) -> str:
        """The policy file, with the notes as comments."""
        return "\n".join(self._lines()) + "\n"

    def as_json(self) -> dict[str, JSON]:
        """The rules and the notes for machines."""
        return {
            "permissions": {effect.value: list(texts) for effect, texts in self._rules.items()},
            "default_mode": self.default_mode,
            "notes": [
                {"fate": note.fate.value, "where": note.where, "entry": note.entry, "why": note.why}
                for note in self.notes
            ],
        }

    def _lines(self) -> Iterator[str]:
        yield "# Imported by `lineclear policy import`. Look at the notes, then at what `lineclear policy lint` says."
        for note in self.notes:
            yield f"# {' '.join(_visible(str(note)).split())}"
        yield "version: 1"
        if self.default_mode is not None:
            yield f"modes: {{default: {self.default_mode}}}"
        if any(self._rules.values()):
            yield "permissions:"
        for effect, texts in self._rules.items():
            if texts:
                yield f"  {effect}:"
                yield from (f"    - {_quoted(text)}" for text in texts)


def _quoted(text: str) -> str:
    """A text in YAML's double quotes, all of it to be seen."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(letter if letter.isprintable() else f"\\U{ord(letter):08X}" for letter in escaped) + '"'


def _visible(text: str) -> str:
    """A text that stays within its comment: nothing in it ends a line or is unseen."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
