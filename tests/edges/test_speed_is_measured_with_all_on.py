"""The benchmark reports nothing unless keys, redaction, rules and the disk are on; its loader counts what came back."""

from __future__ import annotations

import multiprocessing
from dataclasses import replace

import pytest
from benchmarks.service import serving
from benchmarks.speed import cells, guards, load, pure, report, workload
from benchmarks.speed.echo import HOST, echoing


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return workload.policies(tmp_path_factory.mktemp("bench") / "policies")


@pytest.fixture(scope="module")
def service(folder):
    with serving(policies=folder) as running:
        yield running


def a_load(service, **more):
    given = {
        "host": HOST,
        "port": service.port,
        "path": cells.PATH,
        "key": service.key(),
        "bodies": workload.bodies(),
        "connections": 4,
        "seconds": 0.5,
        "warm_up_s": 0.1,
    }
    return load.Load(**given | more)


def test_a_service_with_everything_on_is_measured(service):
    seen = guards.all_on(service)
    assert (seen["keys"], seen["redaction"], seen["added_rules"]) == (True, True, 100)
    assert seen["postgres"]["fsync"] == "on"


def test_without_the_added_rules_there_is_nothing_to_report():
    with serving() as plain, pytest.raises(guards.NotAllOn, match="not all rules are on"):
        guards.all_on(plain)


def test_the_loader_counts_decisions_and_tells_refusals(service):
    decided = load.run(a_load(service))
    assert decided.answers > 0
    assert decided.failures == 0
    assert decided.latencies == sorted(decided.latencies)
    refused = load.run(replace(a_load(service), key="lck_none"))
    assert refused.failures == refused.answers > 0


def test_the_yardstick_sends_back_what_it_got(service):
    with echoing(multiprocessing.get_context("spawn")) as (_, port):
        echoed = load.run(a_load(service, port=port))
    assert echoed.answers > 0
    assert echoed.failures == 0


def test_hostile_texts_are_of_the_longest_kind_that_is_read():
    assert {len(text) for text in pure.texts().values()} == {pure.LONGEST}


def test_a_busy_machine_and_a_loader_at_its_end_are_said():
    turn = {"per_second": 1.0, "p50_ms": 1.0, "p99_ms": 1.0}
    cell = {"lineclear": turn, "echo": turn, "ratio": 0.5, "ratio_of_processor_time": 0.5, "loader_saturated": True}
    told = "\n".join(
        report.lines(
            {
                "at": "now",
                "machine": {"processor": "p", "cores": 2, "python": "3", "quiet": False, "load_before": 9},
                "cells": {"one": cell},
                "in_process": {
                    "judge_us": {"100": 1},
                    "growth": 1,
                    "analysis_us": 1,
                    "texts_ms": {"a": 1},
                    "worst": {"text": "a", "ms": 1},
                },
                "start_until_ready_s": 1,
                "memory_mib": {"fresh": 1, "loaded": 2},
            }
        )
    )
    assert "BUSY" in told
    assert "the loader was the limit" in told
