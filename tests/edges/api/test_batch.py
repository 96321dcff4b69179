"""A batch: one snapshot, in order, each call answered in its place; nothing in one call reaches another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lineclear.api.app import create
from lineclear.bootstrap.offline import offline
from lineclear.core.call import Role
from lineclear.engine.familiar import Familiar
from lineclear.engine.log import StorageUnavailable
from lineclear.settings import load
from lineclear.storage.memory import MemoryLog
from support.judging import ENVIRONMENT, ROOT, policy

READ = {"tool_name": "Read", "tool_input": {"file_path": "README.md"}}
LIST = {"tool_name": "Bash", "tool_input": {"command": "ls"}}
MAKE = {"tool_name": "Bash", "tool_input": {"command": "make"}}
DEFAULTS = {"session_id": "s", "cwd": "/work/repo", "environment": ENVIRONMENT}
DENIES = 'version: 1\npermissions: {deny: ["Bash(make *)"]}\n'


class Changing:
    """Policies that change each time somebody looks."""

    def __init__(self, *policies):
        self.left = list(policies)

    @property
    def current(self):
        return self.left.pop(0) if len(self.left) > 1 else self.left[0]


class Breaking(MemoryLog):
    """A log that fails where a test says so, by the number of the write."""

    def __init__(self, *failing):
        super().__init__()
        self.failing = failing
        self.writes = 0

    async def commit(self, entries):
        self.writes += 1
        if self.writes in self.failing:
            raise StorageUnavailable("host=db password=hunter2")
        return await super().commit(entries)


@pytest.fixture(scope="module")
def base():
    """A real engine, of which a test changes the log and the policies."""
    return offline(load(policies=ROOT / "policies")).engine


@pytest.fixture
def asked(world, base):
    """Asks an application over a real engine."""

    async def ask(calls, *, defaults=DEFAULTS, role=Role.HOST, log=None, policies=None, content=None):
        engine = replace(base, policies=policies or Changing(policy()), log=log or MemoryLog(), familiar=Familiar())
        world.app = create(replace(world.needs, engine=engine, max_body_bytes=1_048_576))
        body = {"content": content} if content else {"json": {"defaults": defaults, "decisions": calls}}
        async with world.client(role, **{"content-type": "application/json"}) as client:
            return await client.post("/v1/decisions/batch", **body)

    return ask


def codes(answer):
    return [result["code"] for result in answer.json()["results"]]


async def test_calls_are_answered_in_order_with_a_schedule_of_all(asked):
    answer = await asked([READ, LIST, MAKE, READ])
    assert answer.status_code == 200
    assert [result["verdict"] for result in answer.json()["results"]] == ["allow", "allow", "ask", "allow"]
    assert answer.json()["schedule"] == [[0, 1], [2], [3]]


async def test_a_call_of_its_own_mind_does_not_take_the_defaults(asked):
    answer = await asked([READ, READ | {"environment": {}, "permission_mode": "dontAsk"}, MAKE])
    assert [result["mode"] for result in answer.json()["results"]] == ["default", "dontAsk", "default"]


@pytest.mark.parametrize(
    "bad",
    [
        "null",
        "[]",
        "7",
        "{}",
        '{"tool_name": "Bash"}',
        '{"tool_name": "Bash", "tool_input": "ls"}',
        '{"tool_name": "Bash", "tool_input": {"command": "\\ud83d"}}',
        '{"tool_name": "Bash", "tool_input": {"command": "\\u0000"}}',
        '{"tool_name": "Bash", "tool_input": {"a": NaN}}',
        '{"tool_name": "Bash", "tool_input": {"a": 1e999}}',
        '{"tool_name": "Bash", "tool_input": {"a": ' + "9" * 5000 + "}}",
        '{"tool_name": "Bash", "tool_input": {}, "permission_mode": "yolo"}',
        '{"tool_name": "Bash", "tool_input": {}, "session_id": null}',
        '{"tool_name": "Bash", "tool_input": {"a": ' + "[" * 100 + "]" * 100 + "}}",
    ],
    ids=lambda text: text[:50],
)
async def test_a_malformed_call_is_a_problem_in_its_place_and_takes_no_other_with_it(asked, world, bad):
    good = '{"session_id": "s", "tool_name": "Read", "tool_input": {"file_path": "a"}}'
    frame = f'{{"defaults": {{"session_id": "s"}}, "decisions": [{good}, {bad}, {good}]}}'
    answer = await asked([], content=frame.encode())
    assert answer.status_code == 200
    first, problem, last = answer.json()["results"]
    assert (first["verdict"], last["verdict"]) == ("allow", "allow")
    assert (problem["status"], problem["code"]) == (400, "malformed")
    assert problem["errors"]
    assert problem["request_id"] == answer.headers["x-request-id"]
    assert "verdict" not in problem
    assert answer.json()["schedule"] == [[0], [1], [2]]
    assert world.count('lineclear_http_problems_total{code="malformed"}') == 1


@pytest.mark.parametrize(
    ("frame", "pointer"),
    [
        (b"", ""),
        (b"[]", ""),
        (b"{", ""),
        (b"[" * 100_000, ""),
        (b"{}", "/decisions"),
        (b'{"decisions": {}}', "/decisions"),
        (b'{"decisions": null}', "/decisions"),
        (b'{"decisions": [' + b",".join([b"{}"] * 65) + b"]}", "/decisions"),
        (b'{"decisions": [], "defaults": []}', "/defaults"),
        (b'{"decisions": [], "defaults": null}', "/defaults"),
        (
            b'{"decisions": [' + b",".join([b"{}"] * 64) + b'], "defaults": {"x": ["' + b"x" * 40_000 + b'"]}}',
            "/defaults",
        ),
        ('{"decisions": []}'.encode("utf-16"), ""),
        (b'{"decisions": ["\xff"]}', ""),
    ],
    ids=lambda value: repr(value[:30]),
)
async def test_a_malformed_frame_is_400_as_a_whole(asked, frame, pointer):
    answer = await asked([], content=frame or b" ")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert [fault["pointer"] for fault in answer.json()["errors"]] == [pointer]


async def test_sixty_four_calls_are_taken_and_none_is_no_fault(asked):
    answer = await asked([READ] * 64)
    assert codes(answer) == ["safe_tool"] * 64
    assert answer.json()["schedule"] == [list(range(64))]
    assert (await asked([])).json() == {"results": [], "schedule": []}


async def test_a_policy_that_changes_meanwhile_holds_for_the_next_batch(asked):
    policies = Changing(policy(), policy(DENIES))
    answer = await asked([MAKE, MAKE, MAKE], policies=policies)
    assert codes(answer) == ["default_mode"] * 3
    assert len({result["policy_version"] for result in answer.json()["results"]}) == 1
    assert codes(await asked([MAKE], policies=policies)) == ["deny_rule"]


async def test_a_call_id_in_a_batch_is_answered_once_and_stands_for_one_call(asked):
    first, again, other = (await asked([call | {"tool_use_id": "t"} for call in (READ, READ, LIST)])).json()["results"]
    assert (first["replayed"], again["replayed"]) == (False, True)
    assert again["decision_id"] == first["decision_id"]
    assert (other["status"], other["code"]) == (409, "conflict")


async def test_roots_that_the_first_call_fixes_hold_for_the_next(asked):
    wider = {"tool_name": "Edit", "tool_input": {"file_path": "/work/other/a", "old_string": "", "new_string": ""}}
    there = ENVIRONMENT | {"workspace_roots": ["/work/other"]}
    more = {"permission_mode": "acceptEdits", "cwd": "/work/other", "environment": there}
    alone, after = await asked([wider | more]), await asked([READ, wider | more])
    assert codes(alone) == ["workspace_edit"]
    assert codes(after) == ["safe_tool", "default_mode"]


async def test_an_agent_learns_no_rule(asked):
    (result,) = (await asked([MAKE], role=Role.AGENT, policies=Changing(policy(DENIES)))).json()["results"]
    assert (result["code"], result["reason"]) == ("deny_rule", None)
    assert result["findings"] == [{"code": "deny_rule", "verdict": "deny"}]


async def test_no_verdict_without_a_record_and_a_record_that_fails_fails_alone(asked):
    answer = await asked([READ] * 4, log=Breaking(2))
    assert codes(answer) == ["safe_tool", "storage_unavailable", "safe_tool", "safe_tool"]
    assert answer.json()["schedule"] == [[0], [1], [2, 3]]
    assert "hunter2" not in answer.text


async def test_a_log_that_keeps_failing_is_not_asked_for_each_call(asked):
    log = Breaking(*range(1, 99))
    answer = await asked([READ] * 64, log=log)
    assert codes(answer) == ["storage_unavailable"] * 64
    assert log.writes == 2


async def test_a_fault_of_ours_is_a_problem_and_is_logged_without_the_call(asked, capsys):
    class Odd(MemoryLog):
        async def commit(self, entries):
            if any(entry.record.tool_use_id == "odd" for entry in entries):
                raise RuntimeError("hunter2")
            return await super().commit(entries)

    answer = await asked([READ, READ | {"tool_use_id": "odd"}, READ], log=Odd())
    assert codes(answer) == ["safe_tool", "internal", "safe_tool"]
    said = "".join(capsys.readouterr())
    assert "request_failed" in said
    assert "hunter2" not in said + answer.text


@pytest.mark.parametrize("role", [Role.OPERATOR, Role.EDITOR, Role.METRICS, None])
async def test_only_who_runs_agents_may_ask(asked, role):
    assert (await asked([READ], role=role)).status_code == (401 if role is None else 403)
