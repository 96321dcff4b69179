"""Service and embedded database, killed in every combination and started again: no hand is needed, nothing is lost."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from support.serving import eventually, launched

pytestmark = pytest.mark.slow

HEALED_WITHIN_S = 30


def ask(client, number):
    call = {"session_id": f"s{number}", "tool_use_id": "t", "tool_name": "Bash", "tool_input": {"command": "ls"}}
    return client.post("/v1/decisions", json=call)


def processes(running):
    """The first process of the database, and those that serve its connections."""
    first = int((running.data / "postgres" / "postmaster.pid").read_text().splitlines()[0])
    children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
    names = {int(pid): Path(f"/proc/{pid}/cmdline").read_text() for pid in children}
    return first, [pid for pid, name in names.items() if "lineclear postgres" in name]


def kept(running, answers):
    with running.client("operator") as client:
        found = [client.get(f"/v1/decisions/{answer['decision_id']}") for answer in answers]
    return [one.status_code for one in found] == [200] * len(answers)


def the_database(running):
    os.kill(processes(running)[0], signal.SIGKILL)


def a_connection(running):
    os.kill(processes(running)[1][0], signal.SIGKILL)


def the_service(running):
    running.end(signal.SIGKILL)


def both(running):
    the_database(running)
    the_service(running)


def the_service_while_the_database_recovers(running):
    a_connection(running)
    the_service(running)


KILLED = (the_database, a_connection, the_service, both, the_service_while_the_database_recovers)


@pytest.mark.parametrize("kill", KILLED, ids=lambda one: one.__name__)
def test_it_is_started_again_and_all_is_there(start, kill):
    running = start()
    with running.client() as client:
        answers = [ask(client, number).json() for number in range(5)]
    for number in range(2):
        kill(running)
        if running.process.poll() is not None:
            running = start(data=running.data)
            assert running.process.poll() is None, running.logged()
        with running.client() as client:
            assert eventually(lambda client=client: ask(client, 100).status_code == 200, HEALED_WITHIN_S)
            answers.append(ask(client, 200 + number).json())
        assert kept(running, answers)
    assert running.end() == 0
    assert not (running.data / "postgres" / "postmaster.pid").exists()


def test_a_service_that_is_killed_at_any_moment_of_its_first_start_leaves_nothing_in_the_way(start, folders):
    data = folders()
    for number in range(16):
        starting = launched(data, ("--port", "0"), {})
        time.sleep(0.3 + number * 0.2)
        starting.end(signal.SIGKILL)
        starting.process.stdout.close()
    running = start(data=data)
    assert running.process.poll() is None, running.logged()
    with running.client() as client:
        assert ask(client, 1).status_code == 200
    assert running.end() == 0
