from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lineclear import resources
from lineclear.policyfiles import cases
from lineclear.policyfiles.problems import PolicyError
from lineclear.policyfiles.trying import Bench
from support.rulings import BUILTIN

if TYPE_CHECKING:
    from pathlib import Path

FILE = """\
---
id: a
title: a reader
request: {tool_name: Bash, tool_input: {command: ls}, cwd: /work/repo, environment: {shell: bash, platform: linux}}
expect: {verdict: allow, code: read_only_command}
---
id: b
title: by its own policy
policy: {version: 1, permissions: {deny: [Bash(ls *)]}}
request: {tool_name: Bash, tool_input: {command: ls}}
expect: {verdict: [ask, deny], code: [deny_rule], rule: "deny:Bash(ls *)"}
why: a denial stands first
---
id: c
title: a policy that is refused
policy: {version: 1, permissions: {deny: [Reed]}}
expect_error: {contains: [Reed, Read]}
---
id: d
title: expected otherwise
request: {tool_name: Bash, tool_input: {command: ls}}
expect: {verdict: deny}
---
id: e
title: left to a model
request: {tool_name: Bash, tool_input: {command: zz}, permission_mode: auto}
expect: {verdict: ask, code: classifier_unavailable}
---
id: f
title: text that is no policy
policy_text: "version: 1\\na: &x [*x]"
expect_error: {contains: [anchor]}
"""


@pytest.fixture(scope="module")
def bench() -> Bench:
    return Bench(resources.policies(), BUILTIN)


def read(tmp_path: Path, text: str):
    path = tmp_path / "cases.yaml"
    path.write_text(text)
    return cases.read(path)


def test_each_case_is_decided_and_reported(bench: Bench, tmp_path: Path) -> None:
    report = bench.run(read(tmp_path, FILE)).as_json()
    assert (report["passed"], report["failed"]) == (5, 1)
    assert [case["passed"] for case in report["cases"]] == [True, True, True, False, True, True]
    assert report["cases"][1]["got"] == {
        "verdict": "deny", "code": "deny_rule", "rule": "organisation:deny:Bash(ls *)",
    }  # fmt: skip
    assert report["cases"][3] == {
        "id": "d",
        "title": "expected otherwise",
        "passed": False,
        "expected": {"verdict": "deny"},
        "got": {"verdict": "allow", "code": "read_only_command", "rule": None},
    }


def test_a_policy_that_should_be_refused_and_is_not_fails(bench: Bench, tmp_path: Path) -> None:
    text = "id: a\ntitle: t\npolicy: {version: 1}\nexpect_error: {contains: [x]}\n"
    assert bench.run(read(tmp_path, text)).failed


def test_a_policy_that_is_refused_and_should_not_be_fails(bench: Bench, tmp_path: Path) -> None:
    text = "id: a\ntitle: t\npolicy: {version: 2}\nrequest: {tool_name: X, tool_input: {}}\nexpect: {verdict: ask}\n"
    (tried,) = bench.run(read(tmp_path, text)).failed
    assert "version" in str(tried.got)


def test_a_request_that_is_none_fails(bench: Bench, tmp_path: Path) -> None:
    text = "id: a\ntitle: t\nrequest: {tool_name: 5, tool_input: {}}\nexpect: {verdict: [ask, deny, allow]}\n"
    assert bench.run(read(tmp_path, text)).failed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title: t\n", "`id`"),
        ("id: a\ntitle: t\n", "`expect`"),
        ("id: a\ntitle: t\nexpect: {verdict: ask}\n", "`request`"),
        ("id: a\ntitle: t\nrequest: {}\nexpect: {verdict: perhaps}\n", "perhaps"),
        ("id: a\ntitle: t\nrequest: {}\nexpect: {code: x}\n", "`verdict`"),
        ("id: a\ntitle: t\nreqest: {}\nexpect: {verdict: ask}\n", "`request`"),
        ("id: a\ntitle: t\nexpect_error: {}\n---\nid: a\ntitle: t\nexpect_error: {}\n", "second time"),
    ],
)
def test_a_case_that_is_none_is_refused_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(PolicyError, match=said) as caught:
        read(tmp_path, text)
    assert caught.value.problems[0].file.endswith("cases.yaml")


def test_cases_are_found_in_folders(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("a.yaml", "deep/b.yml", "c.txt"):
        (tmp_path / name).write_text("")
    assert [path.name for path in cases.find([tmp_path])] == ["a.yaml", "b.yml"]
    with pytest.raises(PolicyError):
        cases.find([tmp_path / "nowhere"])


def test_the_shipped_cases_pass(bench: Bench) -> None:
    tried = [case for path in cases.find([resources.policies() / "tests"]) for case in cases.read(path)]
    report = bench.run(tried)
    assert tried
    assert [(one.case.id, one.got) for one in report.failed] == []
