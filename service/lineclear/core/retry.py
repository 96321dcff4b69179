"""Whether a call may be tried again after it ran, failed, or nobody knows: judged by what it would do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from lineclear.core.course import Result
from lineclear.core.effects import Access, Proof
from lineclear.core.tools import Kind

if TYPE_CHECKING:
    from lineclear.core.facts import Facts

_READING = frozenset({Kind.READ, Kind.SEARCH})


class Advice(StrEnum):
    """What to do about another try."""

    SAFE = "safe"
    """It only reads: try again."""
    CHECK_FIRST = "check_first"
    """It writes: look whether it has, then ask for a new decision."""
    NO = "no"
    """It ran, or what it may have done can't be looked up: a person decides."""


@dataclass(frozen=True, slots=True)
class Retry:
    """The advice; ``check`` names the paths to look at, as the call spells them."""

    advice: Advice
    check: tuple[str, ...] = ()


def retry(facts: Facts, result: Result) -> Retry:
    """The advice for a call of which this was reported."""
    if result is Result.EXECUTED:
        return Retry(Advice.NO)
    if _only_reads(facts):
        return Retry(Advice.SAFE)
    written = tuple(
        dict.fromkeys(touch.spelled for touch in facts.effects.touches if touch.deed.access is Access.WRITE)
    )
    if written and _writes_what_it_says(facts):
        return Retry(Advice.CHECK_FIRST, written)
    return Retry(Advice.NO)


def _only_reads(facts: Facts) -> bool:
    effects = facts.effects
    if facts.tool.kind in _READING and not effects.commands:
        return all(touch.deed.access is Access.READ for touch in effects.touches)
    return effects.read_only and not effects.hosts


def _writes_what_it_says(facts: Facts) -> bool:
    """Whether all that it may have done is in the list of its touches, each of a known place."""
    effects = facts.effects
    if effects.doubt is not None or effects.hosts:
        return False
    if any(touch.place is None or touch.glob for touch in effects.touches):
        return False
    if effects.commands:
        return all(command.proof is not Proof.NONE for command in effects.commands)
    return facts.tool.kind is Kind.EDIT
