"""Who watches the engine hears of each stage's time, and once a call of a condition that couldn't be evaluated."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field, replace

import pytest

from lineclear.bootstrap.offline import CALLER, offline
from lineclear.engine.log import StorageUnavailable
from lineclear.engine.observer import Silent
from lineclear.settings import Settings
from lineclear.wire.request import from_mapping
from support.judging import call

RULES = """
version: 1
rules: [{id: r, effect: deny, command: [make *], when: "context.ticket == 'x'"}]
"""


@dataclass
class Listening(Silent):
    """Keeps what it is told."""

    stages: list[tuple[str, float]] = field(default_factory=list)
    failed: Counter[str] = field(default_factory=Counter)
    storage: list[str] = field(default_factory=list)

    def stage(self, name, seconds):
        self.stages.append((name, seconds))

    def storage_failed(self, kind):
        self.storage.append(kind)

    def condition_failed(self, rule):
        self.failed[rule.name] += 1


@pytest.fixture
def heard(tmp_path):
    """An engine with a policy that has a condition, and who listens to it."""
    (tmp_path / "organisation").mkdir()
    (tmp_path / "organisation" / "a.yaml").write_text(RULES)
    listening = Listening()
    return replace(offline(Settings(policies=tmp_path)).engine, observer=listening), listening


async def decide(engine, command, session="s", **more):
    stated = from_mapping(call("Bash", {"command": command}, session_id=session, **more))
    return (await engine.decide(stated, CALLER, arrived=time.perf_counter())).record


async def test_analysis_and_rules_are_told_apart(heard):
    engine, listening = heard
    await decide(engine, "ls -la && cat x")
    assert [name for name, _ in listening.stages] == ["commit", "analysis", "rules"]
    assert all(seconds > 0 for _, seconds in listening.stages)


async def test_a_call_that_was_just_analysed_takes_no_analysis(heard):
    engine, listening = heard
    for session in ("a", "b"):
        await decide(engine, "ls -la && cat x", session)
    first, second = (seconds for name, seconds in listening.stages if name == "analysis")
    assert first > second == 0


async def test_a_call_that_is_looked_up_after_all_tells_each_stage_once(heard):
    """A session that this replica knows decides by heart what is allowed; what isn't is looked up and judged again."""
    engine, listening = heard
    await decide(engine, "ls")
    listening.stages.clear()
    assert (await decide(engine, "make all")).verdict == "deny"
    assert sorted(name for name, _ in listening.stages) == ["analysis", "commit", "rules"]


async def test_a_condition_that_fails_is_counted_once_a_call_and_denies(heard):
    engine, listening = heard
    assert (await decide(engine, "make all")).verdict == "deny"
    assert (await decide(engine, "make all", context={"ticket": "y"})).verdict != "deny"
    assert (await decide(engine, "ls")).verdict == "allow"
    assert listening.failed == {"organisation:r": 1}


class Gone:
    """A log of which one thing can't be done."""

    def __init__(self, log, method):
        self._log, self._method = log, method

    def __getattr__(self, name):
        return self._gone if name == self._method else getattr(self._log, name)

    async def _gone(self, *_):
        raise StorageUnavailable("gone")


@pytest.mark.parametrize(("method", "kind"), [("known", "read"), ("commit", "write")])
async def test_a_log_that_is_gone_is_told_once_a_call(heard, method, kind):
    """The first thing that a call does is to read: an outage that only writes tell of is no alert."""
    engine, listening = heard
    with pytest.raises(StorageUnavailable):
        await decide(replace(engine, log=Gone(engine.log, method)), "make all")
    assert listening.storage == [kind]
