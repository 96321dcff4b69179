"""The use cases with a scripted classifier, over Postgres or without a database, and a clock that tests set."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

from contracts.records import CHAIN
from lineclear.core.call import Key, Principal, Role
from lineclear.core.own import Own
from lineclear.engine.answers import Answers
from lineclear.engine.classify import Judged, Result, Stage
from lineclear.engine.classifying import Bench
from lineclear.engine.conversation import Conversation
from lineclear.engine.decide import Engine
from lineclear.engine.ids import uuid7
from lineclear.engine.observer import Silent
from lineclear.engine.scripted import Scripted
from lineclear.engine.sessions import Sessions
from lineclear.storage.answers import PostgresAnswers
from lineclear.storage.leases import PostgresLeases
from lineclear.storage.listing import PostgresListing
from lineclear.storage.log import PostgresLog
from lineclear.storage.memory import Kept, MemoryLog
from lineclear.storage.memory_books import (
    MemoryAnswers,
    MemoryLeases,
    MemoryListing,
    MemoryMessages,
    MemorySessions,
)
from lineclear.storage.messages import PostgresMessages
from lineclear.storage.sessions import PostgresSessions
from lineclear.storage.writer import GroupWriter
from lineclear.wire.answer import as_mapping
from lineclear.wire.form import JsonForm
from lineclear.wire.request import from_mapping
from support.judging import call, policy

AUTO = "version: 1\nmodes: {default: auto}\n"
HOST = Key("k-host", Role.HOST, Principal("laptop"))
AGENT = Key("k-agent", Role.AGENT, Principal("laptop"))
OPERATOR = Key("k-operator", Role.OPERATOR, Principal("anna"))

ALLOW = Judged(Result.ALLOW, Stage.FAST)
BLOCK = Judged(Result.BLOCK, Stage.THINKING, "builtin.exfiltration", reason="It sends data away.")
HARD = Judged(Result.BLOCK, Stage.FAST, "builtin.self-modification", hard=True)
OUTAGE = Judged(Result.UNAVAILABLE, reason="no answer within 6 s")
UNSURE = Judged(Result.UNSURE, Stage.THINKING, reason="the answer is no verdict")


@dataclass
class Clock:
    now: datetime = field(default_factory=lambda: datetime.now(UTC))

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **time: float) -> None:
        self.now += timedelta(**time)


@dataclass
class Told(Silent):
    """What the observer was told."""

    openings: list[str] = field(default_factory=list)
    answers: list[tuple[str, str]] = field(default_factory=list)
    models: list[bool] = field(default_factory=list)

    def decided(self, record, *, seconds, by_model=False):  # noqa: ARG002 - the port's
        self.models.append(by_model)

    def breaker_opened(self, record, cause):  # noqa: ARG002
        self.openings.append(str(cause))

    def answered(self, record, answer, by):  # noqa: ARG002
        self.answers.append((str(by), str(answer)))


@dataclass
class Desk:
    """Everything of one deployment, in one process."""

    classifier: Scripted
    policies: SimpleNamespace
    clock: Clock
    told: Told
    engine: Engine
    answers: Answers
    conversation: Conversation
    sessions: Sessions
    listing: Any

    async def decide(self, tool_input=None, key=HOST, tool_name="Bash", **more) -> dict:
        """The answer to a call, ``make deploy`` unless told otherwise, as its caller sees it."""
        request = call(tool_name, {"command": "make deploy"} if tool_input is None else tool_input, **more)
        answer = await self.engine.decide(from_mapping(request), key, arrived=time.perf_counter())
        return as_mapping(answer, key.role)

    async def run(self, command: str, **more) -> str:
        """Verdict and code of a command, as ``ask breaker_open``."""
        return said(await self.decide({"command": command}, **more))

    async def asked(self, count: int = 1) -> None:
        """Until so many questions have arrived at the classifier."""
        while len(self.classifier.asked) < count:  # noqa: ASYNC110 - the fake tells nobody
            await asyncio.sleep(0.01)

    def rule(self, organisation: str) -> None:
        """Put another organisation's file in force."""
        self.policies.current = policy(organisation)


def said(answer: dict) -> str:
    return f"{answer['verdict']} {answer['code']}"


def desk(database=None, lines=(), *, organisation=AUTO, classifier=..., clock=None, gate=None) -> Desk:
    """A deployment over a database, or over memory where there is none."""
    clock, told = clock or Clock(), Told()
    scripted = Scripted(list(lines), gate=gate) if classifier is ... else classifier
    policies = SimpleNamespace(current=policy(organisation))
    if database is None:
        kept = Kept()
        log, book, leases = MemoryLog(kept), MemoryAnswers(kept), MemoryLeases()
        messages, sessions, listing = MemoryMessages(kept), MemorySessions(kept), MemoryListing(kept, book)
    else:
        log = GroupWriter(PostgresLog(database, CHAIN))
        book, leases = PostgresAnswers(database), PostgresLeases(database)
        messages, sessions, listing = PostgresMessages(database), PostgresSessions(database), PostgresListing(database)
    form, input_key = JsonForm(), b"k" * 32
    conversation = Conversation(messages, input_key, clock, uuid7)
    bench = None if scripted is None else Bench(scripted, leases, conversation, log, form)
    return Desk(
        scripted,
        policies,
        clock,
        told,
        Engine(policies, log, book, conversation, form, told, Own(), input_key, clock, uuid7, bench),
        Answers(policies, log, book, form, told, Own(), clock, uuid7),
        conversation,
        Sessions(sessions, clock, uuid7),
        listing,
    )
