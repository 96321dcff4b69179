"""A folder of policies checked aside: whether it loads, what it would be, and what in it isn't what it seems.

As a program (``python -m lineclear.policyfiles.checking FOLDER BUILTIN PROMPTS``) it prints that as JSON, for a service
that checks files of which it doesn't know how long they take.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from lineclear.policyfiles import sources
from lineclear.policyfiles.compiling import Beneath, examined
from lineclear.policyfiles.lint import report
from lineclear.policyfiles.lint.run import linted
from lineclear.policyfiles.problems import PolicyError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lineclear.core.call import JSON
    from lineclear.policyfiles.lint.finding import Finding
    from lineclear.policyfiles.problems import Problem


MOST_BYTES = 1 << 29
"""Address space of the program: the shipped policy takes a tenth of it. What takes more ends without a word."""
MOST_SECONDS = 60
"""Of the processor, for the program: it ends by itself where the service that began it was killed."""
_NICE = 10


@dataclass(frozen=True, slots=True)
class Checked:
    """What a folder comes to: its version, None where ``problems`` keep it from being loaded; and the findings.

    ``ignored`` are findings that the authors keep, with their reasons.
    """

    version: str | None
    problems: Sequence[Problem] = ()
    findings: Sequence[Finding] = ()
    ignored: Sequence[tuple[Finding, str]] = ()

    def as_json(self) -> dict[str, JSON]:
        """The same for machines."""
        return {
            "version": self.version,
            "errors": report.as_json((), self.problems),
            "findings": report.as_json(self.findings, ()),
        }


def checked(folder: Path, builtin: Path, today: date, prompts: str = "") -> Checked:
    """Check a folder on a built-in layer. ``prompts`` names the classifier's words, of which versions are made too."""
    try:
        found = examined(Beneath.read(builtin, prompts), sources.organisation(folder))
    except PolicyError as error:
        return Checked(None, error.problems)
    told = linted(found, today)
    return Checked(found.policy.version, (), told.findings, told.ignored)


def modest() -> None:
    """Leave the machine to the calls that are decided on it, where the platform knows such limits."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - it isn't there on Windows

        os.nice(_NICE)
        for limited, most in ((resource.RLIMIT_AS, MOST_BYTES), (resource.RLIMIT_CPU, MOST_SECONDS)):
            _, hard = resource.getrlimit(limited)
            with suppress(ValueError, OSError):  # macOS has no bound for what is mapped already
                resource.setrlimit(limited, (most, most) if hard == resource.RLIM_INFINITY else (min(most, hard), hard))


def main() -> None:
    """Check the folder that the arguments name."""
    modest()
    folder, builtin, prompts = sys.argv[1:]
    told = checked(Path(folder), Path(builtin), datetime.now(UTC).date(), prompts).as_json()
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main()
