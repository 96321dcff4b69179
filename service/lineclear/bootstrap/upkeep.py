"""The log's days: made ahead, and dropped when they are old; by the service for its own database, else by hand."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NoReturn

from lineclear.bootstrap import auditing
from lineclear.storage import partitions
from lineclear.storage.retention import Retention

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from lineclear.settings import Settings
    from lineclear.storage.database import Database
    from lineclear.storage.partitions import Upkeep
    from lineclear.telemetry.metrics import Metrics

EVERY_S = 6 * 3600
"""Seconds between two rounds: a day that is missing is made four times before it is due."""


async def maintain(database: Database, settings: Settings, former: Sequence[Path] = ()) -> Upkeep:
    """One round; ``former`` are files with earlier secrets.

    Raises ``StorageUnavailable``, and ``CannotStart`` for want of a secret, which dropping takes.
    """
    days, retention = settings.keep_days, None
    if days is not None:
        retention = Retention(days, auditing.key(settings), tuple(auditing.keys(settings, former).values()))
    return await partitions.maintain(database, datetime.now(UTC).date(), retention=retention)


async def keep_up(database: Database, settings: Settings, metrics: Metrics) -> NoReturn:
    """Round after round."""
    while True:
        metrics.days_ahead((await maintain(database, settings)).ahead)
        await asyncio.sleep(EVERY_S)
