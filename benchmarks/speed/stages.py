"""Where a decision's processor time goes: each stage by itself, over the everyday calls, without a socket or a disk."""

from __future__ import annotations

import os
import statistics
import time
from contextlib import redirect_stderr
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from benchmarks.service import ROOT
from benchmarks.speed import workload

from lineclear.core.call import Key, Principal, Role
from lineclear.core.decision import Decision
from lineclear.core.own import Own
from lineclear.core.texts import texts
from lineclear.engine.decide import Answer
from lineclear.engine.ids import uuid7
from lineclear.engine.judge import judge
from lineclear.engine.log import Entry, Session
from lineclear.engine.record import Decided, recorded
from lineclear.engine.remembered import Remembered
from lineclear.policyfiles.compiling import Beneath
from lineclear.policyfiles.load import load_text
from lineclear.storage.batch import Candidate
from lineclear.telemetry import logs
from lineclear.telemetry.metrics import Metrics
from lineclear.telemetry.watcher import Watcher
from lineclear.wire import answer
from lineclear.wire.form import JsonForm
from lineclear.wire.request import decode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lineclear.core.call import Stated
    from lineclear.engine.judge import Judgement
    from lineclear.engine.log import Record

    T = TypeVar("T")

_KEY = Key("bench", Role.HOST, Principal("bench"))
_OWN = Own()
_FORM = JsonForm()
_ROUNDS = 50
_HASH = "0" * 64


def measured(repeats: int) -> dict[str, float]:
    """Microseconds of each stage, the median over ``repeats`` of its mean over the everyday calls."""
    policy = load_text(workload.organisation(workload.RULES), Beneath.read(ROOT / "policies" / "builtin"))
    now = datetime.now(UTC)
    recall = Remembered()

    def anew(stated: Stated) -> Judgement:
        return judge(stated, _KEY, policy, _OWN, now.date(), now=now)

    def again(stated: Stated) -> Judgement:
        return judge(stated, _KEY, policy, _OWN, now.date(), now=now, recall=recall)

    def kept(judgement: Judgement) -> Record:
        decision = judgement.outcome
        assert isinstance(decision, Decision)
        told = texts(decision)
        decided = Decided(uuid7(), now, judgement.facts, decision, told, policy.version, _HASH, 1.0, None)
        return recorded(decided, _KEY, judgement.fingerprint, _FORM)

    def row(record: Record) -> Candidate:
        session = Session(record.session, record.id, ("/work/repo",), 0, now)
        return Candidate.of(0, Entry(record, session, session))

    with redirect_stderr(Path(os.devnull).open("w")):
        logs.configure("info")
    watcher = Watcher(Metrics("bench"))
    bodies = [(b"%012d" % number).join(parts) for number, parts in enumerate(workload.bodies()[:8])]
    stated = [decode(body) for body in bodies]
    judged = [anew(one) for one in stated]
    records = [kept(one) for one in judged]
    stages: dict[str, float] = {}
    stages["read the request"] = _us(decode, bodies, repeats)
    stages["judge it, seen before"] = _us(again, stated, repeats)
    stages["judge it, never seen"] = _us(anew, stated, repeats)
    stages["make the record, redacted"] = _us(kept, judged, repeats)
    stages["make its row and its link in the chain"] = _us(row, records, repeats)
    stages["write the answer"] = _us(lambda record: answer.encode(Answer(record), Role.HOST), records, repeats)
    stages["count and log it"] = _us(lambda record: watcher.decided(record, seconds=0.001), records, repeats)
    return stages


def rest(result: dict[str, Any]) -> float:
    """What a request takes on top at 16 connections: the protocol, the event loop, the database's driver."""
    server: float = result["cells"]["16 connections"]["medians"]["Lineclear"]["server_cpu_us"]
    return round(server - sum(us for name, us in result["stages_us"].items() if "never" not in name), 1)


def _us(work: Callable[[T], object], items: Sequence[T], repeats: int) -> float:
    runs = []
    for _ in range(repeats):
        begun = time.process_time()
        for _ in range(_ROUNDS):
            for item in items:
                work(item)
        runs.append((time.process_time() - begun) / _ROUNDS / len(items) * 1e6)
    return round(statistics.median(runs), 1)
