"""The calls of one model turn: decided in order, on one policy snapshot; one that fails takes no other with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.engine.decide import stays
from lineclear.engine.errors import CallerGone
from lineclear.engine.log import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lineclear.core.call import Key, Stated
    from lineclear.engine.classifying import Gone
    from lineclear.engine.decide import Answer, Engine

_PATIENCE = 2
"""Failures of the log in a row after which the rest isn't tried: one may be a record's fault, two are the log's."""


async def decide_all(
    engine: Engine, calls: Iterable[Stated | Exception], key: Key, *, arrived: float, gone: Gone = stays
) -> list[Answer | Exception]:
    """Decide calls; what was no call to begin with comes as the exception that says so, and stays in its place.

    Each result is a committed decision, or why there is none, which means "do not run". The time that each call allows
    is counted from ``arrived``, the arrival of all of them by ``time.perf_counter``. ``gone`` is as for one call.
    Raises ``CallerGone``.
    """
    policy = engine.policies.current
    results: list[Answer | Exception] = []
    failed: list[StorageUnavailable] = []
    for call in calls:
        if isinstance(call, Exception):
            results.append(call)
        elif len(failed) >= _PATIENCE:
            results.append(failed[-1])
        else:
            try:
                results.append(await engine.decide(call, key, arrived=arrived, policy=policy, gone=gone))
                failed.clear()
            except CallerGone:
                raise
            except StorageUnavailable as error:
                results.append(error)
                failed.append(error)
            except Exception as error:  # noqa: BLE001 - whatever it was, it is this call's alone
                results.append(error)
    return results
