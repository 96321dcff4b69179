"""Callers that behave as an agent's host does: one call at a time, again under the same id when no answer came."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from benchmarks.chaos.client import Broken, Client
from benchmarks.chaos.stage import DENIED

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from benchmarks.chaos.client import Answer
    from benchmarks.chaos.stage import Stage

_TRIES = 60
_PAUSE_S = 0.1
_OF_A_GENERATION = 15
"""Calls of a session; then its callers begin another one, whose breaker is closed."""
_OF_A_PRINCIPAL = 2
"""Sessions; with more, the breakers that they open would bear on one another."""
_TWINS = 0.05
_SHARED_BY = 3


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of call, and the verdicts that are right for it in every state that the breaker can be in."""

    command: str
    mode: str
    right: frozenset[str]


KINDS = (
    (5, Kind("ls -la src", "default", frozenset({"allow"}))),
    (1, Kind("cat /etc/shadow", "default", frozenset({"deny"}))),
    (1, Kind("git push origin main", "default", frozenset({"ask"}))),
    (2, Kind("make fine-{}", "auto", frozenset({"allow", "ask"}))),
    (3, Kind(f"make {DENIED}-{{}}", "auto", frozenset({"deny", "ask"}))),
)
"""What is called, by weight; each call that a model judges is another one."""


@dataclass(frozen=True, slots=True)
class Got:
    """An answer as its caller received it."""

    decision_id: str
    session: str
    tool_use_id: str
    verdict: str
    code: str
    replayed: bool


@dataclass
class Tally:
    """What came back, over all callers."""

    answers: list[Got] = field(default_factory=list)
    problems: Counter[str] = field(default_factory=Counter)
    broken: int = 0
    """Requests whose connection ended without an answer."""
    given_up: int = 0
    wrong: list[str] = field(default_factory=list)
    """Answers that no fault excuses."""


class Caller:
    """One host's loop over the services of a stage."""

    def __init__(self, ports: Sequence[int], keys: Sequence[str], tally: Tally, number: int, seed: int) -> None:
        # Two of each, for twins.
        self._clients = [Client(port) for port in ports for _ in range(2)]
        self._keys = keys
        self._tally = tally
        self._number = number
        self._random = random.Random(f"{seed}-{number}")
        self._calls = 0

    async def run(self) -> None:
        """Call until cancelled."""
        try:
            while True:
                self._calls += 1
                kind, body = self._call()
                twins = 2 if self._random.random() < _TWINS else 1
                await asyncio.gather(*(self._answered(kind, body, twin) for twin in range(twins)))
        finally:
            for client in self._clients:
                client.close()

    def _call(self) -> tuple[Kind, dict[str, Any]]:
        kinds = [kind for _, kind in KINDS]
        (kind,) = self._random.choices(kinds, [weight for weight, _ in KINDS])
        name = f"{self._number}-{self._calls}"
        body = {
            "session_id": "s{}-{}".format(*self._session),
            "tool_use_id": f"t{name}",
            "tool_name": "Bash",
            "tool_input": {"command": kind.command.format(name)},
            "permission_mode": kind.mode,
            "cwd": "/work/repo",
            "timeout_ms": 5000,
        }
        return kind, body

    @property
    def _session(self) -> tuple[int, int]:
        return self._number // _SHARED_BY, self._calls // _OF_A_GENERATION

    def _key(self) -> str:
        group, generation = self._session
        return self._keys[(group * 61 + generation // _OF_A_PRINCIPAL) % len(self._keys)]

    async def _answered(self, kind: Kind, body: dict[str, Any], twin: int) -> None:
        """Ask one service or another until one answers; after some tries the call isn't run."""
        for _ in range(_TRIES):
            try:
                answer = await self._random.choice(self._clients[twin::2]).decide(body, self._key())
            except Broken:
                self._tally.broken += 1
            else:
                if self._judged(kind, body, answer):
                    return
            await asyncio.sleep(_PAUSE_S * self._random.random())
        self._tally.given_up += 1

    def _judged(self, kind: Kind, body: dict[str, Any], answer: Answer) -> bool:
        """Keep an answer or a problem; whether the call has its verdict."""
        tally, said = self._tally, answer.body
        if answer.status != HTTPStatus.OK:
            tally.problems[f"{answer.status} {said.get('code')}"] += 1
            if "verdict" in said or answer.status != HTTPStatus.SERVICE_UNAVAILABLE:
                tally.wrong.append(f"{answer.status} for a sound call: {said}")
            elif "retry-after" not in answer.headers:
                tally.wrong.append(f"503 without `Retry-After`: {said}")
            return False
        tally.answers.append(
            Got(
                said["decision_id"],
                body["session_id"],
                body["tool_use_id"],
                said["verdict"],
                said["code"],
                said["replayed"],
            )
        )
        if said["verdict"] not in kind.right:
            tally.wrong.append(f"`{said['verdict']}` ({said['code']}) for `{body['tool_input']['command']}`")
        return True


@asynccontextmanager
async def loaded(stage: Stage, callers: int, seed: int, ports: Sequence[int] = ()) -> AsyncIterator[Tally]:
    """So many callers at work until the block ends; calls under way then are left without an answer.

    They ask the services of the stage, or what listens at ``ports`` instead.
    """
    tally, asked = Tally(), ports or [replica.port for replica in stage.replicas]
    tasks = [asyncio.create_task(Caller(asked, stage.hosts, tally, number, seed).run()) for number in range(callers)]
    try:
        yield tally
        for task in tasks:
            if task.done():  # a caller ends by a fault of its own only
                task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
