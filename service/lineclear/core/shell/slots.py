"""Operands find their places: what each word that is left is for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct, field

from lineclear.core.effects import Deed
from lineclear.core.shell.kinds import DEEDS, Kind
from lineclear.core.shell.words import Word

if TYPE_CHECKING:
    from lineclear.core.shell.bind import Binding
    from lineclear.core.shell.program import Outcome, Slot, Value

_ASSIGNMENT = re.compile(r"[^=]*=")
"""What `env` and its kin put into the environment, whatever the name is."""


class Given(Struct, frozen=True):
    """A word and what it is for. ``single`` is false where a pattern of file names may have become several."""

    value: Value
    word: Word
    single: bool = True
    option: bool = False


class Placed(Struct):
    """What the operands are for."""

    given: list[Given] = field(default_factory=list)
    command: list[Word] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    left: list[Word] = field(default_factory=list)
    slots: tuple[Slot, ...] = ()
    """The places that there are."""

    @property
    def spreads(self) -> bool:
        """Whether any number of words has a place, and in none of these a word means more than text or reading."""
        return any(slot.most is None for slot in self.slots) and all(
            slot.value.kind is Kind.TEXT or DEEDS.get(slot.value.kind) == (Deed.READ,) for slot in self.slots
        )


def place_operands(binding: Binding) -> Placed:
    """Give each operand of a command its place."""
    slots = _open(binding)
    placed = Placed(slots=slots)
    words = list(binding.operands)
    ending: list[tuple[Slot, Word]] = []
    for slot in reversed([slot for slot in slots if slot.last]):
        if words:
            ending.append((slot, words.pop()))
        elif slot.least:
            placed.faults.append("an operand is missing")
    for slot in slots:
        if not slot.last:
            words = _fill(slot, words, placed)
    for slot, word in reversed(ending):
        _give(slot, word, placed, single=False)
    if words:
        placed.left = words
        placed.faults.append(f"the operand `{words[0].raw}` isn't described")
    return placed


def _open(binding: Binding) -> tuple[Slot, ...]:
    """The places that there are, by the options that are given."""
    slots = binding.level.slots
    if not binding.bound:
        return tuple([slot for slot in slots if not slot.when])
    given_options = {name for bound in binding.bound for name in bound.spec.names}
    for bound in binding.bound:
        if bound.spec.slots is not None:
            slots = bound.spec.slots
    return tuple(
        slot for slot in slots if not (slot.unless & given_options) and (not slot.when or slot.when & given_options)
    )


def _fill(slot: Slot, words: list[Word], placed: Placed) -> list[Word]:
    if slot.value.kind is Kind.COMMAND:
        placed.command = words
        if slot.value.without:
            barred = (word.raw for word in words if any(part in word.shape for part in slot.value.without))
            placed.faults += [f"`{raw}` isn't known to be harmless there" for raw in barred]
        if words and slot.outcome is not None:
            placed.outcomes.append(slot.outcome)
        return []
    count = 0
    while count < len(words) and (slot.most is None or count < slot.most):
        word = words[count]
        if slot.value.kind is Kind.ASSIGNMENT and not _ASSIGNMENT.match(word.shape):
            break
        _give(slot, word, placed, single=slot.most is not None)
        count += 1
    if count < slot.least:
        placed.faults.append("an operand is missing")
    if count == 0 and slot.default is not None:
        placed.given.append(Given(slot.value, Word(slot.default, slot.default)))
    return words[count:]


def _give(slot: Slot, word: Word, placed: Placed, *, single: bool) -> None:
    placed.given.append(Given(slot.value, word, single))
    placed.writes.extend(slot.writes)
    if slot.outcome is not None:
        placed.outcomes.append(slot.outcome)
