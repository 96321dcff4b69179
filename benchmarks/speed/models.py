"""Model calls in flight: a local server of the Messages API that takes its time, and callers who wait for it."""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from benchmarks.speed.cells import Failed
from benchmarks.speed.echo import HOST
from benchmarks.speed.load import Load, run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnContext

    from benchmarks.speed.cells import Contestant

IN_FLIGHT = 64
TAKES_S = 1.0
"""How long each call takes, which is what the fast stage of a classifier takes where it isn't near."""


@contextmanager
def answering(context: SpawnContext, cpus: frozenset[int]) -> Iterator[dict[str, str]]:
    """The settings of a service whose model is a process that allows everything, until the block ends."""
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, cpus), daemon=True)
    process.start()
    try:
        yield {"classifier__base_url": ours.recv(), "classifier__api_key": "bench"}
    finally:
        process.terminate()
        process.join()


class Waiting:
    """Callers in auto mode whose calls no rule decides: so many models are being asked all the time."""

    def __init__(self, loaders: ProcessPoolExecutor, cpus: frozenset[int], caller: Contestant) -> None:
        self._loaders = loaders
        self._cpus = cpus
        self._caller = caller
        self._first = 0

    @contextmanager
    def for_(self, seconds: float) -> Iterator[None]:
        """Callers that wait during the block, which mustn't take longer than that."""
        load = Load(
            host=HOST,
            port=self._caller.port,
            path=self._caller.path,
            key=self._caller.key,
            bodies=[*self._caller.bodies],
            connections=IN_FLIGHT,
            seconds=seconds + TAKES_S,
            warm_up_s=TAKES_S,
            first=self._first,
            cpus=self._cpus,
        )
        waiting = self._loaders.submit(run, load)
        time.sleep(TAKES_S * 1.5)
        yield
        loaded = waiting.result()
        self._first += loaded.sent
        if loaded.failures or not loaded.answers:
            raise Failed(f"{loaded.failures} of {loaded.answers} calls that wait for a model got no 200")


def _serve(told: Connection, cpus: frozenset[int]) -> None:
    from support.messages_server import MessagesServer  # noqa: PLC0415 - it is beside the tests
    from support.plays import ALLOW  # noqa: PLC0415

    os.sched_setaffinity(0, cpus)

    async def serve() -> None:
        async with MessagesServer(judge=lambda _: replace(ALLOW, delay_s=TAKES_S)) as server:
            told.send(server.base_url)
            await asyncio.Event().wait()

    asyncio.run(serve())
