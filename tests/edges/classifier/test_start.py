"""At start: a model's capabilities decide how it is asked, and a stage that can't work is refused in words."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from lineclear.classifier.capabilities import Capabilities, capabilities_of, planned
from lineclear.classifier.config import ClassifierConfig, ConfigError, Provider, StageConfig, Structured, Thinking
from lineclear.classifier.messages_api import MessagesAPI
from lineclear.engine.classify import Result, Stage
from support.plays import ALLOW, UNSURE, Hang, error
from support.questions import question

EVERY = frozenset({"adaptive", "enabled", "disabled", "between_tools"})
EFFORTS = frozenset({"low", "medium", "high"})


def stage(**more) -> StageConfig:
    return StageConfig(**({"model": "m", "max_tokens": 4096, "timeout_s": 5.0} | more))


def able(thinking=EVERY, efforts=EFFORTS, *, structured=True, **more) -> Capabilities:
    return Capabilities(frozenset(thinking), frozenset(efforts), structured, **more)


def described(thinking=("adaptive", "disabled"), efforts=("low", "high"), *, structured=True, **more):
    def yes(names):
        return {name: {"supported": True} for name in names}

    return {
        "type": "model",
        "lifecycle": "active",
        "max_tokens": 64_000,
        "capabilities": {
            "thinking": {"supported": True, "types": yes(thinking) | {"enabled": {"supported": False}}},
            "effort": {"supported": bool(efforts)} | yes(efforts) | {"xhigh": None},
            "structured_outputs": {"supported": structured},
        },
    } | more


PLANS = {
    "fast": (Stage.FAST, stage(), able(), {"type": "disabled"}, "low"),
    "fast, off by another name": (Stage.FAST, stage(), able({"between_tools"}), {"type": "between_tools"}, "low"),
    "fast, no efforts": (Stage.FAST, stage(), able(efforts=()), {"type": "disabled"}, None),
    "fast, nothing known": (Stage.FAST, stage(), None, {"type": "disabled"}, None),
    "fast, left out": (Stage.FAST, stage(thinking=Thinking.OMITTED), None, None, None),
    "thinking": (Stage.THINKING, stage(effort="high"), able(), {"type": "adaptive"}, "high"),
    "thinking, budget only": (
        Stage.THINKING,
        stage(),
        able({"enabled"}),
        {"type": "enabled", "budget_tokens": 2048},
        None,
    ),
    "thinking, budget wished": (
        Stage.THINKING,
        stage(thinking=Thinking.BUDGET, budget_tokens=1024),
        None,
        {"type": "enabled", "budget_tokens": 1024},
        None,
    ),
    "thinking, nothing known": (Stage.THINKING, stage(), None, {"type": "adaptive"}, None),
    "thinking, left out": (Stage.THINKING, stage(thinking=Thinking.OMITTED), able(), None, None),
}
REFUSED = {
    "fast that must think": (Stage.FAST, stage(), able({"adaptive"}), "can't be told not to think"),
    "fast told to think": (Stage.FAST, stage(thinking=Thinking.ADAPTIVE), able(), "can't think in this stage"),
    "thinking that can't": (Stage.THINKING, stage(), able({"disabled"}), "no thinking"),
    "no adaptive": (
        Stage.THINKING,
        stage(thinking=Thinking.ADAPTIVE),
        able({"enabled"}),
        "no thinking that `adaptive`",
    ),
    "no budget": (Stage.THINKING, stage(thinking=Thinking.BUDGET), able({"adaptive"}), "no thinking that `budget`"),
    "budget too large": (Stage.THINKING, stage(thinking=Thinking.BUDGET, budget_tokens=4096), None, "budget_tokens"),
    "budget too small": (Stage.THINKING, stage(thinking=Thinking.BUDGET, budget_tokens=1023), None, "budget_tokens"),
    "effort": (Stage.THINKING, stage(effort="max"), able(), "no effort `max`; set one of high, low, medium"),
    "tokens": (Stage.THINKING, stage(), able(max_tokens=2048), "at most 2048 tokens"),
    "retired": (Stage.FAST, stage(), able(lifecycle="retired"), "is retired"),
    "schema": (Stage.FAST, stage(structured=Structured.ON), able(structured=False), "no structured output"),
}


@pytest.mark.parametrize(("which", "config", "known", "thinking", "effort"), PLANS.values(), ids=PLANS)
def test_how_a_stage_asks(which, config, known, thinking, effort):
    plan = planned(which, config, known)
    assert (plan.thinking, plan.effort) == (thinking, effort)


@pytest.mark.parametrize(("which", "config", "known", "words"), REFUSED.values(), ids=REFUSED)
def test_a_stage_that_can_not_work_is_refused(which, config, known, words):
    with pytest.raises(ConfigError, match=rf"stage `{which}`: model `m` .*{words}"):
        planned(which, config, known)


@pytest.mark.parametrize("told", [None, [], {}, {"capabilities": None}, {"capabilities": []}])
def test_a_server_that_tells_nothing_is_taken_at_its_word(told):
    assert capabilities_of(told) is None


async def test_what_the_api_tells_is_used(classifier):
    models = {"fast-model": described(), "thinking-model": described(("adaptive",), ())}
    async with classifier(UNSURE, ALLOW, models=models) as (judge, server):
        assert judge.warnings == ()
        assert (await judge.judge(question(), timeout_s=5)).result is Result.ALLOW
        fast, thinking = (request.json for request in server.requests)
    assert (fast["max_tokens"], fast["thinking"]) == (64, {"type": "disabled"})
    assert fast["output_config"]["effort"] == "low"
    assert [form["properties"]["verdict"]["const"] for form in fast["output_config"]["format"]["schema"]["anyOf"]] == [
        "allow",
        "unsure",
        "block",
    ]
    assert (thinking["max_tokens"], thinking["thinking"]) == (4096, {"type": "adaptive"})
    assert list(thinking["output_config"]) == ["format"]
    for request in (fast, thinking):
        assert not {"temperature", "top_p", "top_k", "tools", "stream"} & request.keys()


async def test_a_stage_that_can_not_work_stops_the_start(classifier):
    with pytest.raises(ConfigError, match="stage `fast`: model `fast-model` can't be told not to think"):
        async with classifier(models={"fast-model": described(("adaptive",))}):
            pass


WARNED = {
    "not offered": (error(404), "tells nothing of model"),
    "outage": (error(529), "status 529"),
    "wrong key": (error(401), "status 401"),
    "deprecated": (described(lifecycle="deprecated"), "is deprecated"),
}


@pytest.mark.parametrize(("told", "words"), WARNED.values(), ids=WARNED)
async def test_what_can_not_be_read_at_start_is_only_a_warning(classifier, told, words):
    async with classifier(ALLOW, models={"fast-model": told, "thinking-model": described()}) as (judge, _):
        assert len(judge.warnings) == 1
        assert words in judge.warnings[0]
        assert (await judge.judge(question(), timeout_s=5)).result is Result.ALLOW


async def test_a_server_that_hangs_at_start_does_not_hold_it_up(classifier, monkeypatch):
    monkeypatch.setattr("lineclear.classifier.messages_api.START_S", 0.1)
    async with classifier(ALLOW, models={"fast-model": Hang(), "thinking-model": Hang()}) as (judge, _):
        assert len(judge.warnings) == 2


async def test_the_key_is_the_configured_one_whatever_the_environment_says(classifier, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-other")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "token-other")
    monkeypatch.setenv("ANTHROPIC_PROFILE", "developer")
    async with classifier(ALLOW) as (judge, server):
        await judge.judge(question(), timeout_s=5)
    sent = server.requests[0].head.decode()
    assert "sk-test" in sent
    assert "other" not in sent


def test_no_key_is_refused_and_never_shown():
    with pytest.raises(ConfigError, match="no key"):
        MessagesAPI(ClassifierConfig(b"k" * 32))
    shown = repr(ClassifierConfig(b"fence-secret", api_key="sk-secret"))
    assert "secret" not in shown


@pytest.mark.parametrize("provider", [Provider.BEDROCK, Provider.VERTEX])
async def test_other_clients_of_the_sdk_can_be_used(provider, monkeypatch):
    for name, value in {"AWS_REGION": "eu", "CLOUD_ML_REGION": "eu", "ANTHROPIC_VERTEX_PROJECT_ID": "p"}.items():
        monkeypatch.setenv(name, value)
    api = MessagesAPI(ClassifierConfig(b"k" * 32, api_key="token", provider=provider))
    assert await api.capabilities("m") == (None, None)
    await api.close()


def test_what_a_client_of_the_sdk_misses_is_said(monkeypatch):
    monkeypatch.delenv("CLOUD_ML_REGION", raising=False)
    with pytest.raises(ConfigError, match=r"no client for `vertex`: .*region"):
        MessagesAPI(ClassifierConfig(b"k" * 32, api_key="token", provider=Provider.VERTEX))
    monkeypatch.setitem(sys.modules, "anthropic", None)
    with pytest.raises(ConfigError, match="the package `anthropic` is missing"):
        MessagesAPI(ClassifierConfig(b"k" * 32, api_key="token"))


def test_the_package_is_imported_only_when_a_classifier_is_opened():
    code = (
        "import sys, lineclear.classifier.worker, lineclear.engine.classify;"
        "assert not {'anthropic', 'httpx2'} & set(sys.modules)"
    )
    subprocess.run(
        [sys.executable, "-c", code], check=True, timeout=60, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    )
