"""What hooks tell besides calls: a person's words, what became of a call, and the end of a session."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import msgspec

from lineclear.api.hook_twins import twin
from lineclear.core.course import Answer, Result
from lineclear.core.pointers import strings_in
from lineclear.core.reasons import NO_OBJECTION
from lineclear.core.redact import redact
from lineclear.core.standing import Scope
from lineclear.core.tools import Kind
from lineclear.engine.errors import Conflict, Missing, NotAllowed
from lineclear.engine.record import session_key
from lineclear.hosts import events
from lineclear.wire import bodies
from lineclear.wire.names import session_name
from lineclear.wire.request import from_mapping

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineclear.core.call import JSON, Key, Stated
    from lineclear.engine.answers import Answers
    from lineclear.engine.conversation import Conversation
    from lineclear.engine.decide import Engine
    from lineclear.engine.log import Record
    from lineclear.engine.sessions import Sessions
    from lineclear.hosts.host import Host

_KNOWN = (Conflict, Missing, NotAllowed)
"""What a report may meet that changes nothing: somebody was earlier, or there was no such decision."""
_CALLS_LOOKED_AT = 50
_PUT_OFF = frozenset({Kind.AGENT, Kind.SESSION})
_TO_BE_SAID = frozenset({"prompt", "message"})
"""Kinds of tools by which a session is woken with a text, at a time or by another agent, and where that stands."""
_LONG = 24
"""So many characters of a call's argument are no words that a person would type by chance."""


@dataclass(frozen=True, slots=True)
class HookListener:
    """Takes what isn't a call. Raises ``Malformed`` and ``StorageUnavailable``."""

    engine: Engine
    conversation: Conversation
    answers: Answers
    sessions: Sessions

    async def heard(self, host: Host, event: events.Event, key: Key) -> None:
        """Take an event."""
        match event:
            case events.Prompt():
                doubtful = await self._is_the_agents(event, key)
                await self._said(event.session_id, event.message, key, doubtful=doubtful)
            case events.Result():
                await self._ran(host, event, key)
            case events.Ended():
                with suppress(*_KNOWN):
                    await self.sessions.close(event.session_id, key)
            case _:
                pass

    async def _said(self, session_id: str, message: Mapping[str, JSON], key: Key, *, doubtful: bool = False) -> None:
        checked = bodies.messages(msgspec.json.encode({"messages": [message]}))
        await self.conversation.hear(session_key(key, session_name(session_id)), checked, doubtful=doubtful)

    async def _is_the_agents(self, event: events.Prompt, key: Key) -> bool:
        """Whether an agent wrote these words into a call of its own, to have them come back later as a prompt.

        Hosts have tools that wake a session with a text, and not all of them tell such a prompt from a typed one.
        """
        said, _ = redact(event.message.get("content"))
        text = str(said).strip()
        records = await self.engine.log.recent(session_key(key, session_name(event.session_id)), _CALLS_LOOKED_AT)
        return any(_came_from(record, text) for record in records)

    async def _ran(self, host: Host, event: events.Result, key: Key) -> None:
        stated = from_mapping(event.request)
        record = await self._record(stated, key)
        if record is not None:
            with suppress(*_KNOWN):
                if host.abilities.can_ask and _was_asked(record):
                    await self.answers.answer(record.id, Answer.APPROVED, Scope.ONCE, key)
            with suppress(*_KNOWN):
                await self.answers.report(record.id, Result.FAILED if event.failed else Result.EXECUTED, key)
        if event.answered is not None and stated.agent.id is None:
            message: dict[str, JSON] = {"role": "user", "content": event.answered, "host_answer": True}
            named = {} if stated.tool_use_id is None else {"message_id": f"answer:{stated.tool_use_id}"[:256]}
            await self._said(stated.session_id, message | named, key)

    async def _record(self, stated: Stated, key: Key) -> Record | None:
        """The decision on the call that has run: by its id, else the latest on the same call."""
        if stated.tool_use_id is None:
            return await twin(self.engine, stated, key)
        return (await self.engine.log.known(session_key(key, stated.session_id), stated.tool_use_id)).earlier


def _came_from(record: Record, text: str) -> bool:
    """Whether a text is what a call put off or handed on, or holds that where it is more than a word or two."""
    if record.kind not in _PUT_OFF:
        return False
    request = cast("dict[str, JSON]", record.request)
    written = (one.strip() for name, one in strings_in(request["tool_input"]) if name in _TO_BE_SAID)
    return any(one == text or (len(one) >= _LONG and one in text) for one in written)


def _was_asked(record: Record) -> bool:
    """Whether the host showed its person our question: then that the call has run says how it was answered."""
    return record.verdict == "ask" and record.enforced and record.code not in NO_OBJECTION
