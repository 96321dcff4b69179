"""What the documentation shows is what the loader takes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lineclear import resources
from lineclear.core.call import Dialect, Environment
from lineclear.core.shell.account import account
from lineclear.core.shell.analysis import analyse
from lineclear.core.shell.descriptionkeys import OPTION, PROGRAM, SLOT
from lineclear.core.shell.kinds import Kind
from lineclear.policyfiles import cases, teams
from lineclear.policyfiles.compiling import SECTIONS
from lineclear.policyfiles.lint.finding import LEVELS, MEANING
from lineclear.policyfiles.load import load_text
from lineclear.policyfiles.long import KEYS
from lineclear.policyfiles.trying import Bench
from support.rulings import BUILTIN, shipped

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "policies.md").read_text()
DESCRIBING = (DOCS / "describing-programs.md").read_text()
BLOCKS = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("text", [block for block in BLOCKS if block.startswith("version:")])
def test_the_policies_load(text: str) -> None:
    assert load_text(text, shipped()).version


def test_the_program_of_ones_own_is_described_as_its_page_says() -> None:
    (text,) = re.findall(r"```yaml\n(version:.*?)```", DESCRIBING, re.DOTALL)
    programs = load_text(text, shipped()).programs
    here = Environment(cwd="/work/repo", roots=("/work/repo",), dialect=Dialect.BASH)
    assert analyse("acmectl -C sub status --json", here, programs).read_only
    assert not analyse("acmectl status -C sub", here, programs).read_only


def test_what_is_said_of_it_is_what_its_page_shows() -> None:
    (text,) = re.findall(r"```yaml\n(version:.*?)```", DESCRIBING, re.DOTALL)
    policy = load_text(text, shipped())
    here = Environment(cwd="/work/repo", roots=("/work/repo",), dialect=Dialect.BASH)
    shown = re.findall(r"\$ lineclear analyze '(.*)'\nread-only: (.*)\n", DESCRIBING)
    assert len(shown) == 2
    for command, answer in shown:
        found = account(command, here, policy)
        assert f"{found.read_only}  ({found.reason})" == answer


def test_every_key_and_kind_of_a_description_is_told() -> None:
    told = {word for span in re.findall(r"`([^`\n]+)`", DESCRIBING) for word in span.split(": ")}
    assert {*PROGRAM, *OPTION, *SLOT, *map(str, Kind)} - told <= {"options"}


def test_the_cases_pass(tmp_path: Path) -> None:
    (text,) = [block for block in BLOCKS if block.startswith("id:")]
    (tmp_path / "cases.yaml").write_text(text)
    report = Bench(resources.policies(), BUILTIN).run(cases.read(tmp_path / "cases.yaml"))
    assert len(report.tried) == 4
    assert [(one.case.id, one.got) for one in report.failed] == []


@pytest.mark.parametrize("key", [*SECTIONS, *KEYS, *teams.SECTIONS, "expect_error", "expect_lint", "policy_text"])
def test_every_key_is_explained(key: str) -> None:
    assert f"`{key}`" in PAGE or f"{key}:" in PAGE


def test_every_finding_of_the_lint_is_explained() -> None:
    documented = re.findall(r"^\| `([a-z-]+)` \| (error|warning|note) \| (.+) \|$", PAGE, re.MULTILINE)
    assert sorted(documented) == sorted((kind.value, LEVELS[kind].value, MEANING[kind]) for kind in LEVELS)


def test_the_file_to_begin_with_loads_as_it_says() -> None:
    text = (resources.policies() / "organisation" / "organisation.yaml").read_text()
    uncommented = re.sub(r"(?m)^# (?=permissions|rules|protected_paths|disable|modes|  )", "", text)
    assert uncommented.count("\nrules:") == 1
    assert len(load_text(uncommented, shipped()).rules.rules) > 7
