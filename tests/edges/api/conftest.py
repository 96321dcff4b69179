"""The application over an engine that says what a test tells it to, without a socket."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from uuid import UUID

import httpx
import pytest

from lineclear.api.app import Needs, create
from lineclear.api.health import Readiness
from lineclear.api.policy import ReplicaDocument, VersionDocument
from lineclear.bootstrap.checks import Checks
from lineclear.core.call import Key, Principal, Role, SessionKey
from lineclear.core.own import Own
from lineclear.core.redact import Redacted
from lineclear.engine.answers import Answers
from lineclear.engine.conversation import Conversation
from lineclear.engine.decide import Answer
from lineclear.engine.ids import uuid7
from lineclear.engine.keys import digest
from lineclear.engine.log import Record
from lineclear.engine.observer import Silent
from lineclear.engine.sessions import Sessions
from lineclear.storage.memory import Kept, MemoryKeys
from lineclear.storage.memory_books import MemoryAnswers, MemoryListing, MemoryMessages, MemorySessions
from lineclear.telemetry.metrics import Metrics
from lineclear.wire.form import JsonForm
from support.judging import policy

if TYPE_CHECKING:
    from collections.abc import Callable

    from lineclear.core.call import Stated

REQUEST = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}}


@dataclass
class ScriptedEngine:
    """Answers with a record, or raises."""

    record: Record
    error: Exception | None = None
    seen: list[tuple[Stated, Key]] = field(default_factory=list)
    waits: Callable[[], Any] | None = None
    own: Own = Own()
    policies: Any = field(default_factory=lambda: SimpleNamespace(current=None))

    async def decide(self, stated: Stated, key: Key, *, arrived: float, **_: Any) -> Answer:
        assert arrived > 0
        self.seen.append((stated, key))
        if self.waits is not None:
            await self.waits()
        if self.error is not None:
            raise self.error
        return Answer(self.record)

    async def find(self, decision_id: UUID) -> Record | None:
        if self.error is not None:
            raise self.error
        return self.record if decision_id == self.record.id else None


@dataclass
class ScriptedHealth:
    found: Readiness = field(default_factory=lambda: Readiness({"database": None}))

    async def readiness(self) -> Readiness:
        return self.found


@dataclass
class World:
    """One application, with everything in reach of the test."""

    engine: ScriptedEngine
    keys: MemoryKeys
    health: ScriptedHealth
    metrics: Metrics
    policy: Any
    secrets: dict[Role, str]
    go: asyncio.Event = field(default_factory=asyncio.Event)
    needs: Any = None
    app: Any = None

    def books(self) -> dict[str, Any]:
        """The use cases beside deciding, over the engine's one record."""
        kept, now = Kept(), lambda: datetime.now(UTC)
        answers = MemoryAnswers(kept)
        return {
            "answers": Answers(self.policy, self.engine, answers, JsonForm(), Silent(), Own(), now, uuid7),
            "conversation": Conversation(MemoryMessages(kept), b"k" * 32, now, uuid7),
            "sessions": Sessions(MemorySessions(kept), now, uuid7),
            "listing": MemoryListing(kept, answers),
        }

    def client(self, role: Role | None = None, **headers: str) -> httpx.AsyncClient:
        if role is not None:
            headers["authorization"] = f"Bearer {self.secrets[role]}"
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, base_url="http://localhost:8642", headers=headers)

    def count(self, sample: str) -> float:
        lines = self.metrics.exposition().decode().splitlines()
        return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(sample))


@pytest.fixture
async def world(a_record, a_policy_view) -> World:
    metrics = Metrics("0")
    keys = MemoryKeys()
    secrets = {role: f"lck_{role}" for role in Role}
    for role, secret in secrets.items():
        await keys.add(Key(f"k-{role}", role, Principal(f"p-{role}")), digest(secret))
    made = World(ScriptedEngine(a_record), keys, ScriptedHealth(), metrics, a_policy_view, secrets)
    made.needs = Needs(
        engine=made.engine,
        **made.books(),
        keys=keys,
        policy=a_policy_view,
        checks=Checks(),
        health=made.health,
        metrics=metrics,
        allowed_hosts=frozenset({"localhost", "127.0.0.1", "[::1]"}),
        max_body_bytes=4096,
        max_in_flight=4,
    )
    made.app = create(made.needs)
    return made


@pytest.fixture
def a_record() -> Record:
    answer = {
        "decision_id": "01981f00-0000-7000-8000-000000000001",
        "verdict": "deny",
        "code": "deny_rule",
        "reason": "why",
        "agent_message": "no",
        "findings": [{"code": "deny_rule", "verdict": "deny", "rule": "organisation:x", "part": "ls"}],
        "replayed": False,
    }
    return Record(
        id=UUID(answer["decision_id"]),
        decided_at=datetime(2026, 6, 1, tzinfo=UTC),
        session=SessionKey(("p-host", "s")),
        tool_use_id=None,
        key_id="k-host",
        role="host",
        tool_name="Bash",
        kind="shell",
        host="claude-code",
        mode="default",
        verdict="deny",
        code="deny_rule",
        rules=(),
        enforced=True,
        request=Redacted({"tool_input": {"command": "ls"}}),
        answer=Redacted(answer),
        redactions=Redacted({"request": [], "answer": []}),
        input_sha256="",
        fingerprint="",
        policy_version="sha256:1",
        engine_version="0",
        duration_ms=1.0,
    )


@pytest.fixture
def a_policy_view() -> Any:
    shown = replace(policy(), version="sha256:1", files=("organisation/a.yaml",))

    async def replicas() -> list[ReplicaDocument]:
        return [ReplicaDocument("r1", "sha256:1", "2026-06-01T00:00:00Z"), ReplicaDocument("r2", "sha256:2", "…")]

    async def versions() -> list[VersionDocument]:
        return [VersionDocument("sha256:1", "2026-06-01T00:00:00Z", "a" * 40, modified=False)]

    return SimpleNamespace(current=shown, warnings=["last reload refused"], replicas=replicas, versions=versions)
