"""The service, put together: database, keys, policies, engine, application; taken apart in the opposite order."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lineclear import __version__
from lineclear.api.app import Needs, create
from lineclear.api.metrics import MetricsAlone
from lineclear.bootstrap import database
from lineclear.bootstrap.checkpoints import Checkpoints
from lineclear.bootstrap.checks import Checks
from lineclear.bootstrap.classifier import Doing, opened_classifier
from lineclear.bootstrap.desks import count_what_waits, desks
from lineclear.bootstrap.first_keys import first_keys
from lineclear.bootstrap.itself import itself
from lineclear.bootstrap.journal import Journal
from lineclear.bootstrap.policies import Watched, folder, opened_policies
from lineclear.bootstrap.readiness import ServiceHealth
from lineclear.bootstrap.secret import CHAIN, FENCE, derived, secret
from lineclear.bootstrap.tasks import ended, for_ever
from lineclear.bootstrap.upkeep import keep_up
from lineclear.engine.chain import ChainKey
from lineclear.storage import migrate
from lineclear.storage.database import Database
from lineclear.storage.keys import PostgresKeys
from lineclear.storage.log import PostgresLog
from lineclear.storage.replicas import Replicas
from lineclear.storage.versions import PolicyVersions
from lineclear.storage.writer import GroupWriter
from lineclear.telemetry.measured_log import MeasuredLog
from lineclear.telemetry.metrics import Metrics
from lineclear.telemetry.watcher import Watcher

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.types import ASGIApp

    from lineclear.bootstrap.first_keys import FirstKey
    from lineclear.policyfiles.watch import Policies
    from lineclear.settings import Settings


@dataclass(frozen=True, slots=True)
class Service:
    """A service that is ready to be served."""

    app: ASGIApp
    metrics_app: ASGIApp
    health: ServiceHealth
    policies: Policies
    classifier: str
    """What judges in auto mode, in a line."""
    keys: tuple[FirstKey, ...]
    """With the embedded database, the keys in the data folder."""


@asynccontextmanager
async def assembled(settings: Settings, port: int | None) -> AsyncIterator[Service]:
    """The service, with everything that runs beside it, until the block ends; ``port`` is the one listened on.

    Raises ``CannotStart``.
    """
    base = secret(settings)
    metrics = Metrics(__version__)
    place = folder(settings.policies)
    journal = Journal(place, metrics)
    policies = opened_policies(place, journal)
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(database.served(settings))
        opened = Database(url)
        stack.push_async_callback(opened.close)
        watched = Watched(policies, journal, Replicas(opened), PolicyVersions(opened), metrics)
        stack.push_async_callback(watched.leave)
        keys = PostgresKeys(opened)
        chained = PostgresLog(opened, derived(base, CHAIN))
        measured = MeasuredLog(chained, metrics)
        writer = GroupWriter(measured)
        checkpoints = Checkpoints(settings.checkpoints, ChainKey(derived(base, CHAIN)), chained.heads)
        stack.callback(checkpoints.tell)
        stack.push_async_callback(writer.close)
        metrics.watch_queue(lambda: writer.queued)
        embedded = settings.database_url is None
        made = await first_keys(keys, settings.data_dir / "keys") if embedded else ()
        told = settings.classifier
        classifier = await opened_classifier(told, derived(base, FENCE), metrics.models)
        if classifier is not None:
            stack.push_async_callback(classifier.close)
        doing = Doing(classifier, told)
        health = ServiceHealth(lambda: migrate.behind(url), measured.failed_within, watched, doing)
        own, observer = itself(settings, port), Watcher(metrics)
        served = desks(opened, writer, policies, observer, own, base, classifier, lambda: health.draining)
        needs = Needs(
            engine=served.engine,
            answers=served.answers,
            conversation=served.conversation,
            sessions=served.sessions,
            listing=served.listing,
            keys=keys,
            policy=watched,
            checks=Checks(),
            health=health,
            metrics=metrics,
            allowed_hosts=settings.allowed_hosts | {settings.host.lower()},
            max_body_bytes=settings.max_body_bytes,
            max_in_flight=settings.max_in_flight,
        )
        for name, running in (
            ("keys", keys.poll),
            ("policies", policies.watch),
            ("checkpoints", checkpoints.run),
            ("heartbeat", watched.heartbeat),
            ("waiting", lambda: count_what_waits(opened, metrics)),
            *((("upkeep", lambda: keep_up(opened, settings, metrics)),) if embedded else ()),
        ):
            task = asyncio.create_task(for_ever(name, running), name=name)
            stack.push_async_callback(ended, task)
        yield Service(create(needs), MetricsAlone(metrics), health, policies, doing.line, made)
