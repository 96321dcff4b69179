"""The log against what callers were answered: no answer without its record, no counter that the log doesn't imply.

What a counter must be is told here by the rules of the breaker, written down a second time: nothing of the service's
own code decides what is right.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import asyncpg

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchmarks.chaos.load import Got

_IN_A_ROW, _IN_ALL = 3, 20
_REPLAYED_FOR_S = 60
_OUTAGES = frozenset({"classifier_unavailable"})
"""Never given again: the call is decided anew."""

_ROWS = """
SELECT id, decided_at, session_id, tool_use_id, verdict, code, episode, answer
FROM decisions WHERE session_id <> 'probe' ORDER BY session_id, decided_at, id
"""
_SESSIONS = "SELECT session_id, consecutive, total, opened_by, opening, steps FROM sessions WHERE session_id <> 'probe'"
_DANGLING = """
SELECT count(*) FROM idempotency i
WHERE NOT EXISTS (SELECT 1 FROM decisions d WHERE d.id = i.decision_id AND d.decided_at = i.decided_at)
"""
_UNCLAIMED = """
SELECT count(*) FROM decisions d
WHERE d.tool_use_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM idempotency i
    WHERE i.principal = d.principal AND i.session_id = d.session_id AND i.tool_use_id = d.tool_use_id
)
"""


@dataclass
class Counters:
    """A breaker as the log implies it."""

    consecutive: int = 0
    total: int = 0
    opened_by: str | None = None
    opening: int = 0
    steps: int = 0
    counted: set[str] = field(default_factory=set)

    def block(self, tool_use_id: str) -> None:
        """A denial by the classifier: counted once a call, and not while it is open."""
        self.steps += 1
        if tool_use_id in self.counted or self.opened_by is not None:
            return
        self.consecutive += 1
        self.total += 1
        self.opened_by = "total" if self.total >= _IN_ALL else "consecutive" if self.consecutive >= _IN_A_ROW else None
        self.opening += self.opened_by is not None

    def allow(self) -> None:
        """An allow by the classifier."""
        self.steps += 1
        self.consecutive = 0

    def shown(self) -> dict[str, Any]:
        """As an answer shows it."""
        state = "closed" if self.opened_by is None else "open"
        return {
            "state": state,
            "consecutive": self.consecutive,
            "total": self.total,
            "opened_by": self.opened_by,
        }


@dataclass(frozen=True, slots=True)
class Found:
    """What the log holds, and what is wrong with it."""

    records: int
    sessions: int
    openings: int
    unanswered: int
    """Records whose answer reached nobody: they may be there, since it was written first."""
    faults: tuple[str, ...]


async def found(url: str, answers: Sequence[Got]) -> Found:
    """Compare the log of a database with what callers received."""
    connection = await asyncpg.connect(url, timeout=10)
    try:
        # One moment: calls whose callers have left may still be on their way into the log.
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            rows = await connection.fetch(_ROWS)
            sessions = {row["session_id"]: row for row in await connection.fetch(_SESSIONS)}
            dangling, unclaimed = await connection.fetchval(_DANGLING), await connection.fetchval(_UNCLAIMED)
    finally:
        await connection.close()
    faults = [*_unrecorded(rows, answers), *_twice(rows)]
    by_session: dict[str, list[Any]] = defaultdict(list)
    for row in rows:
        by_session[row["session_id"]].append(row)
    for name, records in by_session.items():
        faults += _miscounted(name, records, sessions.get(name))
    if dangling:
        faults.append(f"{dangling} claims of a `tool_use_id` point to no record")
    if unclaimed:
        faults.append(f"{unclaimed} records have a `tool_use_id` that nobody claimed")
    reached = {got.decision_id for got in answers}
    return Found(
        len(rows),
        len(sessions),
        sum(row["opening"] for row in sessions.values()),
        sum(str(row["id"]) not in reached for row in rows),
        tuple(faults),
    )


def _unrecorded(rows: Sequence[Any], answers: Iterable[Got]) -> Iterator[str]:
    """Every answer is in the log exactly once, as it was given."""
    kept: dict[str, list[Any]] = defaultdict(list)
    for row in rows:
        kept[str(row["id"])].append(row)
    for got in answers:
        records = kept.get(got.decision_id, [])
        if len(records) != 1:
            yield f"the answer {got.decision_id} is in the log {len(records)} times"
            continue
        (row,) = records
        as_kept = (row["session_id"], row["tool_use_id"], row["verdict"], row["code"])
        if as_kept != (got.session, got.tool_use_id, got.verdict, got.code):
            yield f"the answer {got.decision_id} was another one than the log has: {got}"


def _twice(rows: Iterable[Any]) -> Iterator[str]:
    """A call has one decision, unless the earlier one may not be given again."""
    last: dict[tuple[str, str], Any] = {}
    for row in rows:
        key = (row["session_id"], row["tool_use_id"])
        earlier, last[key] = last.get(key), row
        if earlier is None or earlier["code"] in _OUTAGES or earlier["episode"] != row["episode"]:
            continue
        if (row["decided_at"] - earlier["decided_at"]).total_seconds() < _REPLAYED_FOR_S:
            yield f"`{key[1]}` of session `{key[0]}` was decided twice: {earlier['id']}, {row['id']}"


def _miscounted(name: str, records: Iterable[Any], session: Any) -> Iterator[str]:
    """The session's counters are those that its records imply, after each of them and at the end."""
    counters = Counters()
    for row in records:
        if row["code"] == "classifier_block":
            counters.block(row["tool_use_id"])
        elif row["code"] == "classifier_allow":
            counters.allow()
        else:
            continue
        if (shown := json.loads(row["answer"])["breaker"]) != counters.shown():
            yield f"session `{name}`: after {row['id']} the breaker was {shown}, and the log implies {counters.shown()}"
    if session is None:
        if counters.steps:
            yield f"session `{name}` has verdicts of the classifier and no row"
        return
    kept = tuple(session[column] for column in ("consecutive", "total", "opened_by", "opening", "steps"))
    implied = (counters.consecutive, counters.total, counters.opened_by, counters.opening, counters.steps)
    if kept != implied:
        yield f"session `{name}` has counters {kept}, and the log implies {implied}"
