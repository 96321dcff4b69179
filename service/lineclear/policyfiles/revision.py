"""Which commit a folder of policies stands at, where it lies in a checkout of git; else nothing is said of it.

Whoever can write into a repository can name programs in it that git starts. So git is asked only what starts none, and
files are compared here.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lineclear.policyfiles import sources

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

WITHIN_S = 5.0
"""How long git may take to tell, in seconds."""

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_HASHES = {40: "sha1", 64: "sha256"}
_FILE = "100644"
_PROGRAM = "100755"
_SHUT = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1"}
"""Objects that a partial clone leaves out aren't fetched, by whatever program the repository names for it."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit; ``modified`` where the policy files aren't those of the commit."""

    commit: str
    modified: bool

    def __str__(self) -> str:
        return f"{self.commit} (with changes on top)" if self.modified else self.commit


def revision(folder: Path) -> Revision | None:
    """The revision of a folder; None where it is in no checkout, or git isn't there or won't say."""
    head = _told(folder, "rev-parse", "--verify", "HEAD")
    commit = "" if head is None else head.strip()
    if _COMMIT.fullmatch(commit) is None:
        return None
    listed = _told(folder, "ls-tree", "-r", "-z", commit, ".")
    return Revision(commit, modified=listed is None or _differs(folder, _committed(listed)))


def _committed(listed: str) -> dict[str, str | None]:
    """The hash of each policy file of a commit by its name; None for what is no plain file."""
    found: dict[str, str | None] = {}
    for entry in listed.split("\0"):
        about, tab, name = entry.partition("\t")
        if tab and sources.may_be_read(name):
            mode, _, digest = about.split(" ")
            found[name] = digest if mode in {_FILE, _PROGRAM} else None
    return found


def _differs(folder: Path, committed: Mapping[str, str | None]) -> bool:
    """Whether the policy files are others, or have another content."""
    there = {
        path.relative_to(folder).as_posix(): path
        for path in sources.looked_at(folder)
        if not path.is_dir() and sources.may_be_read(path.relative_to(folder).as_posix())
    }
    if set(there) != set(committed):
        return True
    try:
        return any(
            digest is None or path.is_symlink() or _digest(path, digest) != digest
            for path, digest in ((there[name], digest) for name, digest in committed.items())
        )
    except OSError:  # one that can't be read isn't what was committed
        return True


def _digest(path: Path, like: str) -> str:
    """The hash of a file as git makes it."""
    content = path.read_bytes()
    made = hashlib.new(_HASHES[len(like)], usedforsecurity=False)
    made.update(b"blob %d\0" % len(content))
    made.update(content)
    return made.hexdigest()


def _told(folder: Path, *arguments: str) -> str | None:
    """What git prints about a folder. The environment must not lead it to another checkout."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(  # noqa: S603 - our own words; the folder is the directory, and no argument
            ["git", *arguments],  # noqa: S607 - wherever the machine has it
            cwd=folder,
            env=environment | _SHUT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=WITHIN_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode(errors="surrogateescape")
