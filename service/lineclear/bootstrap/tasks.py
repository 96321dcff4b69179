"""What runs beside the service: it ends with it, and not before."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog

from lineclear.telemetry import failures

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_PAUSE_S = 1.0

log = structlog.get_logger("lineclear.tasks")


async def for_ever(name: str, run: Callable[[], Awaitable[object]]) -> None:
    """Run something that has no end; if it comes to one all the same, log it and run it again."""
    while True:
        try:
            await run()
        except Exception as error:  # noqa: BLE001 - whatever it was, the service needs it running
            log.error("task_failed", task=name, **failures.described(error))  # noqa: TRY400 - see failures
        await asyncio.sleep(_PAUSE_S)


async def ended(task: asyncio.Task[None]) -> None:
    """End a task."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
