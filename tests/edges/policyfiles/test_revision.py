"""A folder in a checkout of git is told by its commit; one that isn't, or can't be told, by nothing."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import suppress

import pytest

from lineclear.policyfiles.revision import Revision, revision

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def git(folder, *arguments):
    done = subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", *arguments],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


@pytest.fixture
def checkout(tmp_path):
    """A repository with policies in a folder of it."""
    folder = tmp_path / "repository" / "policies"
    (folder / "organisation").mkdir(parents=True)
    (folder / "organisation" / "a.yaml").write_text("version: 1\n")
    git(folder.parent, "init", "-q")
    git(folder.parent, "add", ".")
    git(folder.parent, "commit", "-q", "-m", "first")
    return folder


def test_it_is_the_checkouts_commit(checkout):
    assert revision(checkout) == Revision(git(checkout, "rev-parse", "HEAD"), modified=False)


@pytest.mark.parametrize("name", ["a.yaml", "b.yaml"], ids=["changed", "new"])
def test_what_is_not_committed_is_told(checkout, name):
    (checkout / "organisation" / name).write_text("version: 1\nheadless: deny\n")
    found = revision(checkout)
    assert found.modified
    assert str(found) == f"{found.commit} (with changes on top)"


def test_what_changes_elsewhere_in_the_repository_is_none_of_its_changes(checkout):
    (checkout.parent / "README").write_text("x")
    assert not revision(checkout).modified


def test_another_checkout_that_the_environment_names_is_not_taken_for_it(checkout, tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.setenv("GIT_DIR", str(checkout.parent / ".git"))
    assert revision(elsewhere) is None


def names_a_monitor(checkout, program):
    git(checkout, "config", "core.fsmonitor", program)


def names_a_filter(checkout, program):
    (checkout / "organisation" / ".gitattributes").write_text("*.yaml filter=x\n")
    git(checkout, "config", "filter.x.clean", program)
    (checkout / "organisation" / "a.yaml").write_text("version: 2\n")


def names_a_hook(checkout, program):
    hook = checkout.parent / ".git" / "hooks" / "post-index-change"
    hook.write_text(f"#!/bin/sh\n{program}\n")
    hook.chmod(0o755)


def names_a_transport(checkout, program):
    """As a partial clone, of which an object is missing that is asked for."""
    for name, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.url": "ssh://host.invalid/x",
        "remote.origin.promisor": "true",
        "core.sshCommand": program,
        "protocol.ssh.allow": "always",
    }.items():
        git(checkout, "config", name, value)
    tree = git(checkout, "rev-parse", "HEAD^{tree}")
    (checkout.parent / ".git" / "objects" / tree[:2] / tree[2:]).unlink()


@pytest.mark.parametrize("named", [names_a_monitor, names_a_filter, names_a_hook, names_a_transport])
def test_a_repository_that_names_programs_has_none_of_them_started(checkout, tmp_path, named):
    commit = git(checkout, "rev-parse", "HEAD")
    mark = tmp_path / "started"
    named(checkout, f"touch {mark}")
    found = revision(checkout)
    assert found is not None
    assert found.commit == commit
    assert not mark.exists()


@pytest.mark.parametrize(
    ("named", "asked"),
    [(names_a_filter, ("status",)), (names_a_transport, ("ls-tree", "HEAD"))],
    ids=["filter", "transport"],
)
def test_the_attacks_would_start_them(checkout, tmp_path, named, asked):
    mark = tmp_path / "started"
    named(checkout, f"touch {mark}")
    with suppress(subprocess.CalledProcessError):
        git(checkout, *asked)
    assert mark.exists()


def changed(file):
    file.write_text("version: 1 # other\n")


def linked(file):
    file.rename(file.parent / "aside")
    file.symlink_to("aside")


@pytest.mark.parametrize("change", [changed, linked, lambda file: file.unlink()], ids=["changed", "linked", "gone"])
def test_a_file_that_is_not_the_committed_one_is_told(checkout, change):
    change(checkout / "organisation" / "a.yaml")
    assert revision(checkout).modified


@pytest.mark.parametrize("name", ["tests/a.yaml", "organisation/notes.txt", "organisation/.hidden.yaml"])
def test_what_no_policy_is_made_of_is_no_change(checkout, name):
    (checkout / name).parent.mkdir(exist_ok=True)
    (checkout / name).write_text("x: 1\n")
    assert not revision(checkout).modified


@pytest.mark.parametrize("place", ["nowhere", "empty"])
def test_outside_of_a_checkout_there_is_none(tmp_path, place):
    (tmp_path / "empty").mkdir()
    assert revision(tmp_path / place) is None


def test_a_repository_without_a_commit_has_none(tmp_path):
    git(tmp_path, "init", "-q")
    assert revision(tmp_path) is None


def test_without_git_there_is_none(checkout, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert revision(checkout) is None
