"""What became of each change of the policies: in the log and the metrics at once, in the database when it is there.

Which version decided when must be known later, however briefly it was in force.
"""

from __future__ import annotations

import time
from collections import deque
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import structlog

from lineclear.policyfiles.revision import revision
from lineclear.storage.versions import Version
from lineclear.telemetry import failures

if TYPE_CHECKING:
    from pathlib import Path

    from lineclear.policyfiles.problems import PolicyError
    from lineclear.policyfiles.watch import Loaded
    from lineclear.telemetry.metrics import Metrics

_MOST_KEPT = 1000

log = structlog.get_logger("lineclear.policies")


class Journal:
    """Hears of each policy that comes into force or is refused; ``unwritten`` are the versions for the database."""

    def __init__(self, folder: Path, metrics: Metrics) -> None:
        self._folder = folder
        self._metrics = metrics
        self.unwritten: deque[Version] = deque(maxlen=_MOST_KEPT)

    def refused(self, error: PolicyError) -> None:
        """A change was refused; the last good policy stays."""
        self._metrics.policy_refused()
        cause = {} if error.__cause__ is None else failures.described(error.__cause__)
        log.warning("policy_refused", problems=[str(problem) for problem in error.problems], **cause)

    def loaded(self, loaded: Loaded) -> None:
        """A policy came into force, perhaps the same as before."""
        version, found = loaded.policy.version, revision(self._folder)
        self._metrics.policy_loaded(version, time.time())
        commit, modified = (None, None) if found is None else (found.commit, found.modified)
        log.info("policy_loaded", version=version, commit=commit, modified=modified, mended=loaded.mended)
        self.unwritten.append(Version(version, datetime.now(UTC), commit, modified))
