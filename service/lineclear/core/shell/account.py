"""What is said of a command as a whole: proven to only read, not so, or can't say; with the parts that were seen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from lineclear.core.effects import Access, Proof
from lineclear.core.shell.analysis import analyse
from lineclear.core.shell.words import HOLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.core.call import Environment
    from lineclear.core.effects import Command, Effects, Touch
    from lineclear.core.policy import Policy


class Answer(StrEnum):
    """Whether a command only reads."""

    PROVEN = "proven"
    NO = "no"
    """It writes, connects, or names a path that is protected from reading."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Part:
    """One simple command. A word is None where it can't be known, and a path is as it is spelled where its place can't.

    ``executes`` are the commands that it runs in turn, as they stand in the text; each is a part of its own.
    """

    text: str
    words: tuple[str | None, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    executes: tuple[str, ...]
    network: tuple[str, ...]
    why: str
    """What stopped its proof; empty where it is proven."""


@dataclass(frozen=True, slots=True)
class Account:
    """The answer for one command, the first reason for it, and the parts that were seen."""

    command: str
    read_only: Answer
    reason: str
    parts: tuple[Part, ...]


def account(command: str, environment: Environment, policy: Policy) -> Account:
    """What would be said of a command in an environment. Redirects of several commands at once belong to the last."""
    effects = analyse(command, environment, policy.programs)
    answer, reason = _answer(effects, environment, policy)
    certain = [part for part in effects.commands if not part.guessed]
    return Account(command, answer, reason, tuple(_part(part, certain, effects) for part in certain))


def _answer(effects: Effects, environment: Environment, policy: Policy) -> tuple[Answer, str]:
    if effects.doubt is not None:
        return Answer.UNKNOWN, f"its structure can't be told: {effects.doubt}"
    written = next((touch for touch in effects.touches if _described(touch, effects)), None)
    if written is not None:
        return Answer.NO, f"it may {written.deed} `{written.spelled}`"
    if effects.hosts:
        return Answer.NO, f"it connects to `{effects.hosts[0].url}`"
    for touch in effects.touches:
        if breached := policy.protections.breached(touch, environment):
            return Answer.NO, f"`{touch.spelled}` is protected ({breached[0].id})"
    if effects.read_only:
        return Answer.PROVEN, "each part is proven to only read"
    unproven = (part for part in effects.commands if part.proof not in {Proof.READ_ONLY, Proof.WRAPPER})
    return Answer.UNKNOWN, next((part.why for part in unproven if part.why), "nothing in it runs")


def _described(touch: Touch, effects: Effects) -> bool:
    """Whether a touch is a write that somebody described: an unknown program isn't known to do anything."""
    by = None if touch.redirect or touch.by is None else effects.commands[touch.by]
    return touch.deed.access is Access.WRITE and (by is None or (by.invocation is not None and not by.guessed))


def _part(command: Command, certain: Sequence[Command], effects: Effects) -> Part:
    own = [touch for touch in effects.touches if touch.by == command.index]
    return Part(
        text=command.text,
        words=tuple(None if HOLE in word.shape else word.shape for word in command.words),
        reads=_paths(own, Access.READ),
        writes=_paths(own, Access.WRITE),
        executes=tuple(other.text for other in certain if other.wrapper == command.index),
        network=tuple(dict.fromkeys(host.url for host in effects.hosts if host.by == command.index)),
        why=command.why,
    )


def _paths(touches: list[Touch], access: Access) -> tuple[str, ...]:
    found = (touch for touch in touches if touch.deed.access is access)
    return tuple(
        dict.fromkeys(
            touch.spelled if touch.place is None or touch.place.adrift else touch.place.lexical for touch in found
        )
    )
