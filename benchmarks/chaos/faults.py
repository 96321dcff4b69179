"""The faults: each is made at a moment that chance picks, and mended as an operator or an orchestrator would."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING, TypeAlias

import asyncpg
from benchmarks.chaos.stage import NotUp

if TYPE_CHECKING:
    import random
    from collections.abc import Awaitable, Callable

    from benchmarks.chaos.stage import Stage

Fault: TypeAlias = "Callable[[Stage, random.Random], Awaitable[None]]"


async def service_killed(stage: Stage, chance: random.Random) -> None:
    """``kill -9`` of a service, and another one in its place."""
    replica = chance.choice(stage.replicas)
    await replica.end(signal.SIGKILL)
    await asyncio.sleep(chance.uniform(0, 0.5))
    await replica.start()


async def service_stopped(stage: Stage, chance: random.Random) -> None:
    """SIGTERM, and another one in its place: it ends by itself, and says that nothing went wrong."""
    replica = chance.choice(stage.replicas)
    if status := await replica.end(signal.SIGTERM):
        raise NotUp(f"a service that was asked to stop ended with status {status}")
    await replica.start()


async def service_frozen(stage: Stage, chance: random.Random) -> None:
    """A service stands still for a while, as on a machine that is moved, and goes on as if nothing had been."""
    replica = chance.choice(stage.replicas)
    os.kill(replica.pid, signal.SIGSTOP)
    await asyncio.sleep(chance.uniform(0.3, 3))
    os.kill(replica.pid, signal.SIGCONT)


async def postgres_killed(stage: Stage, chance: random.Random) -> None:
    """``kill -9`` of the server's first process."""
    os.kill(stage.postmaster, signal.SIGKILL)
    await asyncio.sleep(chance.uniform(0, 0.5))
    await stage.restarted()


async def postgres_stopped(stage: Stage, chance: random.Random) -> None:
    """An immediate shutdown: every connection ends in the middle of what it does."""
    os.kill(stage.postmaster, signal.SIGQUIT)
    await asyncio.sleep(chance.uniform(0, 0.5))
    await stage.restarted()


async def backend_killed(stage: Stage, chance: random.Random) -> None:
    """``kill -9`` of one connection's process: the server ends all others and recovers from its log."""
    if backends := await stage.backends():
        os.kill(chance.choice(backends), signal.SIGKILL)


async def all_killed(stage: Stage, chance: random.Random) -> None:
    """``kill -9`` of everything at one moment, as when the power fails."""
    os.kill(stage.postmaster, signal.SIGKILL)
    await asyncio.gather(*(replica.end(signal.SIGKILL) for replica in stage.replicas))
    await asyncio.sleep(chance.uniform(0, 0.3))
    await asyncio.gather(stage.restarted(), *(replica.start() for replica in stage.replicas))


async def line_cut(stage: Stage, chance: random.Random) -> None:
    """A service's connections to the database are reset, several times in a row."""
    line = chance.choice(stage.replicas).line
    for _ in range(chance.randint(1, 5)):
        line.cut()
        await asyncio.sleep(chance.uniform(0, 0.2))


async def line_stalled(stage: Stage, chance: random.Random) -> None:
    """Nothing gets through for a while, and nobody is told; then the connections are cut, or all of it arrives late."""
    line = chance.choice(stage.replicas).line
    line.stall()
    await asyncio.sleep(chance.uniform(0.2, 4))
    if chance.random() < 0.5:  # noqa: PLR2004 - either way
        line.cut()
    line.resume()


async def line_slow(stage: Stage, chance: random.Random) -> None:
    """The database is far away for a while."""
    line = chance.choice(stage.replicas).line
    line.delay_s = chance.uniform(0.02, 0.3)
    await asyncio.sleep(chance.uniform(0.5, 2))
    line.delay_s = 0.0


async def table_locked(stage: Stage, chance: random.Random) -> None:
    """Somebody holds a table for a while, longer than a statement may take or not."""
    connection = await asyncpg.connect(stage.postgres.url, timeout=5)
    try:
        async with connection.transaction():
            table = chance.choice(["decisions", "sessions", "idempotency", "leases"])
            await connection.execute(f"LOCK TABLE {table}", timeout=5)
            await asyncio.sleep(chance.uniform(0.3, 3))
    finally:
        await connection.close()


async def row_locked(stage: Stage, chance: random.Random) -> None:
    """Somebody holds the rows of a few sessions that are in use."""
    connection = await asyncpg.connect(stage.postgres.url, timeout=5)
    try:
        async with connection.transaction():
            await connection.execute("SELECT 1 FROM sessions ORDER BY id DESC LIMIT 3 FOR UPDATE", timeout=5)
            await asyncio.sleep(chance.uniform(0.3, 3))
    finally:
        await connection.close()


async def maintained(stage: Stage, chance: random.Random) -> None:  # noqa: ARG001 - as all of them
    """The log's days are made ahead, which takes its table for a moment; a second time there is nothing to do."""
    for _ in range(2):
        well, said = await stage.verb("db", "maintain", keep_days="1")
        if not well:
            raise NotUp(f"the log isn't maintained: {said}")


FAULTS: tuple[tuple[int, Fault], ...] = (
    (4, service_killed),
    (1, service_stopped),
    (2, service_frozen),
    (4, postgres_killed),
    (1, postgres_stopped),
    (2, backend_killed),
    (1, all_killed),
    (3, line_cut),
    (2, line_stalled),
    (1, line_slow),
    (2, table_locked),
    (2, row_locked),
    (1, maintained),
)
"""All of them, by weight."""


def drawn(rounds: int, chance: random.Random) -> list[Fault]:
    """So many faults in a random order; with enough rounds, each at least once."""
    each = [fault for _, fault in FAULTS]
    first = chance.sample(each, min(rounds, len(each)))
    rest = chance.choices(each, [weight for weight, _ in FAULTS], k=rounds - len(first))
    drawn_ = [*first, *rest]
    chance.shuffle(drawn_)
    return drawn_
