"""Sessions as they were when this replica last met them: enough to decide on, if the commit finds them unchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable

    from lineclear.core.call import SessionKey
    from lineclear.engine.log import Session

K = TypeVar("K")
V = TypeVar("V")

MOST_SESSIONS = 4_096
MOST_CALLS = 16_384
"""So many of each are remembered; of more, those that came first are forgotten."""
_LONGEST_CHARS = 2_000
"""Sessions whose roots are longer than this together are looked up each time, so that all of them take little."""


class Familiar:
    """What is remembered of sessions, and which calls of them were decided here.

    It saves the look into the log before a call is decided; it is no truth. Whoever decides on it says so to the log
    (``Entry.by_heart``), which refuses the entry where the session has changed since, on whichever replica.
    """

    def __init__(self) -> None:
        self._sessions: dict[SessionKey, Session] = {}
        self._calls: dict[Hashable, None] = {}

    def session(self, key: SessionKey, tool_use_id: str | None) -> Session | None:
        """The session as it was; None where it isn't known, or the call was decided already: then there is more."""
        return None if (key, tool_use_id) in self._calls else self._sessions.get(key)

    def met(self, session: Session, tool_use_id: str | None) -> None:
        """Remember a session as it is after a call."""
        if tool_use_id is not None:
            _keep(self._calls, (session.key, tool_use_id), None, MOST_CALLS)
        if session.denials or sum(map(len, session.roots or ())) > _LONGEST_CHARS:
            self._sessions.pop(session.key, None)
        elif self._sessions.get(session.key) is not session:
            _keep(self._sessions, session.key, session, MOST_SESSIONS)

    def forget(self, key: SessionKey) -> None:
        """Forget a session that has changed."""
        self._sessions.pop(key, None)


def _keep(kept: dict[K, V], key: K, value: V, most: int) -> None:
    kept[key] = value
    if len(kept) > most:
        del kept[next(iter(kept))]
