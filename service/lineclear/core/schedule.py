"""How the calls of one turn may run: neighbours that are safe side by side together, every other alone, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def schedule(concurrency_safe: Sequence[bool]) -> list[list[int]]:
    """Groups of indexes, to be run one group after the other; the calls of a group may run side by side."""
    groups: list[list[int]] = []
    for index, safe in enumerate(concurrency_safe):
        if safe and groups and concurrency_safe[groups[-1][0]]:
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups
