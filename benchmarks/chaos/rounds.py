"""Rounds: a fault at a random moment under load, again and again, each until all is well again without help."""

from __future__ import annotations

import asyncio
import random
import signal
import sys
from collections import Counter
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING

import asyncpg
from benchmarks.chaos import ledger
from benchmarks.chaos.load import Tally, loaded
from benchmarks.chaos.stage import NotUp, Stage, staged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.chaos.faults import Fault
    from benchmarks.chaos.ledger import Found

CALM_S = 1.5
"""At most so long nothing happens before the next fault."""
_SETTLED_S = 1.0
_MOST_DESCRIPTORS = 80


@dataclass
class Run:
    """What was done, and what came of it."""

    tally: Tally
    made: Counter[str] = field(default_factory=Counter)
    recoveries: list[float] = field(default_factory=list)
    found: Found | None = None
    failed: list[str] = field(default_factory=list)
    descriptors: int = 0
    """The most files and sockets that a service held open after all of it."""
    chain: str = ""
    """What the verification of the log's chain said."""

    @property
    def faults(self) -> list[str]:
        """Everything that must not be."""
        return [*self.failed, *self.tally.wrong, *(self.found.faults if self.found else ())]

    def summary(self) -> list[str]:
        """The run in a few lines."""
        tally, found = self.tally, self.found
        assert found is not None
        made = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in sorted(self.made.items()))
        answers, replayed = len(tally.answers), sum(got.replayed for got in tally.answers)
        problems = ", ".join(f"{count} times {name}" for name, count in sorted(tally.problems.items())) or "no problems"
        lines = [
            f"faults: {made}",
            f"callers got {answers} answers ({replayed} replayed), {problems}, {tally.broken} broken connections",
            f"calls without a verdict after all their tries: {tally.given_up}",
            f"the log has {found.records} records, {found.unanswered} of them with an answer that reached nobody",
            f"their {found.sessions} sessions have breakers that opened {found.openings} times",
            f"files and sockets open in a service at the end: {self.descriptors} at most",
            f"chain: {self.chain}",
        ]
        if self.recoveries:
            slowest, usual = max(self.recoveries), median(self.recoveries)
            lines.append(f"every service decided again {usual:.1f} s after a fault (median), {slowest:.1f} s at most")
        return lines


async def run(faults: Sequence[Fault], *, seed: int, callers: int, calm_s: float = CALM_S) -> Run:
    """Make the faults one after the other under load, then look at the log."""
    chance = random.Random(seed)
    async with staged() as stage:
        async with loaded(stage, callers, seed) as tally:
            done = Run(tally)
            for number, fault in enumerate(faults, 1):
                await asyncio.sleep(chance.uniform(0, calm_s))
                if not await _round(stage, chance, fault, done):
                    break
                print(f"{number:3} {fault.__name__}: recovered in {done.recoveries[-1]:.1f} s", file=sys.stderr)
        # Its connections end with its callers'; what stays open now would pile up.
        await asyncio.sleep(_SETTLED_S)
        done.descriptors = max((one.descriptors for one in stage.replicas if one.running is not None), default=0)
        if done.descriptors > _MOST_DESCRIPTORS:
            done.failed.append(f"a service holds {done.descriptors} files and sockets open, and nobody calls")
        # Calls whose callers left are still on their way; a service that is asked to stop finishes them.
        for replica in stage.replicas:
            if replica.running is not None:
                await replica.end(signal.SIGTERM)
        done.found = await ledger.found(stage.postgres.url, tally.answers)
        intact, done.chain = await stage.verb("audit", "verify")
        if not intact:
            done.failed.append(done.chain)
    return done


async def _round(stage: Stage, chance: random.Random, fault: Fault, done: Run) -> bool:
    done.made[fault.__name__] += 1
    try:
        try:
            await fault(stage, chance)
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
            done.made["not made"] += 1  # what makes it has a connection too, and deadlines
        done.recoveries.append(await stage.recovered())
    except NotUp as error:
        done.failed.append(f"{fault.__name__}: {error}")
        return False
    return True
