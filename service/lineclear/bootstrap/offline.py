"""The engine without a service: the shipped log in memory, nobody watching, and the caller a host."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from lineclear.api.problems import render
from lineclear.api.translate import as_problem
from lineclear.bootstrap.itself import itself
from lineclear.bootstrap.policies import loaded
from lineclear.core.call import Key, Principal, Role
from lineclear.engine.conversation import Conversation
from lineclear.engine.decide import Engine
from lineclear.engine.errors import Conflict
from lineclear.engine.ids import uuid7
from lineclear.engine.observer import Silent
from lineclear.storage.memory import Kept, MemoryLog
from lineclear.storage.memory_books import MemoryAnswers, MemoryMessages
from lineclear.wire import answer
from lineclear.wire.errors import Malformed
from lineclear.wire.form import JsonForm
from lineclear.wire.request import decode

if TYPE_CHECKING:
    from lineclear.core.policy import Policy
    from lineclear.settings import Settings

CALLER = Key("offline", Role.HOST, Principal("test"))


@dataclass(frozen=True, slots=True)
class _Fixed:
    """A policy that stays."""

    current: Policy


@dataclass(frozen=True, slots=True)
class Offline:
    """Answers requests, one after the other."""

    engine: Engine

    async def answer(self, body: bytes) -> tuple[bytes, bool]:
        """The decision for a request's bytes and true, or the problem that it is and false; both as JSON."""
        try:
            decided = await self.engine.decide(decode(body), CALLER, arrived=time.perf_counter())
        except (Malformed, Conflict) as error:
            return render(as_problem(error), "offline"), False
        told = answer.as_mapping(decided, CALLER.role)
        return msgspec.json.encode(told | {"approval": None}), True  # nobody keeps the question, so none waits


def offline(settings: Settings) -> Offline:
    """A desk that decides by the policies that the settings name. Raises ``CannotStart``."""
    kept, input_key = Kept(), secrets.token_bytes(32)
    return Offline(
        Engine(
            policies=_Fixed(loaded(settings.policies)),
            log=MemoryLog(kept),
            answers=MemoryAnswers(kept),
            conversation=Conversation(MemoryMessages(kept), input_key, _now, uuid7),
            form=JsonForm(),
            observer=Silent(),
            own=itself(settings),
            input_key=input_key,
            now=_now,
            new_id=uuid7,
        )
    )


def _now() -> datetime:
    return datetime.now(UTC)
