"""The tutorial can be followed: its files load, its cases pass, its commands are there."""

from __future__ import annotations

import re

import typer

from lineclear.cli import program
from lineclear.policyfiles import cases
from lineclear.policyfiles.lint.finding import Kind
from lineclear.policyfiles.trying import Bench
from support.judging import ROOT
from support.linting import found
from support.rulings import BUILTIN

PAGE = (ROOT / "docs" / "policy-tutorial.md").read_text()
REFERENCE = (ROOT / "docs" / "policies.md").read_text()
FILES = dict(re.findall(r"```yaml\n# policies/(\S+)\n(.*?)```", PAGE, re.DOTALL))


def test_its_files_are_a_policy_with_cases_that_pass(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    report = Bench(tmp_path, BUILTIN).run(cases.read(tmp_path / "tests" / "infrastructure.yaml"))
    assert [(one.case.id, one.got) for one in report.failed] == []
    assert len(report.tried) == 2


def test_the_lint_says_what_the_page_says_of_it():
    rule = {
        "id": "r",
        "effect": "deny",
        "command": ["terraform destroy *", "terraform apply * -destroy *"],
        "reason": "x",
    }
    short = "Bash(terraform destroy *)"
    assert (Kind.REDUNDANT, f"organisation:deny:{short}") in found(rules=[rule], permissions={"deny": [short]})


def test_every_command_is_there_and_explained():
    app = typer.main.get_command(program("policy")).commands["policy"]
    named = set(re.findall(r"lineclear policy ([a-z]+)", PAGE + REFERENCE))
    assert named == set(app.commands)
    for name in app.commands:
        assert f"| `lineclear policy {name}" in REFERENCE
