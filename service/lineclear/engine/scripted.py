"""The classifier that says what it was told to say: the shipped fake of the port, for tests."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lineclear.engine.classify import NOT_WANTED, Judged, Result, State, always

if TYPE_CHECKING:
    from lineclear.engine.classify import Question, Wanted


@dataclass(slots=True)
class Scripted:
    """Plays its lines in order, one a question; after the last there is no verdict.

    ``gate`` holds every answer back until it is set, so that calls can be kept in flight. ``asked`` are the questions
    that arrived, ``cancelled`` the number of those whose caller gave up.
    """

    lines: list[Judged]
    gate: asyncio.Event | None = None
    state: State = State.OK
    asked: list[Question] = field(default_factory=list)
    cancelled: int = 0

    async def judge(self, question: Question, *, timeout_s: float, wanted: Wanted = always) -> Judged:
        """The next line."""
        if not await wanted():
            return Judged(Result.UNAVAILABLE, reason=NOT_WANTED)
        self.asked.append(question)
        line = self.lines.pop(0) if self.lines else Judged(Result.UNAVAILABLE, reason="the script is at its end")
        if self.gate is not None:
            try:
                async with asyncio.timeout(timeout_s):
                    await self.gate.wait()
            except TimeoutError:
                return Judged(Result.UNAVAILABLE, reason="the deadline passed")
            except asyncio.CancelledError:
                self.cancelled += 1
                raise
        return line
