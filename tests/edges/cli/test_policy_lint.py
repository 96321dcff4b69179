"""``policy lint``: the same findings in each form; the exit status says whether they matter."""

import json
import re

import pytest

MAKE = 'version: 1\npermissions: {allow: ["Bash(make *)"]}\n'
LEVELS = {"none", "note", "warning", "error"}
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


def sarif(lineclear, folder):
    return json.loads(lineclear("policy", "lint", "--policies", folder, "--output", "sarif")[1])


def is_sarif(log):
    """What SARIF 2.1.0 asks of a log like ours: see its sections 3.13 (log) to 3.35 (suppression)."""
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    codes = [rule["id"] for rule in driver["rules"]]
    assert driver["name"]
    assert len(set(codes)) == len(codes)
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"]
        assert rule["defaultConfiguration"]["level"] in LEVELS
    for result in run["results"]:
        assert set(result) <= {"ruleId", "ruleIndex", "level", "message", "locations", "suppressions"}
        assert codes[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in LEVELS
        assert result["message"]["text"]
        for location in result["locations"]:
            place = location["physicalLocation"]
            assert re.fullmatch(r"[!-~]*", place["artifactLocation"]["uri"])
            assert min(place["region"]["startLine"], place["region"]["startColumn"]) >= 1
        for suppression in result.get("suppressions", ()):
            assert suppression["kind"] in {"inSource", "external"}
    return run


def test_sarif_has_the_place_as_the_repository_names_it(lineclear, organisation):
    run = is_sarif(sarif(lineclear, organisation(MIDDLE, "my policies")))
    (result,) = run["results"]
    assert (result["ruleId"], result["level"]) == ("colon-star", "error")
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "my%20policies/organisation/a.yaml"},
        "region": {"startLine": 4, "startColumn": 7},
    }


def test_sarif_of_a_folder_elsewhere_has_the_place_in_it(lineclear, organisation, tmp_path, monkeypatch):
    folder = organisation(MIDDLE)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    (result,) = is_sarif(sarif(lineclear, folder))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "organisation/a.yaml"


def test_what_is_ignored_is_counted_and_in_sarif_suppressed_with_its_reason(lineclear, organisation):
    entry = "{id: 'organisation:allow:Bash(make *)', findings: [suspended], reason: nobody uses auto}"
    folder = organisation(MAKE + f"lint: {{ignore: [{entry}]}}\n")
    assert lineclear("policy", "lint", "--policies", folder)[1] == "0 errors, 0 warnings, 0 notes, 1 ignored\n"
    assert json.loads(lineclear("policy", "lint", "--policies", folder, "--output", "json")[1]) == []
    (result,) = is_sarif(sarif(lineclear, folder))["results"]
    assert result["ruleId"] == "suspended"
    assert result["suppressions"] == [{"kind": "external", "justification": "nobody uses auto"}]


def test_sarif_of_what_cant_be_loaded(lineclear, organisation):
    (result,) = is_sarif(sarif(lineclear, organisation("version: 1\nruls: []\n")))["results"]
    assert (result["ruleId"], result["level"]) == ("load", "error")


@pytest.mark.parametrize("output", ["text", "json", "sarif"])
def test_what_cant_be_loaded_is_told_in_the_same_form(lineclear, organisation, output):
    status, out, _ = lineclear(
        "policy", "lint", "--policies", organisation("version: 1\nruls: []\n"), "--output", output
    )
    assert status == 1
    assert "did you mean `rules`" in out
    assert "organisation/a.yaml" in out
