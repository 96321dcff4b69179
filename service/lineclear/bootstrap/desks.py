"""The use cases over one database: deciding, answering, listening, watching over sessions."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NoReturn

from lineclear.bootstrap.secret import INPUTS, derived
from lineclear.engine.answers import Answers
from lineclear.engine.classifying import Bench
from lineclear.engine.conversation import Conversation
from lineclear.engine.decide import Engine
from lineclear.engine.ids import uuid7
from lineclear.engine.log import StorageUnavailable
from lineclear.engine.sessions import Sessions
from lineclear.storage.answers import PostgresAnswers
from lineclear.storage.leases import PostgresLeases
from lineclear.storage.listing import PostgresListing
from lineclear.storage.messages import PostgresMessages
from lineclear.storage.sessions import PostgresSessions
from lineclear.wire.form import JsonForm

if TYPE_CHECKING:
    from collections.abc import Callable

    from lineclear.core.own import Own
    from lineclear.engine.classify import Classifier
    from lineclear.engine.decide import PolicySource
    from lineclear.engine.listing import Listing
    from lineclear.engine.log import DecisionLog
    from lineclear.engine.observer import Observer
    from lineclear.storage.database import Database
    from lineclear.telemetry.metrics import Metrics

_LOOK_S = 10.0
_MOST_COUNTED = 1000


@dataclass(frozen=True, slots=True)
class Desks:
    """What the application serves."""

    engine: Engine
    answers: Answers
    conversation: Conversation
    sessions: Sessions
    listing: Listing


def desks(
    database: Database,
    log: DecisionLog,
    policies: PolicySource,
    observer: Observer,
    own: Own,
    base: bytes,
    classifier: Classifier | None,
    stopping: Callable[[], bool],
) -> Desks:
    """The use cases; ``base`` is the deployment's secret, ``stopping`` tells whether the service was asked to stop."""
    form, input_key, book = JsonForm(), derived(base, INPUTS), PostgresAnswers(database)
    conversation = Conversation(PostgresMessages(database), input_key, _now, uuid7)
    bench = None if classifier is None else Bench(classifier, PostgresLeases(database), conversation, log, form)
    return Desks(
        Engine(policies, log, book, conversation, form, observer, own, input_key, _now, uuid7, bench),
        Answers(policies, log, book, form, observer, own, _now, uuid7, stopping),
        conversation,
        Sessions(PostgresSessions(database), _now, uuid7),
        PostgresListing(database),
    )


async def count_what_waits(database: Database, metrics: Metrics) -> NoReturn:
    """Keep the gauges of what waits for people up to date, for as long as the task runs."""
    sessions, listing = PostgresSessions(database), PostgresListing(database)
    while True:
        try:
            open_breakers = await sessions.open_breakers()
            questions = await listing.waiting(_now(), _MOST_COUNTED)
        except StorageUnavailable:
            pass  # the probe of the database says so
        else:
            metrics.waiting(open_breakers=open_breakers, questions=questions)
        await asyncio.sleep(_LOOK_S)


def _now() -> datetime:
    return datetime.now(UTC)
