"""The ports of conversations, answers, leases, sessions and lists without a database; all share one ``Kept``."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from lineclear.core.course import Answer, Course
from lineclear.core.joining import unheard
from lineclear.engine.answers import FOR_EVER
from lineclear.engine.listing import Page
from lineclear.storage.memory import HeldGrant

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from lineclear.core.call import Key, SessionKey
    from lineclear.core.course import Result
    from lineclear.core.redact import Redacted
    from lineclear.core.standing import Grant
    from lineclear.engine.answers import Given
    from lineclear.engine.conversation import Heard
    from lineclear.engine.listing import Wanted
    from lineclear.engine.log import Record, Session
    from lineclear.engine.sessions import Deed
    from lineclear.storage.memory import Kept


class MemoryMessages:
    """Conversations as lists."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._heard: dict[SessionKey, list[Heard]] = {}

    async def join(self, fresh: Session, heard: Sequence[Heard]) -> int:
        """Keep those messages that aren't kept yet."""
        own = self._heard.setdefault(fresh.key, [])
        new = [heard[n] for n in unheard([one.said for one in own], [one.said for one in heard])]
        own += new
        session = self._kept.sessions.get(fresh.key, fresh)
        self._kept.sessions[fresh.key] = replace(session, messages=len(own))
        return len(new)

    async def latest(self, session: SessionKey, most: int) -> tuple[Sequence[Redacted], int]:
        """The first message and the latest."""
        own = [one.typed for one in self._heard.get(session, [])]
        if len(own) <= most:
            return own, 0
        return [own[0], *own[len(own) - most + 1 :]], len(own) - most


class MemoryAnswers:
    """Courses as a dictionary."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self.courses: dict[UUID, Course] = {}

    async def course(self, decision_id: UUID) -> Course:
        """How far a decision has come."""
        return self.courses.get(decision_id, Course())

    async def answer(self, question: Record, given: Given) -> Session | None:
        """Keep an answer with all that follows from it."""
        course = self.courses.get(question.id, Course())
        if course.answer is not None or course.result is not None:
            return None
        self.courses[question.id] = Course(given.answer, given.by, given.scope, given.at)
        self._kept.spent.add(question.id)
        session = self._kept.sessions[question.session]
        if given.answer is Answer.APPROVED and given.closes_breaker:
            closed = session.breaker.approved(question.episode)
            if closed != session.breaker:
                session = replace(session, breaker=closed, steps=session.steps + 1)
        if given.grant is not None:
            until = given.grant_until or FOR_EVER
            session = replace(session, grants_until=max(until, session.grants_until or until))
            self._kept.grants[given.grant.id] = HeldGrant(given.grant, session.key, given.grant_until)
        self._kept.sessions[session.key] = session
        return session

    async def report(self, decision: Record, result: Result, key: Key, at: datetime) -> bool:
        """Keep what became of a call."""
        del key, at
        course = self.courses.get(decision.id, Course())
        if course.result not in {None, "unknown", result}:
            return False
        self.courses[decision.id] = replace(course, result=result)
        self._kept.spent.add(decision.id)
        return True

    async def grants(self, session: SessionKey, now: datetime) -> Sequence[Grant]:
        """The grants of a session that are held now."""
        return [held.grant for held in self._kept.grants.values() if held.session == session and held.holds(now)]


class MemoryLeases:
    """Leases as a dictionary."""

    def __init__(self) -> None:
        self._held: dict[tuple[SessionKey, str], tuple[UUID, float]] = {}

    async def take(self, session: SessionKey, tool_use_id: str, holder: UUID, *, for_s: float) -> bool:
        """Take the lease of a call."""
        now = time.monotonic()
        _, until = self._held.get((session, tool_use_id), (None, now))
        if until > now:
            return False
        self._held[session, tool_use_id] = (holder, now + for_s)
        return True

    async def release(self, session: SessionKey, tool_use_id: str, holder: UUID) -> None:
        """Give it back."""
        if self._held.get((session, tool_use_id), (None, 0.0))[0] == holder:
            del self._held[session, tool_use_id]


class MemorySessions:
    """Sessions as they are kept."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self.deeds: list[Deed] = []

    async def find(self, session_id: UUID) -> Session | None:
        """The session of an opaque id."""
        return next((one for one in self._kept.sessions.values() if one.id == session_id), None)

    async def named(self, key: SessionKey) -> Session | None:
        """The session of a principal by its own name."""
        return self._kept.sessions.get(key)

    async def page(
        self, principal: str | None, *, open_only: bool, before: UUID | None, limit: int
    ) -> Sequence[Session]:
        """Sessions with ids before ``before``, newest first."""
        found = [
            one
            for one in self._kept.sessions.values()
            if (principal is None or one.key[0] == principal)
            and (one.breaker.open or not open_only)
            and (before is None or one.id < before)
        ]
        return sorted(found, key=lambda one: one.id, reverse=True)[:limit]

    async def reset(self, session: Session, deed: Deed) -> Session | None:
        """Close the breaker."""
        now = self._kept.sessions[session.key]
        if not now.breaker.open:
            return None
        after = replace(now, breaker=now.breaker.reset(), steps=now.steps + 1)
        self._kept.sessions[session.key] = after
        self.deeds.append(deed)
        return after

    async def close(self, session: Session, deed: Deed) -> Session:
        """Close a session: its grants end."""
        for held in self._kept.grants.values():
            held.over |= held.session == session.key
        after = replace(self._kept.sessions[session.key], closed_at=deed.at)
        self._kept.sessions[session.key] = after
        self.deeds.append(deed)
        return after


class MemoryListing:
    """Lists out of what is kept."""

    def __init__(self, kept: Kept, answers: MemoryAnswers) -> None:
        self._kept = kept
        self._answers = answers

    async def decisions(self, wanted: Wanted, *, before: UUID | None, limit: int) -> Page:
        """Decisions with ids before ``before``."""
        return _page([one for one in self._kept.records.values() if _is(one, wanted)], before, limit)

    async def pending(self, now: datetime, *, before: UUID | None, limit: int) -> Page:
        """The questions that wait for an answer."""
        courses = self._answers.courses
        asked = [one for one in self._kept.records.values() if one.expires_at is not None and one.expires_at > now]
        open_ = [one for one in asked if (course := courses.get(one.id, Course())).answer is None is course.result]
        return _page(open_, before, limit)


def _page(records: list[Record], before: UUID | None, limit: int) -> Page:
    rest = sorted((one for one in records if before is None or one.id < before), key=lambda one: one.id, reverse=True)
    return Page(rest[:limit], rest[limit - 1].id if len(rest) > limit else None)


def _is(record: Record, wanted: Wanted) -> bool:
    return (
        wanted.session in {None, record.session[1]}
        and wanted.verdict in {None, record.verdict}
        and wanted.code in {None, record.code}
        and wanted.tool_name in {None, record.tool_name}
        and (wanted.rule is None or wanted.rule in record.rules)
        and (wanted.since is None or record.decided_at >= wanted.since)
        and (wanted.until is None or record.decided_at < wanted.until)
    )
