"""What an unknown word may be: values that variables had, and what was printed. It speaks against a command only."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct, field

from lineclear.core.shell.operations import operated
from lineclear.core.shell.words import HOLE, Word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MOST = 8
"""How many values of a name are kept, the last ones, and how many readings of a command are made."""

MAX_DEPTH = 1
"""Below how many guesses of what runs variables are looked at: each reading that is made there makes others."""

_LONGEST = 1_000
"""How many characters a value may have that is kept."""

_UNKNOWN = re.compile(
    r"\$\{([A-Za-z_][A-Za-z0-9_]*|[0-9@*])(?:\[([^][{}$`]*)\])?([^{}$`]*)\}|\$([A-Za-z_][A-Za-z0-9_]*|[0-9@*])"
    r"|(\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`)"
)
"""A variable with or without a subscript and an operation, a parameter, or a substitution."""

_LIST = re.compile(r"\(\s*(.*?)\s*\)", re.DOTALL)

_INDEX = re.compile(r"(?:^|(?<=\s))\[[^]\s]*\]=")
"""The place of a list's item, where it is told."""

_PARTS = re.compile(r"[\s,:;]+")
"""What may stand between the parts of a line."""

_QUOTES = str.maketrans("", "", "\"'\\")


class Supposed(Struct):
    """What is known of a text's variables and of what it prints, whatever ran in between."""

    values: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def keep(self, name: str, values: Iterable[str]) -> None:
        """A variable may hold one of some values from now on, or still what it held before."""
        kept = [*self.values.get(name, ()), *(value for value in values if value and len(value) <= _LONGEST)]
        if kept:
            self.values[name] = tuple(dict.fromkeys(kept))[-_MOST:]

    def assign(self, assignment: str, printed: Sequence[str]) -> None:
        """A variable is set as an assignment is spelled (``a=$(pwd)/b``, ``a+=c``)."""
        name, _, raw = assignment.partition("=")
        listed = _LIST.fullmatch(raw)
        raw = raw if listed is None else _INDEX.sub("", listed[1])
        texts = [text for text in self.texts(raw, printed) if HOLE not in text]
        if not _UNKNOWN.search(raw):
            texts.append(raw.translate(_QUOTES))
        if name.endswith("+"):
            name = name.removesuffix("+")
            gap = "" if listed is None else " "
            texts = [before + gap + text for before in self.values.get(name, ("",)) for text in texts]
        if "[@]" in raw or "[*]" in raw:
            texts += [part for text in texts for part in text.split()]
        self.keep(name, texts)

    def read(self, name: str, texts: Iterable[str]) -> None:
        """A variable gets a line of some texts, or a part of one."""
        lines = [line for text in texts for line in text.splitlines()[:_MOST]]
        self.keep(name, [*(part for line in lines for part in _PARTS.split(line)), *lines])

    def readings(self, words: Sequence[Word], printed: Sequence[str]) -> Iterable[list[Word]]:
        """The words with values in place of what can't be known, the last values first; none where nothing is known."""
        unknown = [word for word in words if HOLE in word.shape and _UNKNOWN.search(word.raw)]
        if not unknown:
            return
        made: list[list[Word]] = []
        for back in range(_MOST):
            reading = [piece for word in words for piece in self._pieces(word, printed, back)]
            if made and reading == made[-1]:
                break
            if any(word not in reading for word in unknown):
                made.append(reading)
                yield reading

    def texts(self, raw: str, printed: Sequence[str]) -> list[str]:
        """What a word may be, as it is spelled."""
        made: dict[str, None] = {}
        for back in range(_MOST):
            text = self._filled(raw, printed, back)
            if text is None or text in made:
                break
            made[text] = None
        return list(made)

    def _pieces(self, word: Word, printed: Sequence[str], back: int) -> list[Word]:
        text = self._filled(word.raw, printed, back) if HOLE in word.shape else None
        if text is None:
            return [word]
        pieces = [text] if word.quoted else text.split()
        return [Word(piece, "…" if HOLE in piece else piece) for piece in pieces]  # what is put in is put in once

    def _filled(self, raw: str, printed: Sequence[str], back: int) -> str | None:
        """The word with a value for each of its unknown parts, a hole where none is known; None if none is for any."""
        found = False

        def value(match: re.Match[str]) -> str:
            nonlocal found
            name, subscript, operation, plain, substitution = match.groups()
            text = _last(printed, back) if substitution else self._value(name or plain, operation, printed, back)
            if text is not None and subscript is not None and subscript.isdigit():
                text = next(iter(text.split()[int(subscript) :]), None)
            found = found or text is not None
            return HOLE if text is None else text.rstrip("\n")

        pieces: list[str] = []
        at = 0
        for match in _UNKNOWN.finditer(raw):
            pieces += (raw[at : match.start()].translate(_QUOTES), value(match))
            at = match.end()
        return "".join((*pieces, raw[at:].translate(_QUOTES))) if found else None

    def _value(self, name: str, operation: str | None, printed: Sequence[str], back: int) -> str | None:
        if name in {"@", "*"}:
            return _last(printed, back)
        if name.isdigit():
            words = (_last(printed, back) or "").split()
            return words[int(name) - 1] if 0 < int(name) <= len(words) else None
        held = _last(self.values.get(name, ()), back)
        return operated(held, operation) if operation else held


def _last(values: Sequence[str], back: int) -> str | None:
    """The value so many before the last one, or the first of all; None where there is none."""
    return values[max(len(values) - 1 - back, 0)] if values else None
