"""The conversation of a session: what its user typed, kept once each, in order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from lineclear.core.canonical import keyed_hash
from lineclear.core.joining import Said
from lineclear.core.messages import UserMessage, typed
from lineclear.core.redact import redact
from lineclear.engine.log import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from uuid import UUID

    from lineclear.core.call import JSON, SessionKey
    from lineclear.core.redact import Redacted

MOST_TOLD = 200
"""How many messages of a session a model may be told: the first one and the latest."""
_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class Heard:
    """One message to be kept: what tells it apart, and what a person typed in it, as JSON, with secrets taken out."""

    said: Said
    typed: Redacted


@dataclass(frozen=True, slots=True)
class Told:
    """What a model may be told of a conversation; ``missing`` messages were left out behind the first."""

    messages: tuple[UserMessage, ...] = ()
    missing: int = 0


class MessageBook(Protocol):
    """The port. Methods raise ``StorageUnavailable``."""

    async def join(self, fresh: Session, heard: Sequence[Heard]) -> int:
        """Keep those messages that aren't kept yet, as ``core.joining`` tells; returns how many.

        Two who join at the same time do so one after the other. ``fresh`` is the session where there is none yet.
        """

    async def latest(self, session: SessionKey, most: int) -> tuple[Sequence[Redacted], int]:
        """What was typed in the first message and the latest, ``most`` in all, in order; and how many are left out."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """Hears what users type. ``digest_key`` keys the hashes of messages, which may hold secrets."""

    book: MessageBook
    digest_key: bytes
    now: Callable[[], datetime]
    new_id: Callable[[], UUID]
    _joined: dict[SessionKey, str] = field(default_factory=dict, init=False)
    """A hash of what was joined last, for some sessions: callers send the same again with each call."""

    async def hear(self, session: SessionKey, messages: Sequence[JSON], *, doubtful: bool = False) -> int:
        """Keep what is new in messages of the Messages API's shapes, sent by who speaks for the user.

        ``doubtful`` says that the words may be somebody else's: they may forbid, and can't permit.
        """
        typed_ = [(message, own) for message in messages if (own := typed([message]))]
        if doubtful:
            typed_ = [(message, tuple(replace(one, doubtful=True) for one in own)) for message, own in typed_]
        said = [self._said(message, own) for message, own in typed_]
        mark = keyed_hash(self.digest_key, [[one.message_id, one.digest] for one in said])
        if not said or self._joined.get(session) == mark:
            return 0
        heard = [Heard(one, redact(_words(own))[0]) for one, (_, own) in zip(said, typed_, strict=True)]
        new = await self.book.join(Session(session, self.new_id(), None, 0, self.now()), heard)
        if len(self._joined) >= _REMEMBERED:
            del self._joined[next(iter(self._joined))]
        self._joined[session] = mark
        return new

    async def told(self, session: SessionKey) -> Told:
        """What a model may be told."""
        kept, missing = await self.book.latest(session, MOST_TOLD)
        return Told(tuple(message for one in kept for message in _messages(one)), missing)

    def _said(self, message: JSON, own: tuple[UserMessage, ...]) -> Said:
        name = message.get("message_id") if isinstance(message, Mapping) else None
        return Said(name if isinstance(name, str) else None, keyed_hash(self.digest_key, _words(own)))


def _words(own: tuple[UserMessage, ...]) -> JSON:
    return [[one.text, one.doubtful, one.answer] for one in own]


def _messages(kept: Redacted) -> list[UserMessage]:
    assert isinstance(kept, list)
    return [UserMessage(text, doubtful, answer) for text, doubtful, answer in kept]
