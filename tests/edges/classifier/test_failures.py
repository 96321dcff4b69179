"""Every way in which a stage can end without a clean verdict, over a real socket: none of them is an allow."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from prometheus_client import CollectorRegistry

from lineclear.engine.classify import Result, Stage
from lineclear.telemetry.models import ModelMetrics, Price
from support.plays import ALLOW, CUT_OFF, EMPTY, REFUSAL, UNSURE, Drop, Raw, Say, Status, block, error
from support.questions import HARD, SOFT, question

OUTAGES = {
    "429": error(429, "rate_limit_error"),
    "429 that asks for an hour": error(429, "rate_limit_error", retry_after="3600"),
    "429 that asks for a retry": error(429, "rate_limit_error", x_should_retry="true", retry_after="0"),
    "500": error(500),
    "503": error(503),
    "504": error(504, "timeout_error"),
    "529": error(529, "overloaded_error"),
    "400": error(400, "invalid_request_error"),
    "401": error(401, "authentication_error"),
    "403": error(403, "permission_error"),
    "404": error(404, "not_found_error"),
    "413": error(413, "request_too_large"),
    "an error page": Status(502, b"<html>bad gateway</html>"),
    "a redirect": Status(307, b"", (("location", "http://127.0.0.1:9/elsewhere"),)),
    "dropped at once": Drop(),
    "dropped midway": Drop(midway=True),
}
NO_VERDICT = {
    "refusal": (REFUSAL, "refused"),
    "refusal with a verdict in it": (replace(ALLOW, stop_reason="refusal"), "refused"),
    "cut off": (CUT_OFF, "cut_off"),
    "over the context": (replace(ALLOW, stop_reason="model_context_window_exceeded"), "cut_off"),
    "empty": (EMPTY, "unparsable"),
    "blank": (Say("  \n"), "unparsable"),
    "another stop": (replace(ALLOW, stop_reason="pause_turn"), "unparsable"),
    "no stop reason": (replace(ALLOW, stop_reason=None), "unparsable"),
    "broken json": (Say('{"verdict": "allow"'), "unparsable"),
    "prose": (Say("This looks fine, allow."), "unparsable"),
    "prose around": (Say('Sure: {"verdict": "allow"}'), "unparsable"),
    "two objects": (Say('{"verdict": "allow"}{"verdict": "allow"}'), "unparsable"),
    "the key twice": (Say('{"verdict": "block", "verdict": "allow"}'), "unparsable"),
    "allow with a rule": (Say(json.dumps({"verdict": "allow", "rule": SOFT})), "unparsable"),
    "another key": (Say('{"verdict": "allow", "confidence": 1}'), "unparsable"),
    "another case": (Say('{"verdict": "ALLOW"}'), "unparsable"),
    "a list": (Say('["allow"]'), "unparsable"),
    "a string": (Say('"allow"'), "unparsable"),
    "a boolean": (Say('{"verdict": true}'), "unparsable"),
    "unknown rule": (block("no-such-rule"), "unparsable"),
    "no rule": (Say('{"verdict": "block"}'), "unparsable"),
    "a tool is called": (Say(blocks=({"type": "tool_use", "id": "t", "name": "x", "input": {}},)), "unparsable"),
    "http body broken": (Raw(b'{"id": "msg", "content": ['), "unparsable"),
    "http body empty": (Raw(b""), "unparsable"),
    "http body a page": (Raw(b"<html></html>", "text/html"), "unparsable"),
    "http body a list": (Raw(b"[]"), "unparsable"),
    "http body too deep": (Raw(b"[" * 100_000), "unparsable"),
    "content no list": (Raw(b'{"stop_reason": "end_turn", "content": "allow"}'), "unparsable"),
    "content of numbers": (Raw(b'{"stop_reason": "end_turn", "content": [1]}'), "unparsable"),
}


def outcomes(judged):
    return [(report.stage.value, report.outcome.value) for report in judged.stages]


@pytest.mark.parametrize("play", OUTAGES.values(), ids=OUTAGES)
async def test_an_outage_of_the_fast_stage_is_no_verdict_and_is_not_tried_again(classifier, play):
    async with classifier(play, ALLOW, ALLOW) as (judge, server):
        judged = await judge.judge(question(), timeout_s=5)
    assert (judged.result, outcomes(judged)) == (Result.UNAVAILABLE, [("fast", "failed")])
    assert len(server.requests) == 1
    assert judged.reason


@pytest.mark.parametrize("play", OUTAGES.values(), ids=OUTAGES)
async def test_an_outage_of_the_thinking_stage_is_no_verdict(classifier, play):
    async with classifier(UNSURE, play, ALLOW) as (judge, server):
        judged = await judge.judge(question(), timeout_s=5)
    assert (judged.result, outcomes(judged)) == (Result.UNAVAILABLE, [("fast", "unsure"), ("thinking", "failed")])
    assert len(server.requests) == 2


@pytest.mark.parametrize(("play", "outcome"), NO_VERDICT.values(), ids=NO_VERDICT)
async def test_no_clean_answer_of_the_fast_stage_goes_to_the_second(classifier, play, outcome):
    async with classifier(play, ALLOW) as (judge, server):
        judged = await judge.judge(question(), timeout_s=5)
    assert (judged.result, judged.stage) == (Result.ALLOW, Stage.THINKING)
    assert outcomes(judged) == [("fast", outcome), ("thinking", "allow")]
    assert [request.json["max_tokens"] for request in server.requests] == [64, 4096]


@pytest.mark.parametrize(("play", "outcome"), NO_VERDICT.values(), ids=NO_VERDICT)
async def test_no_clean_answer_of_the_second_stage_is_unsure(classifier, play, outcome):
    async with classifier(UNSURE, play, ALLOW) as (judge, server):
        judged = await judge.judge(question(), timeout_s=5)
    assert (judged.result, outcomes(judged)) == (Result.UNSURE, [("fast", "unsure"), ("thinking", outcome)])
    assert len(server.requests) == 2


async def test_the_second_stage_may_not_be_unsure(classifier):
    async with classifier(UNSURE, UNSURE) as (judge, _):
        judged = await judge.judge(question(), timeout_s=5)
    assert (judged.result, judged.stages[1].outcome.value) == (Result.UNSURE, "unparsable")


COUNTS = {
    "more than any number in the log": 10**30,
    "more than any measure": 10**400,
    "less than nothing": -1,
    "half of one": 0.5,
    "true": True,
    "a text": "812",
    "nothing": None,
}


@pytest.mark.parametrize("count", COUNTS.values(), ids=COUNTS)
async def test_a_count_of_tokens_that_is_none_costs_no_verdict(classifier, count):
    usage = dict.fromkeys(("input_tokens", "output_tokens", "cache_read_input_tokens"), count)
    metrics = ModelMetrics(CollectorRegistry())
    metrics.prices = dict.fromkeys(Stage, Price(1.0, 5.0))
    async with classifier(replace(ALLOW, usage=usage), watcher=metrics) as (judge, _):
        judged = await judge.judge(question(), timeout_s=5)
    assert judged.result is Result.ALLOW
    assert judged.stages[0].input_tokens in range(2**31), "what the log keeps is a number that it can hold"


async def test_a_server_that_cannot_be_reached_is_an_outage_and_no_crash(classifier):
    async with classifier() as (judge, server):
        await server.__aexit__()
        judged = await judge.judge(question(), timeout_s=5)
    assert (judged.result, outcomes(judged)) == (Result.UNAVAILABLE, [("fast", "failed")])


@pytest.mark.parametrize(("rule", "hard"), [(SOFT, False), (HARD, True)])
async def test_a_block_names_its_rule_and_how_hard_it_is(classifier, rule, hard):
    async with classifier(UNSURE, block(rule, "It would send the folder away.\u202e")) as (judge, _):
        judged = await judge.judge(question(), timeout_s=5)
    assert (judged.result, judged.stage, judged.rule, judged.hard) == (Result.BLOCK, Stage.THINKING, rule, hard)
    assert judged.reason == "It would send the folder away."
