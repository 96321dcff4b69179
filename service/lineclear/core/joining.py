"""Joining what a caller sends of a conversation with what is recorded of it: recorded first, nothing is replaced.

Callers send all of it with each call, or its end, or only what is new; the same message must not be heard twice, and
the same words typed again must be.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Said:
    """What tells a message apart: the id that its host gave it, if any, and a hash of what was typed."""

    message_id: str | None
    digest: str


def unheard(recorded: Sequence[Said], sent: Sequence[Said]) -> tuple[int, ...]:
    """Which of the sent messages are new, as positions in ``sent``.

    A message is known by its id, wherever it stands; else by its hash, behind the one that was recognised before it,
    where not both have ids. One that contradicts the recorded order may be new words or old ones: it counts as new.
    """
    by_id = {said.message_id: place for place, said in enumerate(recorded) if said.message_id is not None}
    by_digest: dict[str, list[int]] = {}
    for place, said in enumerate(recorded):
        by_digest.setdefault(said.digest, []).append(place)
    new: list[int] = []
    fresh: set[str] = set()
    behind = 0
    for position, said in enumerate(sent):
        if said.message_id is not None and said.message_id in by_id:
            behind = max(behind, by_id[said.message_id] + 1)
            continue
        if said.message_id is not None and said.message_id in fresh:
            continue
        places = by_digest.get(said.digest, [])
        candidates = places[bisect_left(places, behind) :]
        known = next((n for n in candidates if said.message_id is None or recorded[n].message_id is None), None)
        if known is not None:
            behind = known + 1
            continue
        new.append(position)
        if said.message_id is not None:
            fresh.add(said.message_id)
    return tuple(new)
