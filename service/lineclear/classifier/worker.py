"""The classifier in a thread with an event loop of its own, so that no answer of a model holds up other decisions.

Importing the SDK, building a request and reading an answer cost the loop they run on up to a second at start and most
of a millisecond later; the loop that decides pays none of it.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lineclear.classifier.capabilities import planned
from lineclear.classifier.messages_api import MessagesAPI
from lineclear.classifier.stages import TwoStages
from lineclear.engine.classify import Stage, always

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any, TypeVar

    from lineclear.classifier.config import ClassifierConfig
    from lineclear.engine.classify import Judged, Question, State, Wanted, Watcher

    T = TypeVar("T")


_TURN_S = 0.0005
"""How long this thread may run while the one that decides waits for its turn; the interpreter's own is ten times it."""


@dataclass(slots=True)
class _Thread:
    """An event loop in a thread."""

    loop: asyncio.AbstractEventLoop
    thread: threading.Thread

    @classmethod
    def started(cls) -> _Thread:
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=loop.run_forever, name="lineclear-classifier", daemon=True)
        thread.start()
        return cls(loop, thread)

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something there and wait for it here; cancelling the wait cancels the work."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self.loop))

    async def stop(self) -> None:
        """Cancel what runs there, and end the thread."""
        await self.run(_cancel_others())
        self.loop.call_soon_threadsafe(self.loop.stop)
        await asyncio.to_thread(self.thread.join)
        self.loop.close()


class OffLoop:
    """The ``Classifier`` that ships: two stages over the Messages API, in a thread of its own."""

    def __init__(self, thread: _Thread, api: MessagesAPI, stages: TwoStages, warnings: tuple[str, ...]) -> None:
        self._thread = thread
        self._api = api
        self._stages = stages
        self.warnings = warnings
        """What readiness shows: capabilities that couldn't be read, deprecated models."""

    @classmethod
    async def open(cls, config: ClassifierConfig, watcher: Watcher) -> OffLoop:
        """Start it; raises ``ConfigError`` where a stage can't work. An outage now is only a warning."""
        sys.setswitchinterval(_TURN_S)
        thread = _Thread.started()
        try:
            api, stages, warnings = await thread.run(_assembled(config, watcher))
        except BaseException:
            await thread.stop()
            raise
        return cls(thread, api, stages, warnings)

    @property
    def state(self) -> State:
        """How it does now."""
        return self._stages.state

    async def judge(self, question: Question, *, timeout_s: float, wanted: Wanted = always) -> Judged:
        """Judge one call; see the port."""
        here = asyncio.get_running_loop()

        async def still() -> bool:
            return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_awaited(wanted), here))

        return await self._thread.run(self._stages.judge(question, timeout_s=timeout_s, wanted=still))

    async def close(self) -> None:
        """Cancel what is in flight, close the connections, end the thread."""
        await self._thread.run(_cancel_others())
        await self._thread.run(self._api.close())
        await self._thread.stop()


async def _assembled(config: ClassifierConfig, watcher: Watcher) -> tuple[MessagesAPI, TwoStages, tuple[str, ...]]:
    api = MessagesAPI(config)
    try:
        models = dict.fromkeys(config.of(stage).model for stage in Stage)
        told = dict(zip(models, await asyncio.gather(*(api.capabilities(model) for model in models)), strict=True))
        plans = {stage: planned(stage, config.of(stage), told[config.of(stage).model][0]) for stage in Stage}
    except BaseException:
        await api.close()
        raise
    # The SDK brings so many objects that a full collection of them would hold up all threads for a tenth of a second.
    gc.collect()
    gc.freeze()
    warnings = tuple(warning for _, warning in told.values() if warning is not None)
    return api, TwoStages(api, plans, config, watcher), warnings


async def _awaited(wanted: Wanted) -> bool:
    return await wanted()


async def _cancel_others() -> None:
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    for task in others:
        with suppress(asyncio.CancelledError, Exception):
            await task
