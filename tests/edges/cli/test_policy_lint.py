"""``policy lint``: the same findings in each form; the exit status says whether they matter."""

import json

import pytest

MAKE = 'version: 1\npermissions: {allow: ["Bash(make *)"]}\n'
MIDDLE = 'version: 1\npermissions:\n  deny:\n    - "Bash(git:* push)"\n'


def test_what_is_shipped_is_clean(lineclear):
    assert lineclear("policy", "lint", "--fail-on", "note") == (0, "0 errors, 0 warnings, 0 notes\n", "")


def test_a_finding_has_its_place(lineclear, organisation):
    status, out, _ = lineclear("policy", "lint", "--policies", organisation(MIDDLE))
    assert status == 1
    first, last = out.splitlines()
    assert first.startswith("organisation/a.yaml:4:7: error: organisation:deny:Bash(git:* push): ")
    assert last == "1 error, 0 warnings, 0 notes"


@pytest.mark.parametrize(("fail_on", "status"), [("error", 0), ("warning", 1), ("note", 1), ("never", 0)])
def test_what_counts_is_the_callers_choice(lineclear, organisation, fail_on, status):
    assert lineclear("policy", "lint", "--policies", organisation(MAKE), "--fail-on", fail_on)[0] == status


def test_json(lineclear, organisation):
    _, out, _ = lineclear("policy", "lint", "--policies", organisation(MAKE), "--output", "json")
    (finding,) = json.loads(out)
    assert finding["code"] == "suspended"
    assert finding["level"] == "warning"
    assert (finding["file"], finding["line"]) == ("organisation/a.yaml", 2)


def test_sarif(lineclear, organisation):
    _, out, _ = lineclear("policy", "lint", "--policies", organisation(MIDDLE), "--output", "sarif")
    log = json.loads(out)
    (run,) = log["runs"]
    (result,) = run["results"]
    assert log["version"] == "2.1.0"
    assert result["ruleId"] in {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert result["level"] == "error"
    place = result["locations"][0]["physicalLocation"]
    assert place == {
        "artifactLocation": {"uri": "organisation/a.yaml"},
        "region": {"startLine": 4, "startColumn": 7},
    }


@pytest.mark.parametrize("output", ["text", "json", "sarif"])
def test_what_cant_be_loaded_is_told_in_the_same_form(lineclear, organisation, output):
    status, out, _ = lineclear(
        "policy", "lint", "--policies", organisation("version: 1\nruls: []\n"), "--output", output
    )
    assert status == 1
    assert "did you mean `rules`" in out
    assert "organisation/a.yaml" in out
