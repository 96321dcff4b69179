"""The samples are a git repository: a few commits, a branch, tags, a stash, a remote, and changes not committed."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_WHO = ("-c", "user.name=dev", "-c", "user.email=dev@example.com", "-c", "commit.gpgsign=false")


def commit_all(folder: Path) -> None:
    """Make the folder a repository; does nothing where git isn't installed."""
    if shutil.which("git") is None:
        return
    _git(folder, "init", "--quiet", "--initial-branch=main")
    _git(folder, "add", "README.md", "src", "file.txt")
    _git(folder, "commit", "--quiet", "--message", "first")
    _git(folder, "tag", "v1.0.0")
    _git(folder, "add", "tests", "docs", "Makefile", "data.csv", "app.py")
    _git(folder, "commit", "--quiet", "--message", "fix: foo")
    _git(folder, "tag", "--annotate", "--message", "release", "v1.1.0")
    _git(folder, "branch", "feature")
    _git(folder, "branch", "develop")
    _append(folder / "README.md")
    _git(folder, "stash", "--quiet")
    for line in range(4):
        _append(folder / "file.txt")
        _git(folder, "commit", "--quiet", "--all", "--message", f"change {line}")
    _git(folder, "remote", "add", "origin", "https://example.com/owner/repo.git")
    _git(folder, "update-ref", "refs/remotes/origin/main", "HEAD~1")
    _git(folder, "branch", "--quiet", "--set-upstream-to=origin/main", "main")
    _git(folder, "config", "user.name", "dev")
    _git(folder, "config", "user.email", "dev@example.com")
    _append(folder / "app.py")
    _append(folder / "src" / "file")
    _git(folder, "add", "app.py")


def _append(path: Path) -> None:
    with path.open("a") as stream:
        stream.write("one more line\n")


def _git(folder: Path, *words: str) -> None:
    quiet = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "PATH": "/usr/bin:/bin"}
    command = ["git", *_WHO, *words]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=30, env=quiet)
