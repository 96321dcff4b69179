"""The benchmark reports nothing unless keys, redaction, rules and the disk are on; its loader counts what came back."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
from dataclasses import replace

import pytest
from benchmarks.service import ROOT, serving
from benchmarks.speed import cerbos, course, gate, guards, load, pure, report, workload
from benchmarks.speed.echo import HOST, echoing

RESULTS = ROOT / "benchmarks" / "results"
PATH = os.pathsep.join(str(ROOT / part) for part in ("service", "tests"))


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
        "path": course.PATH,
        "key": service.key(),
        "bodies": workload.bodies(),
        "connections": 4,
        "seconds": 0.5,
        "warm_up_s": 0.1,
    }
    return load.Load(**given | more)


def test_a_service_with_everything_on_is_measured(service):
    seen = guards.all_on(service)
    assert (seen["keys"], seen["redaction"], seen["hash_chain"], seen["added_rules"]) == (True, True, True, 100)
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


def test_no_two_requests_are_the_same():
    for bodies in (workload.bodies_each_new(), workload.bodies_each_in_a_session(), workload.bodies_for_a_model()):
        first, second = (json.loads((b"%012d" % number).join(bodies[0])) for number in (1, 2))
        assert first["tool_use_id"] != second["tool_use_id"]
        assert (first["tool_input"], first["session_id"]) != (second["tool_input"], second["session_id"])


@pytest.mark.skipif(not cerbos.PROGRAM.exists(), reason="no peer was fetched")
def test_the_peer_denies_what_its_rules_deny_and_is_loaded_alike(service, tmp_path):
    with cerbos.serving("peer", tmp_path, frozenset({0}), audit=True) as peer:
        answered = load.run(a_load(service, port=peer.port, path=peer.path, bodies=[*peer.bodies]))
    assert answered.answers > 0
    assert answered.failures == 0


def a_turn(per_second=1000.0, cpu=100.0):
    return {"per_second": per_second, "p50_ms": 1.0, "p99_ms": 1.0, "server_cpu_us": cpu, "loader_cpu": 0.99}


def a_cell(*others, cpu=5.0):
    names = ("Lineclear", *others)
    ratio = {"per_second": 0.1, "p50_ms": 3.0, "p99_ms": 3.0, "server_cpu_us": cpu}
    return {"medians": {name: a_turn() for name in names}, "ratios": dict.fromkeys(others, ratio)}


def a_result():
    return {
        "at": "2026-01-01T00:00:00",
        "machine": {
            "processor": "p", "cores": 2, "system": "s", "python": "3", "commit": "c", "quiet": False, "load_before": 9,
        },
        "on": {"postgres": {"server_version": "18"}},
        "peers": {},
        "seconds": 1.0,
        "repeats": 3,
        "cells": {
            "16 connections": a_cell("one session", "each call new", "echo"),
            "1 connection": a_cell("echo"),
            "16 connections, models at work": a_cell("without"),
        },
        "growth": {"rows": {"100": a_turn()}},
        "in_process": {
            "judge_us": {"100": 1, "10000": 2},
            "growth": 2,
            "with_conditions_us": 1,
            "analysis_us": 1,
            "analysis_long_us": 1,
            "by_length_us": {"20": 1},
            "texts_ms": {"a": 1},
            "worst": {"text": "a", "ms": 1},
        },
        "stages_us": {"read the request": 1.0},
        "start": {"rules": 1, "at_a_server_s": 1, "with_a_new_database_s": 1, "memory_mib": 1},
        "memory_mib": {"fresh": 1, "loaded": 2},
    }  # fmt: skip


def test_a_busy_machine_a_loader_at_its_end_and_a_goal_that_is_missed_are_said(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("before\n\n<!-- results: written by make bench -->\nold\n<!-- end of results -->\n\nbehind\n")
    report.into(page, a_result())
    told = page.read_text()
    for words in ("BUSY", "the loader was the limit", "no peer was there", "| 2 x | ≤ 1.5 x | **not met** |"):
        assert words in told
    assert "old" not in told
    assert told.startswith("before")
    assert told.endswith("behind\n")


def test_the_gate_shuts_on_what_takes_twice_the_processor_time():
    assert gate.compared(a_cell("echo", cpu=9.9), a_result()).passed
    assert not gate.compared(a_cell("echo", cpu=10.1), a_result()).passed


@pytest.mark.skipif(gate.last(RESULTS) is None, reason="no result to compare with")
@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="two processors are needed")
def test_a_decision_takes_no_more_than_twice_the_processor_time_of_the_last_result():
    command = [sys.executable, "-m", "benchmarks.speed", "--gate"]
    assert subprocess.call(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": PATH}) == 0


def test_a_look_is_no_result_to_compare_with(tmp_path):
    (tmp_path / "quick-1.json").write_text("{}")
    assert gate.last(tmp_path) is None
    (tmp_path / "speed-1.json").write_text('{"at": 1}')
    assert gate.last(tmp_path) == {"at": 1}
