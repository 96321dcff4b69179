"""The rows whose commands are run, and those that never are: what its authors call harmful stays text."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

FILES = ("shell_verdicts.jsonl", "shell_real.jsonl")
NEVER_RUN = frozenset({"deny", "dangerous"})
"""Verdicts with which a command isn't run, not even in the sandbox: calling it proven is already the failure."""


@dataclass(frozen=True, slots=True)
class Row:
    """One command of a corpus. ``verdict`` is that of the corpus's authors, None where they gave none."""

    id: str
    source: str
    command: str
    verdict: str | None

    @property
    def harmful(self) -> bool:
        """Whether its authors call it harmful."""
        return self.verdict in NEVER_RUN


def rows(where: Path) -> list[Row]:
    """All rows with a shell command. Raises ``FileNotFoundError`` where a file isn't there."""
    found = []
    for name in FILES:
        with (where / name).open(encoding="utf-8") as stream:
            for line in stream:
                row = json.loads(line)
                found.append(Row(row["id"], row["source"], row["command"], row.get("verdict")))
    return found


def denominators(found: list[Row]) -> dict[str, list[Row]]:
    """The two sets of which the share is told: what Dippy allows, and NL2Bash; each command once, none harmful."""
    harmful = {row.command for row in found if row.harmful}
    chosen: dict[str, dict[str, Row]] = {"dippy-allow": {}, "nl2bash": {}}
    for row in found:
        if row.command in harmful:
            continue
        if row.source == "dippy" and row.verdict == "allow":
            chosen["dippy-allow"].setdefault(row.command, row)
        elif row.source == "nl2bash":
            chosen["nl2bash"].setdefault(row.command, row)
    return {name: list(by_command.values()) for name, by_command in chosen.items()}
