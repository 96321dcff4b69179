"""``policy test``: the report with its coverage, and again whenever a file changes."""

import json
import os
import signal
import subprocess
import sys
from threading import Timer

import pytest

from support.judging import ROOT

DENY = 'version: 1\npermissions: {deny: ["Bash(rm *)"], ask: ["Bash(make *)"]}\n'
CASE = "id: a\ntitle: gone is gone\nrequest: {tool_name: Bash, tool_input: {command: rm x}}\nexpect: {verdict: deny}\n"


@pytest.fixture
def folder(organisation):
    place = organisation(DENY)
    (place / "tests").mkdir()
    (place / "tests" / "a.yaml").write_text(CASE)
    return place


def test_text_names_the_rules_that_nothing_matches(lineclear, folder):
    status, out, err = lineclear("policy", "test", "--policies", folder)
    assert (status, err) == (0, "")
    first, matched, last = out.splitlines()
    assert first.startswith("organisation/a.yaml:2:")
    assert "organisation:ask:Bash(make *): no case" in first
    assert matched.startswith("matched: 1 of 2 rules of your own, ")
    assert last == "1 passed, 0 failed"


def test_json_has_the_coverage_beside_what_it_had(lineclear, folder):
    told = json.loads(lineclear("policy", "test", "--policies", folder, "--output", "json")[1])
    assert (told["passed"], told["failed"], told["cases"][0]["passed"]) == (1, 0, True)
    assert told["coverage"]["never"] == ["organisation:ask:Bash(make *)"]
    by_rule = {one["rule"]: one for one in told["coverage"]["by_rule"]}
    assert by_rule["organisation:deny:Bash(rm *)"]["cases"] == 1


def test_no_cases_are_no_success(lineclear, folder):
    (folder / "tests" / "a.yaml").unlink()
    status, out, _ = lineclear("policy", "test", "--policies", folder)
    assert (status, "there are no cases" in out) == (1, True)


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_it_runs_again_when_a_file_changes(folder):
    process = subprocess.Popen(
        [sys.executable, "-m", "lineclear", "policy", "test", "--policies", str(folder), "--watch"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=dict(os.environ, PYTHONPATH=str(ROOT / "service")),
    )
    limit = Timer(40, process.kill)
    limit.start()

    def until(end):
        for line in process.stdout:
            if end in line:
                return
        pytest.fail(f"it never said {end!r}")

    try:
        until("1 passed, 0 failed")
        for text, end in [
            (DENY.replace("rm *", "mv *"), "0 passed, 1 failed"),
            ("version: 2\n", "`version` must be 1"),
        ]:
            (folder / "organisation" / "a.yaml").write_text(text)
            until(end)
        (folder / "organisation" / "a.yaml").write_text(DENY)
        until("1 passed, 0 failed")
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
    finally:
        limit.cancel()
        process.kill()
        process.wait()
        process.stdout.close()
