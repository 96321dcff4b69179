"""How a verb ends, as linters do: 0 nothing to report, 1 something was found, 2 it couldn't do its work."""

from __future__ import annotations

FOUND = 1
"""What was asked about isn't as it should be: a finding, a failed case, a difference, a line that is no request."""

FAILED = 2
"""Nothing was found out or done: what was typed, a file, a policy, a setting or the database is at fault."""


class Failure(Exception):
    """What a verb couldn't do, in words for the person who typed it; ends the program with ``FAILED``."""
