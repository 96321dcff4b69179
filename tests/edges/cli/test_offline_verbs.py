"""``check`` and ``policy test`` decide by the same rules as the service, and need none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

SHIPPED = Path(__file__).parents[3] / "policies"
LS = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}}
POLICY = 'version: 1\npermissions:\n  deny: ["Bash(ls *)"]\n'
CASES = """
id: a
title: listing is denied here
request: {tool_name: Bash, tool_input: {command: ls}}
expect: {verdict: deny, code: deny_rule}
why: it is
---
id: b
title: listing is allowed elsewhere
policy: {version: 1}
request: {tool_name: Bash, tool_input: {command: ls}}
expect: {verdict: allow}
why: it is
"""


@pytest.fixture
def policies(tmp_path):
    folder = tmp_path / "policies"
    (folder / "organisation").mkdir(parents=True)
    (folder / "organisation" / "a.yaml").write_text(POLICY)
    (folder / "tests").mkdir()
    (folder / "tests" / "a.yaml").write_text(CASES)
    return folder


def lines(*requests):
    return b"".join(json.dumps(request).encode() + b"\n" for request in requests)


def test_check_answers_each_line(lineclear):
    (status, out, _) = lineclear(
        "check", "--policies", SHIPPED, stdin=lines(LS, LS | {"permission_mode": "plan"}) + b"\n"
    )
    answers = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [answer["verdict"] for answer in answers] == ["allow", "allow"]
    assert answers[1]["mode"] == "plan"
    assert answers[0]["policy_version"].startswith("sha256:")


def test_check_takes_the_folder_s_policies(lineclear, policies):
    (_, out, _) = lineclear("check", stdin=lines(LS))
    assert (json.loads(out)["verdict"], json.loads(out)["code"]) == ("deny", "deny_rule")
    assert policies.name in "policies"


def test_a_line_that_is_no_request_gets_a_problem_in_its_place(lineclear):
    (status, out, _) = lineclear("check", stdin=b"{\n" + lines(LS) + b'{"tool_name": "Bash"}\n\xff\n')
    answers = [json.loads(line) for line in out.splitlines()]
    assert status == 1
    assert [answer.get("verdict") for answer in answers] == [None, "allow", None, None]
    assert {answer["code"] for answer in answers if "verdict" not in answer} == {"malformed"}


def test_check_knows_one_id_for_one_call(lineclear):
    first = LS | {"tool_use_id": "t"}
    (status, out, _) = lineclear("check", stdin=lines(first, first, first | {"tool_input": {"command": "pwd"}}))
    answers = [json.loads(line) for line in out.splitlines()]
    assert status == 1
    assert [answer.get("replayed") for answer in answers] == [False, True, None]
    assert answers[2]["code"] == "conflict"


def test_check_keeps_agents_off_the_service(lineclear):
    (_, out, _) = lineclear("check", stdin=lines(LS | {"tool_input": {"command": "curl localhost:8642/v1/policy"}}))
    assert json.loads(out)["verdict"] == "deny"


@pytest.mark.parametrize("verb", [("check",), ("policy", "test")])
@pytest.mark.parametrize(
    ("text", "says"),
    [("version: 1\npermissions: {deyn: []}\n", "organisation/a.yaml:2:15"), ("version: [", "organisation/a.yaml:2")],
)
def test_a_broken_policy_ends_with_its_place(lineclear, policies, verb, text, says):
    (policies / "organisation" / "a.yaml").write_text(text)
    (status, out, err) = lineclear(*verb, stdin=lines(LS))
    assert (status, out) == (2, "")
    assert says in err
    assert "Traceback" not in err


def test_cases_pass_and_are_counted(lineclear, policies):
    (status, out, _) = lineclear("policy", "test")
    assert (status, out.splitlines()[-1]) == (0, "2 passed, 0 failed")
    (status, out, _) = lineclear("policy", "test", policies / "tests" / "a.yaml", "--output", "json")
    report = json.loads(out)
    assert (status, report["passed"], report["failed"]) == (0, 2, 0)
    assert [case["got"]["verdict"] for case in report["cases"]] == ["deny", "allow"]
    assert report["cases"][0]["got"]["rule"] == "organisation:deny:Bash(ls *)"


def test_a_case_that_fails_is_shown_with_both_sides(lineclear, policies):
    (policies / "tests" / "a.yaml").write_text(CASES.replace("verdict: deny", "verdict: ask"))
    (status, out, _) = lineclear("policy", "test", "--policies", policies)
    assert status == 1
    assert "1 passed, 1 failed" in out
    assert "a: listing is denied here" in out
    assert '"ask"' in out
    assert '"deny"' in out


def test_no_cases_are_no_success(lineclear, policies):
    (policies / "tests" / "a.yaml").unlink()
    (status, out, _) = lineclear("policy", "test")
    assert (status, "there are no cases" in out) == (1, True)


@pytest.mark.parametrize("path", ["nowhere", "policies/organisation/a.yaml"])
def test_what_is_no_case_file_is_said_to_be_none(lineclear, policies, path):
    assert policies.is_dir()
    (status, _, err) = lineclear("policy", "test", path)
    assert status == 2
    assert path in err
    assert "Traceback" not in err
