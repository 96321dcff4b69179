from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lineclear import resources
from lineclear.policyfiles import load as loading
from lineclear.policyfiles import sources
from lineclear.policyfiles.compiling import compiled
from lineclear.policyfiles.problems import PolicyError
from support.rulings import shell, shipped

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "organisation").mkdir()
    return tmp_path


def write(folder: Path, text: str, name: str = "organisation/a.yaml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def load(folder: Path):
    return compiled(shipped(), sources.organisation(folder))


def problems(folder: Path) -> list[str]:
    with pytest.raises(PolicyError) as caught:
        load(folder)
    return [str(problem) for problem in caught.value.problems]


def test_the_shipped_policies_load() -> None:
    policy = loading.load(resources.policies(), resources.builtin())
    assert {rule.layer for rule in policy.rules.rules} == {"builtin"}
    assert policy.safe_tools
    assert policy.protections.entries


def test_files_of_a_layer_are_joined(folder: Path) -> None:
    write(folder, "version: 1\npermissions: {deny: [Bash(a *)]}\n", "organisation/a.yaml")
    write(folder, "version: 1\npermissions: {deny: [Bash(b *)]}\n", "organisation/b.yml")
    policy = load(folder)
    assert policy.rules.denials(shell(policy, "a x"))
    assert policy.rules.denials(shell(policy, "b x"))
    assert [file for file in policy.files if not file.startswith("builtin")] == [
        "organisation/a.yaml",
        "organisation/b.yml",
    ]


def test_a_rule_knows_its_file_line_and_column(folder: Path) -> None:
    write(folder, "version: 1\npermissions:\n  deny:\n    - Bash(a *)\n    - 'Bash(b *)'\n")
    policy = load(folder)
    (match,) = policy.rules.denials(shell(policy, "b"))
    assert str(match.rule.origin) == "organisation/a.yaml:5:7"
    assert match.rule.name == "organisation:deny:Bash(b *)"


def test_every_problem_is_told_with_its_place(folder: Path) -> None:
    write(folder, "version: 1\npermissions:\n  deny: [Reed(x)]\n  allow: ['*']\n", "organisation/a.yaml")
    write(folder, "version: 1\nrules:\n  - {id: r, effect: deny}\n", "organisation/b.yaml")
    write(folder, "a:\n\tb\n", "organisation/c.yaml")
    write(folder, "version: 2\n", "organisation/d.yaml")
    assert [line.partition(": ")[0] for line in problems(folder)] == [
        "organisation/c.yaml:2:1",
        "organisation/d.yaml:1:10",
    ]
    (folder / "organisation/c.yaml").unlink()
    (folder / "organisation/d.yaml").unlink()
    assert [line.partition(": ")[0] for line in problems(folder)] == [
        "organisation/a.yaml:3:10",
        "organisation/a.yaml:4:11",
        "organisation/b.yaml:3:5",
    ]


UNREAD = {
    "organization/a.yaml": "`organisation/`",
    "organisation/more/a.yaml": "move them up",
    "rules.yaml": "`organisation/`",
    "teams/web/a.yaml": "`applies_to` is missing",
    "extra/a.yml": "no layer",
    "organisation/a.YAML": "end its name in `.yaml`",
    "teams/a/a.Yml": "end its name in `.yaml`",
    "extra/a.YML": "no layer",
}


@pytest.mark.parametrize(("name", "said"), UNREAD.items(), ids=UNREAD.keys())
def test_no_file_is_passed_over_in_silence(folder: Path, name: str, said: str) -> None:
    write(folder, "version: 1\n", name)
    (line,) = problems(folder)
    assert said in line


def test_a_folder_without_an_organisation_is_refused(tmp_path: Path) -> None:
    assert "`organisation`" in problems(tmp_path)[0]
    assert "no such folder" in problems(tmp_path / "nowhere")[0]


@pytest.mark.parametrize(("text", "said"), [("", "empty"), ("a: 1\n", "`version: 1`"), ("version: true\n", "must be 1"),
                                            ("- a\n", "mapping"), ("version: 1\nx: 1\n", "`x`")])  # fmt: skip
def test_a_file_that_is_none(folder: Path, text: str, said: str) -> None:
    write(folder, text)
    assert said in problems(folder)[0]


def test_a_file_that_leads_nowhere_is_refused(folder: Path) -> None:
    (folder / "organisation" / "a.yaml").symlink_to(folder / "gone.yaml")
    assert "can't be read" in problems(folder)[0]


def test_a_setting_that_two_files_make_is_refused(folder: Path) -> None:
    write(folder, "version: 1\nheadless: deny\n", "organisation/a.yaml")
    write(folder, "version: 1\nheadless: hold\n", "organisation/b.yaml")
    assert "organisation/a.yaml:2" in problems(folder)[0]


def test_the_organisation_amends_and_disables_what_is_built_in(folder: Path) -> None:
    write(
        folder,
        "version: 1\n"
        "protected_paths:\n  - {id: builtin.env, exceptions: [/tests/.env.ci], effect: deny}\n"
        "disable: [{id: builtin.ask-git-push, reason: branch protection}, {id: builtin.vscode, reason: none here}]\n",
    )
    policy, plain = load(folder), load(resources.policies())
    entries = {entry.id: entry for entry in policy.protections.entries}
    before = {entry.id: entry for entry in plain.protections.entries}
    assert entries["builtin.env"].effect == "deny"
    assert entries["builtin.env"].exceptions[:-1] == before["builtin.env"].exceptions
    assert entries["builtin.env"].exceptions[-1].text == "/tests/.env.ci"
    assert "builtin.vscode" in before
    assert "builtin.vscode" not in entries
    assert "builtin.ask-git-push" not in {rule.id for rule in policy.rules.rules}


def test_a_protected_path_cannot_be_moved(folder: Path) -> None:
    write(folder, "version: 1\nprotected_paths: [{id: builtin.env, path: nothing}]\n")
    assert "amends" in problems(folder)[0]


def test_an_id_of_a_built_in_rule_is_taken(folder: Path) -> None:
    write(folder, "version: 1\nrules: [{id: builtin.ask-git-push, effect: ask, command: [x]}]\n")
    assert "`disable`" in problems(folder)[0]


def test_policies_here_are_taken_before_the_shipped_ones(tmp_path: Path) -> None:
    assert resources.in_force(None, tmp_path) == resources.policies()
    (tmp_path / "policies").mkdir()
    assert resources.in_force(None, tmp_path) == tmp_path / "policies"
    assert resources.in_force(tmp_path, tmp_path) == tmp_path
