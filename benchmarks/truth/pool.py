"""Runs many commands: a few at a time, within a time, and says how far it is."""

from __future__ import annotations

import sys
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.truth.observe.sandbox import Run, Sandbox
    from benchmarks.truth.store import Store

_EVERY = 5.0
"""Seconds between two words on the progress."""


def run_all(commands: Iterable[str], sandbox: Sandbox, store: Store, *, workers: int, until: float) -> int:
    """Run what the store doesn't hold yet; stop at ``until`` (monotonic seconds). Returns how many are left."""
    todo = [command for command in dict.fromkeys(commands) if store.get(command) is None]
    waiting = iter(todo)
    under_way: set[Future[Run]] = set()
    done, said = 0, time.monotonic()
    with ThreadPoolExecutor(workers) as pool:
        while True:
            while len(under_way) < workers and time.monotonic() < until:
                command = next(waiting, None)
                if command is None:
                    break
                under_way.add(pool.submit(sandbox.run, command))
            if not under_way:
                break
            finished, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for future in finished:
                store.put(future.result())
                done += 1
            if time.monotonic() - said > _EVERY:
                said = time.monotonic()
                print(f"  {done} of {len(todo)} run", file=sys.stderr, flush=True)
    return len(todo) - done
