"""Which commit a folder of policies stands at, where it lies in a checkout of git; else nothing is said of it."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

WITHIN_S = 5.0
"""How long git may take to tell, in seconds."""

_QUIET = ("--no-optional-locks", "-c", "core.fsmonitor=false")  # a look changes nothing, and starts nothing
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit; ``modified`` where the folder's files aren't those of the commit."""

    commit: str
    modified: bool

    def __str__(self) -> str:
        return f"{self.commit} (with changes on top)" if self.modified else self.commit


def revision(folder: Path) -> Revision | None:
    """The revision of a folder; None where it is in no checkout, or git isn't there or won't say."""
    commit = _told(folder, "rev-parse", "--verify", "HEAD")
    if commit is None or _COMMIT.fullmatch(commit.strip()) is None:
        return None
    changes = _told(folder, "status", "--porcelain", "--untracked-files=all", "--", ".")
    return Revision(commit.strip(), modified=changes is None or bool(changes.strip()))


def _told(folder: Path, *arguments: str) -> str | None:
    """What git prints about a folder. The environment must not lead it to another checkout."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(  # noqa: S603 - our own words; the folder is the directory, and no argument
            ["git", *_QUIET, *arguments],  # noqa: S607 - wherever the machine has it
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=WITHIN_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode(errors="replace")
