"""The hooks of agents' own programs: the payload as the host sends it, the answer as the host reads it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
from fastapi import APIRouter, Request, Response

from lineclear.api import visit
from lineclear.api.hook_replies import event_name, host_of, rendered
from lineclear.api.hook_twins import twin
from lineclear.api.problems import Problem, ProblemCode
from lineclear.engine.case import RESERVE_S
from lineclear.engine.errors import Conflict
from lineclear.hosts.events import Call, Unreadable
from lineclear.hosts.ruling import NO_OBJECTION, refused, ruled
from lineclear.wire.answer import as_mapping
from lineclear.wire.request import from_mapping

if TYPE_CHECKING:
    from lineclear.api.hook_listener import HookListener
    from lineclear.core.call import Key, Stated
    from lineclear.engine.decide import Answer, Engine
    from lineclear.hosts.events import Event
    from lineclear.hosts.host import Host
    from lineclear.hosts.ruling import Ruling

_MARGIN_S = 0.5
"""What is left of a hook's time for the answer to be written, once a model's time is over."""
_TICK_S = 0.1
_TOO_LATE = refused("the model that judges such calls didn't answer in time", outage=True)
_PAYLOAD = msgspec.json.Decoder(dict[str, Any])

PAYLOAD: dict[str, Any] = {
    "title": "HookPayload",
    "description": "What the host's program gives its hooks, as it is; under `lineclear` what the shim adds.",
    "type": "object",
}
ANSWER: dict[str, Any] = {
    "title": "HookAnswer",
    "description": "What the host's program reads, `{}` being no objection. A refusal is in the host's form too.",
    "type": "object",
}


class HookDesk:
    """Turns an event into what its host is told."""

    def __init__(self, engine: Engine, listener: HookListener) -> None:
        self._engine = engine
        self._listener = listener

    async def ruling(self, host: Host, event: Event, key: Key, *, arrived: float) -> Ruling:
        """The ruling of an event that arrived at a time by ``time.perf_counter``."""
        if isinstance(event, Call):
            return await self._of_call(host, event, key, arrived)
        await self._listener.heard(host, event, key)
        return NO_OBJECTION

    async def _of_call(self, host: Host, call: Call, key: Key, arrived: float) -> Ruling:
        within_s = host.abilities.answer_within_s - _MARGIN_S
        stated = from_mapping({**call.request, "timeout_ms": int(within_s * 1000)})
        answer = await self._decided(stated, key, arrived, call)
        decision = as_mapping(answer, key.role)
        if (
            decision.get("code") == "classifier_unavailable"
            and time.perf_counter() >= arrived + within_s - RESERVE_S - _TICK_S
        ):
            return _TOO_LATE
        mode = None if stated.mode is None else stated.mode.value
        return ruled(decision, host.abilities, sole=self._sole(host), mode=mode)

    def _sole(self, host: Host) -> bool:
        """Whether the policy says that nobody else decides at this host."""
        said = self._engine.policies.current.sections.get("hosts", {}).get(host.abilities.name)
        return isinstance(said, Mapping) and said.get("authority") == "sole"

    async def _decided(self, stated: Stated, key: Key, arrived: float, call: Call) -> Answer:
        """The decision; where the host is about to ask, that of the call it asks about, so that it counts once."""
        if call.prompting and stated.tool_use_id is None:
            earlier = await twin(self._engine, stated, key)
            if earlier is not None and earlier.tool_use_id is not None:
                with suppress(Conflict):  # the same input from another directory or agent
                    return await self._engine.decide(
                        replace(stated, tool_use_id=earlier.tool_use_id), key, arrived=arrived
                    )
        return await self._engine.decide(stated, key, arrived=arrived)


def router(desk: HookDesk) -> APIRouter:
    """The route of hooks."""
    routes = APIRouter(tags=["hooks"])

    @routes.post(
        "/v1/hooks/{host}",
        summary="Answer the hook of an agent's own program",
        operation_id="hook",
        openapi_extra={"requestBody": {"required": True, "content": {"application/json": {"schema": PAYLOAD}}}},
        responses={
            200: {
                "description": "The answer in the host's own form",
                "content": {"application/json": {"schema": ANSWER}},
            }
        },
    )
    async def hook(request: Request, host: str) -> Response:  # noqa: ARG001 - the address is read below
        """At the address of a known host every answer is 200, refusals too: hosts take an error for a go-ahead."""
        visited = visit.of(request.scope)
        assert visited.key is not None
        known = host_of(request.scope["path"])
        if known is None:
            raise Problem(ProblemCode.NOT_FOUND, "there is no such host; see the documentation of hosts")
        payload = _decoded(visited.body)
        name = event_name(known, request.scope, payload)
        try:
            event = known.read(payload, name)
        except Unreadable as error:
            raise Problem(ProblemCode.MALFORMED, f"{error}, so it isn't what {known.abilities.title} sends") from None
        ruling = await desk.ruling(known, event, visited.key, arrived=visited.arrived)
        body, headers = rendered(known, known.answer(name, ruling))
        return Response(body, headers=headers)

    return routes


def _decoded(body: bytes) -> dict[str, Any]:
    try:
        return _PAYLOAD.decode(body)
    except RecursionError:
        raise Problem(ProblemCode.MALFORMED, "the payload is nested too deeply") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Problem(ProblemCode.MALFORMED, "the payload is no JSON object in UTF-8") from None
