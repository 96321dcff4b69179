"""Which version of an agent's program is on the PATH, as the program itself says."""

from __future__ import annotations

import re
import shutil
import subprocess

_PATIENCE_S = 15
_VERSION = re.compile(r"\d+(?:\.\d+)+")


def version(program: str) -> str | None:
    """The version of an executable, None where there is none, or it doesn't say."""
    found = shutil.which(program)
    if found is None:
        return None
    try:
        run = subprocess.run(  # noqa: S603 - the program that this user starts by this name
            [found, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return None
    said = _VERSION.search(run.stdout)
    return said and said[0]


def numbers(version: str) -> tuple[int, ...]:
    """A version as numbers, to be compared."""
    return tuple(int(number) for number in version.split("."))
