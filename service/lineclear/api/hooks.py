"""The hooks of agents' own programs: the payload as the host sends it, the answer as the host reads it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
from fastapi import APIRouter, Request, Response

from lineclear.api import visit
from lineclear.api.hook_replies import event_name, rendered
from lineclear.api.problems import Problem, ProblemCode
from lineclear.core.canonical import keyed_hash
from lineclear.engine.errors import Conflict
from lineclear.engine.record import session_key
from lineclear.hosts.abilities import Moment
from lineclear.hosts.events import Call, Unreadable
from lineclear.hosts.registry import HOSTS
from lineclear.hosts.ruling import NO_OBJECTION, refused, ruled
from lineclear.wire.answer import as_mapping
from lineclear.wire.request import from_mapping

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineclear.core.call import Key, Stated
    from lineclear.engine.decide import Answer, Engine
    from lineclear.hosts.events import Event
    from lineclear.hosts.host import Host
    from lineclear.hosts.ruling import Ruling

TWIN_WITHIN_S = 60
"""How long after a call an event without a call id is taken to be about it."""
_LOOKED_AT = 20
_MARGIN_S = 0.5
"""What is left of a hook's time for the answer to be written, once a model's time is over."""
_DECODER = msgspec.json.Decoder(dict[str, Any])

PAYLOAD: dict[str, Any] = {
    "title": "HookPayload",
    "description": "What the host's program gives its hooks; under `lineclear` what the shim adds.",
    "type": "object",
}
ANSWER: dict[str, Any] = {
    "title": "HookAnswer",
    "description": "What the host's program reads. `{}` is no objection.",
    "type": "object",
}


class Listener(Protocol):
    """Who takes what isn't a call: prompts, results, ends of sessions. Raises what ``translate`` knows."""

    async def heard(self, event: Event, key: Key) -> None:
        """Take an event."""


class HookDesk:
    """Turns one payload into one reply."""

    def __init__(self, engine: Engine, listener: Listener | None = None) -> None:
        self._engine = engine
        self._listener = listener

    async def ruling(self, host: Host, event: Event, key: Key, *, arrived: float, within_s: float) -> Ruling:
        """What to tell the host; ``within_s`` seconds after ``arrived`` it is too late."""
        if isinstance(event, Call):
            return await self._of_call(host, event, key, arrived, within_s)
        if self._listener is not None:
            await self._listener.heard(event, key)
        return NO_OBJECTION

    async def _of_call(self, host: Host, call: Call, key: Key, arrived: float, within_s: float) -> Ruling:
        left = arrived + within_s - _MARGIN_S - time.perf_counter()
        if left <= 0:
            return _too_late()
        stated = from_mapping({**call.request, "timeout_ms": max(1, int(left * 1000))})
        answer = await self._decided(stated, key, arrived, call)
        decision: Mapping[str, Any] = as_mapping(answer, key.role)
        if decision.get("code") == "classifier_unavailable" and time.perf_counter() >= arrived + within_s - _MARGIN_S:
            return _too_late()
        sole = self._engine.policies.current.sections.get("hosts", {}).get(host.abilities.name)
        return ruled(
            decision,
            host.abilities,
            sole=isinstance(sole, dict) and sole.get("authority") == "sole",
            mode=None if stated.mode is None else stated.mode.value,
        )

    async def _decided(self, stated: Stated, key: Key, arrived: float, call: Call) -> Answer:
        """The decision, for a host's own question that of the call which it is about, so that it counts once."""
        if call.prompting and stated.tool_use_id is None and (twin := await self._twin(stated, key)) is not None:
            try:
                return await self._engine.decide(msgspec.structs.replace(stated) if False else _named(stated, twin), key, arrived=arrived)
            except Conflict:
                pass
        return await self._engine.decide(stated, key, arrived=arrived)

    async def _twin(self, stated: Stated, key: Key) -> str | None:
        """The id of the same call, decided in this session moments ago."""
        wanted = keyed_hash(self._engine.input_key, stated.tool_input)
        now = self._engine.now()
        for record in reversed(await self._engine.log.recent(session_key(key, stated.session_id), _LOOKED_AT)):
            if (now - record.decided_at).total_seconds() > TWIN_WITHIN_S:
                return None
            if (record.tool_name, record.input_sha256) == (stated.tool_name, wanted) and record.tool_use_id:
                return record.tool_use_id
        return None
