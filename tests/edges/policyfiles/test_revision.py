"""A folder in a checkout of git is told by its commit; one that isn't, or can't be told, by nothing."""

from __future__ import annotations

import shutil
import subprocess

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


def test_a_repository_that_names_programs_has_none_of_them_started(checkout, tmp_path):
    mark = tmp_path / "started"
    git(checkout, "config", "core.fsmonitor", f"touch {mark}")
    assert revision(checkout) is not None
    assert not mark.exists()


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
