"""The circuit: steady failure lets a model rest, one probe decides, and late results change nothing."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineclear.classifier.circuit import Circuit
from lineclear.engine.classify import Result, State
from support.plays import ALLOW, Status, error
from support.questions import question


def opened(now=0.0) -> Circuit:
    circuit = Circuit(failures=3, rest_s=10)
    for _ in range(3):
        circuit.failed(circuit.admit(now), now)
    return circuit


def test_it_opens_after_failures_in_a_row_and_only_in_a_row():
    circuit = Circuit(failures=3, rest_s=10)
    for failed in (True, True, False, True, True):
        leave = circuit.admit(0)
        circuit.failed(leave, 0) if failed else circuit.succeeded(leave)
    assert circuit.closed
    circuit.failed(circuit.admit(0), 0)
    assert not circuit.closed
    assert circuit.admit(9.9) is None


def test_after_its_rest_one_probe_goes_through_and_decides():
    circuit = opened()
    probe = circuit.admit(10)
    assert probe is not None
    assert circuit.admit(10) is None
    circuit.failed(probe, 10)
    assert circuit.admit(19.9) is None
    probe = circuit.admit(20)
    circuit.succeeded(probe)
    assert circuit.closed
    assert all(circuit.admit(20) for _ in range(5))


def test_an_abandoned_probe_gives_its_turn_to_another():
    circuit = opened()
    circuit.abandoned(circuit.admit(10))
    assert circuit.admit(10) is not None


def test_results_of_an_earlier_time_change_nothing():
    circuit = Circuit(failures=3, rest_s=10)
    late = [circuit.admit(0) for _ in range(6)]
    for leave in late[:3]:
        circuit.failed(leave, 0)
    circuit.succeeded(late[3])
    assert circuit.admit(5) is None
    probe = circuit.admit(10)
    circuit.failed(late[4], 10)
    circuit.abandoned(late[5])
    assert circuit.admit(10) is None
    circuit.succeeded(probe)
    assert circuit.closed


@given(st.lists(st.tuples(st.sampled_from("sfa"), st.integers(0, 12)), max_size=40))
def test_it_never_lets_two_probes_through_and_always_recovers(events):
    circuit, now, out = Circuit(failures=2, rest_s=10), 0.0, []
    for event, later in events:
        now += later
        if (leave := circuit.admit(now)) is not None:
            out.append(leave)
        assert sum(leave.probe for leave in out) <= 1
        if out and later % 2:
            leave = out.pop(0)
            if event == "f":
                circuit.failed(leave, now)
            else:
                {"s": circuit.succeeded, "a": circuit.abandoned}[event](leave)
    for leave in out:
        circuit.abandoned(leave)
    circuit.succeeded(circuit.admit(now + 10))
    assert circuit.closed


async def test_an_upstream_that_fails_steadily_is_left_alone_and_tried_again(classifier):
    states = []

    class Watcher:
        def stage_began(self, stage): ...

        def stage_ended(self, report): ...

        def state_changed(self, state):
            states.append(state)

    config = {"circuit_failures": 3, "circuit_rest_s": 0.2, "watcher": Watcher()}
    async with classifier(*[error(529)] * 3, ALLOW, ALLOW, **config) as (judge, server):
        for _ in range(5):
            assert (await judge.judge(question(), timeout_s=5)).result is Result.UNAVAILABLE
        assert (len(server.requests), judge.state) == (3, State.DEGRADED)
        await asyncio.sleep(0.25)
        assert (await judge.judge(question(), timeout_s=5)).result is Result.ALLOW
        assert judge.state is State.OK
    assert states == [State.DEGRADED, State.OK]


@pytest.mark.parametrize("code", [400, 413, 422])
async def test_a_request_that_is_refused_for_itself_does_not_open_it(classifier, code):
    async with classifier(*[Status(code)] * 8, ALLOW) as (judge, _):
        for _ in range(8):
            await judge.judge(question(), timeout_s=5)
        assert (await judge.judge(question(), timeout_s=5)).result is Result.ALLOW
