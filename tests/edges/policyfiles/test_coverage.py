"""Which rules of a folder its cases and examples match, and which nothing ever did."""

from __future__ import annotations

import pytest

from lineclear import resources
from lineclear.policyfiles import cases
from lineclear.policyfiles.trying import Bench
from support.rulings import BUILTIN

POLICY = """
version: 1
permissions:
  deny: ["Bash(rm *)", "Read(secrets/**)"]
  ask: ["Bash(make *)"]
  allow: ["Bash(npm *)", "Bash(npm test)", "Edit(docs/**)"]
rules:
  - {id: shown, effect: deny, command: [dd], examples: {match: [dd], no_match: [ls]}}
  - {id: trial, effect: ask, command: ["ls *"], dry_run: true}
  - {id: mirrored, effect: ask, command: ["make x"]}
"""
REQUEST = "{{tool_name: Bash, tool_input: {{command: '{command}'}}, cwd: /work/repo, {environment}}}"
ENVIRONMENT = "environment: {workspace_roots: [/work/repo], home: /home/dev, platform: linux, shell: bash}"


def covered(tmp_path, *commands: str, policy: str = POLICY, own: str = "", mode: str = "default"):
    """How many cases and examples matched each rule of a folder."""
    folder = tmp_path / "policies"
    (folder / "organisation").mkdir(parents=True)
    (folder / "organisation" / "a.yaml").write_text(policy)
    documents = []
    for number, command in enumerate(commands):
        request = REQUEST.format(command=command, environment=ENVIRONMENT + f", permission_mode: {mode}")
        documents.append(f"id: c{number}\ntitle: t\n{own}request: {request}\nexpect: {{verdict: [allow, ask, deny]}}\n")
    file = tmp_path / "cases.yaml"
    file.write_text("---\n".join(documents))
    report = Bench(folder, BUILTIN).run(cases.read(file))
    assert report.failed == ()
    rules = {one.rule.name.removeprefix("organisation:"): one for one in report.coverage.rules}
    return rules, report


def counts(rules):
    return {name: one.cases for name, one in rules.items() if one.cases}


def test_a_rule_counts_whichever_rule_decides(tmp_path):
    rules, _ = covered(tmp_path, "rm a; make x", "npm test && ls -l", "cat secrets/a > docs/b")
    assert counts(rules) == {
        "deny:Bash(rm *)": 1,
        "ask:Bash(make *)": 1,
        "mirrored": 1,
        "allow:Bash(npm *)": 1,
        "allow:Bash(npm test)": 1,
        "trial": 1,
        "deny:Read(secrets/**)": 1,
        "allow:Edit(docs/**)": 1,
    }


def test_what_nothing_matches_is_named_with_its_place(tmp_path):
    rules, report = covered(tmp_path, "rm a")
    told = report.coverage.as_json()
    assert "organisation:ask:Bash(make *)" in told["never"]
    assert "organisation:shown" not in told["never"]
    assert (rules["shown"].cases, rules["shown"].examples) == (0, 1)
    assert told["rules"] - told["matched"] == len(told["never"]) == 7
    lines = list(report.coverage.as_text())
    assert "organisation/a.yaml:5:9: organisation:ask:Bash(make *): no case and no example matches it" in lines
    assert lines[-1].startswith("matched: 2 of 9 rules of your own, ")


def test_a_case_with_a_policy_of_its_own_tells_nothing_of_the_folder_s_rules(tmp_path):
    own = "policy: {version: 1, permissions: {deny: ['Bash(rm *)']}}\n"
    rules, _ = covered(tmp_path, "rm a; git push", own=own)
    assert counts(rules) == {"builtin.ask-git-push": 1}


def test_a_protected_path_that_no_case_touches_is_named(tmp_path):
    policy = """
version: 1
protected_paths:
  - {id: org.schema, path: schema.sql, access: write, effect: ask}
  - {id: org.ledger, path: ledger, access: any, effect: deny}
"""
    _, report = covered(tmp_path, "cat ledger/a", "cat schema.sql", policy=policy)
    told = report.coverage.as_json()["protected_paths"]
    assert [(one["id"], one["cases"]) for one in told] == [("org.schema", 0), ("org.ledger", 1)]
    first, *_ = report.coverage.as_text()
    assert first == "organisation/a.yaml:4:10: protected path org.schema: no case touches it"


def test_a_rule_that_mode_auto_suspends_is_not_matched_there(tmp_path):
    policy = "version: 1\npermissions: {allow: ['Bash(python3 *)']}\n"
    rules, _ = covered(tmp_path, "python3 x.py", policy=policy, mode="auto")
    assert counts(rules) == {}


def test_each_shipped_rule_has_an_example_and_a_case():
    shipped = resources.policies()
    found = [case for file in cases.find([shipped / "tests"]) for case in cases.read(file)]
    report = Bench(shipped, BUILTIN).run(found)
    assert [one.rule.name for one in report.coverage.rules if not (one.cases and one.examples)] == []


@pytest.mark.parametrize("key", ["passed", "failed", "cases"])
def test_the_report_keeps_its_form(tmp_path, key):
    _, report = covered(tmp_path, "ls")
    assert key in report.as_json()
