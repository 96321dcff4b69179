"""What is said of a command as a whole: proven to only read, not so, or can't say; with the parts that were seen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from lineclear.core.effects import Access, Doubt, Proof
from lineclear.core.shell.analysis import MAX_LENGTH, analyse
from lineclear.core.shell.words import HOLE, SOMETHING
from lineclear.core.shell.wrapped import STAND_IN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lineclear.core.call import Environment
    from lineclear.core.effects import Command, Effects, Touch
    from lineclear.core.policy import Policy

_DOUBTS = {
    Doubt.PARSE_ERROR: "it doesn't parse as a text of the shell",
    Doubt.EMPTY: "nothing in it runs",
    Doubt.TOO_LONG: f"it is longer than {MAX_LENGTH:,} characters",
    Doubt.TOO_MANY_PARTS: "it has more parts than are looked at",
    Doubt.TOO_DEEP: "commands in it are nested deeper than is looked at",
    Doubt.DIALECT: "there is no grammar for this shell",
    Doubt.CONSTRUCT: "it holds a form of the shell that isn't followed",
}

_LONGEST_PIECE = 60
"""Characters of a command that a reason repeats."""


class Answer(StrEnum):
    """Whether a command only reads."""

    PROVEN = "proven"
    NO = "no"
    """It writes, connects, ends something, or names a path that is protected from reading."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Part:
    """One simple command. A word is None where it can't be known, and a path is as it is spelled where its place can't.

    Redirects without a command (``> a``) are a part without words.

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
    try:
        command.encode()
    except UnicodeEncodeError:
        return Account(command, Answer.UNKNOWN, "it isn't text in UTF-8", ())
    effects = analyse(command, environment, policy.programs)
    answer, reason = _answer(effects, environment, policy)
    reason = reason.replace(HOLE, "…")
    certain = [part for part in effects.commands if not part.guessed]
    return Account(command, answer, reason, (*_opened(effects), *(_part(part, certain, effects) for part in certain)))


def _answer(effects: Effects, environment: Environment, policy: Policy) -> tuple[Answer, str]:
    if effects.doubt is not None:
        return Answer.UNKNOWN, f"its structure can't be told ({effects.doubt}): {_unread(effects)}"
    if (harm := _harm(effects)) is not None:
        return Answer.NO, harm
    for touch in effects.touches:
        if breached := policy.protections.breached(touch, environment):
            return Answer.NO, f"`{touch.spelled}` is protected ({breached[0].id})"
    if effects.read_only:
        return Answer.PROVEN, "each part is proven to only read"
    unproven = (part for part in effects.commands if part.proof not in {Proof.READ_ONLY, Proof.WRAPPER})
    return Answer.UNKNOWN, next((part.why for part in unproven if part.why), "nothing in it runs")


def _unread(effects: Effects) -> str:
    if effects.doubt is None or not effects.unread:
        return _DOUBTS[effects.doubt or Doubt.EMPTY]
    piece = effects.unread.partition("\n")[0][:_LONGEST_PIECE]
    return f"`{piece}{'' if piece == effects.unread else '…'}` isn't followed"


def _harm(effects: Effects) -> str | None:
    """The first thing that it does besides reading, as far as somebody described it, None if there is nothing."""
    for touch in effects.touches:
        certain = touch.redirect or (not touch.supposed and _described(touch.by, effects))
        if touch.deed.access is Access.WRITE and certain:
            return f"it may {touch.deed} `{touch.spelled}`"
    for host in effects.hosts:
        if _described(host.by, effects):
            return f"it connects to `{host.url}`"
    ended = next((name for part in effects.commands if not part.guessed for name in part.ends), None)
    return None if ended is None else f"it may end `{ended}`"


def _described(by: int | None, effects: Effects) -> bool:
    """Whether what a command does is described: of others nothing is known."""
    command = None if by is None else effects.commands[by]
    return command is None or (command.invocation is not None and not command.guessed)


def _opened(effects: Effects) -> Iterable[Part]:
    """Redirects that belong to no command."""
    own = [touch for touch in effects.touches if touch.by is None]
    if own:
        urls = tuple(dict.fromkeys(host.url for host in effects.hosts if host.by is None))
        yield Part("", (), _paths(own, Access.READ), _paths(own, Access.WRITE), (), urls, "")


def _part(command: Command, certain: Sequence[Command], effects: Effects) -> Part:
    own = [touch for touch in effects.touches if touch.by == command.index]
    return Part(
        text=_shown(command),
        words=tuple(None if HOLE in word.shape else word.shape for word in command.words),
        reads=_paths(own, Access.READ),
        writes=_paths(own, Access.WRITE),
        executes=tuple(_shown(other) for other in certain if other.wrapper == command.index),
        network=tuple(dict.fromkeys(host.url for host in effects.hosts if host.by == command.index)),
        why=command.why,
    )


def _shown(command: Command) -> str:
    """The text of a command; in a script that another runs, what can't be known is three dots."""
    return command.text if command.wrapper is None else command.text.replace(STAND_IN, "…")


def _paths(touches: list[Touch], access: Access) -> tuple[str, ...]:
    found = (_where(touch).replace(HOLE, "…") for touch in touches if touch.deed.access is access)
    return tuple(dict.fromkeys(found))


def _where(touch: Touch) -> str:
    """Where a path lies, or how it is spelled where that isn't known."""
    place = touch.place
    return touch.spelled if place is None or place.adrift or SOMETHING in place.lexical else place.lexical
