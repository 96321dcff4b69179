"""The service, put together: database, keys, policies, engine, application; taken apart in the opposite order."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from lineclear import __version__
from lineclear.api.app import Needs, create
from lineclear.api.metrics import MetricsAlone
from lineclear.bootstrap import database
from lineclear.bootstrap.first_keys import first_keys
from lineclear.bootstrap.policies import Watched
from lineclear.bootstrap.readiness import ServiceHealth
from lineclear.bootstrap.secret import INPUTS, derived, secret
from lineclear.core.own import Own
from lineclear.engine.decide import Engine
from lineclear.engine.ids import uuid7
from lineclear.storage import migrate
from lineclear.storage.keys import PostgresKeys
from lineclear.storage.log import PostgresLog
from lineclear.storage.writer import GroupWriter
from lineclear.telemetry.measured_log import MeasuredLog
from lineclear.telemetry.metrics import Metrics
from lineclear.telemetry.watcher import Watcher
from lineclear.wire.form import JsonForm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.types import ASGIApp

    from lineclear.bootstrap.first_keys import FirstKey
    from lineclear.core.policy import Policy
    from lineclear.settings import Settings


@dataclass(frozen=True, slots=True)
class Service:
    """A service that is ready to be served."""

    app: ASGIApp
    metrics_app: ASGIApp
    health: ServiceHealth
    policy: Policy
    embedded: bool
    keys: tuple[FirstKey, ...]


@asynccontextmanager
async def assembled(settings: Settings) -> AsyncIterator[Service]:
    """The service, with everything that runs beside it, until the block ends. Raises ``CannotStart``."""
    base = secret(settings)
    metrics = Metrics(__version__)
    policies = Watched(settings.policies, metrics)
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(database.served(settings))
        opened = database.opened(url)
        stack.push_async_callback(opened.close)
        keys = PostgresKeys(opened)
        writer = GroupWriter(MeasuredLog(PostgresLog(opened), metrics))
        stack.push_async_callback(writer.close)
        metrics.watch_queue(lambda: writer.queued)
        embedded = settings.database_url is None
        made = await first_keys(keys, settings.data_dir / "keys") if embedded else ()
        health = ServiceHealth(lambda: migrate.behind(url), policies.notes)
        engine = Engine(
            policies=policies,
            log=writer,
            form=JsonForm(),
            observer=Watcher(metrics),
            own=own(settings),
            input_key=derived(base, INPUTS),
            now=lambda: datetime.now(UTC),
            new_id=uuid7,
        )
        needs = Needs(
            engine=engine,
            keys=keys,
            policy=policies,
            health=health,
            metrics=metrics,
            allowed_hosts=settings.allowed_hosts | {settings.host.lower()},
            max_body_bytes=settings.max_body_bytes,
            max_in_flight=settings.max_in_flight,
        )
        for running in (keys.poll(), policies.watch()):
            task = asyncio.create_task(running)
            stack.push_async_callback(_ended, task)
        yield Service(create(needs), MetricsAlone(metrics), health, policies.current, embedded, made)


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def own(settings: Settings) -> Own:
    """What of this machine is the service itself, for the check that keeps agents off it."""
    ports = {settings.port}
    if settings.metrics_listen is not None:
        ports.add(int(settings.metrics_listen.rpartition(":")[2]))
    sockets = () if settings.uds is None else (str(settings.uds.absolute()),)
    return Own(
        ports=frozenset(ports),
        hosts=frozenset(host for host in settings.allowed_hosts | {settings.host}),
        folders=(str(settings.data_dir.absolute()),),
        sockets=sockets,
    )
