"""What decisions asked or denied, or would have where they weren't enforced: by rule, tool, session, principal.

A rule is counted with each decision that it would have been enough for; ``alone`` counts those that rest on it alone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from lineclear.core.verdict import Verdict
from lineclear.engine.samples import Samples, sample

if TYPE_CHECKING:
    from datetime import datetime

    from lineclear.core.call import JSON
    from lineclear.engine.log import Record

MOST_LISTED = 50
"""So many rules, tools, sessions and principals are listed, the most frequent ones."""

BY = ("rule", "tool", "session", "principal")
"""By what they are counted."""

_VERDICTS = {verdict.value: verdict for verdict in Verdict}
_ASK, _DENY = Verdict.ASK.value, Verdict.DENY.value


@dataclass(slots=True)
class _Row:
    """What is counted of one rule, tool, session or principal; of a rule, samples are kept as well."""

    ask: int = 0
    deny: int = 0
    alone: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    sessions: set[str] = field(default_factory=set)
    samples: Samples = field(default_factory=Samples)
    source: str | None = None

    def add(self, record: Record, *, alone: bool) -> None:
        self.ask += record.verdict == _ASK
        self.deny += record.verdict == _DENY
        self.alone += alone
        self.codes[record.code] += 1
        self.sessions.add("/".join(record.session))

    def as_json(self) -> dict[str, JSON]:
        return {
            "deny": self.deny,
            "ask": self.ask,
            "sessions": len(self.sessions),
            "codes": dict(self.codes.most_common()),
        }


@dataclass(slots=True)
class _Trial:
    """A rule on trial: with how many decisions it matched, and how many it would have made stricter."""

    effect: str
    source: str | None
    matched: int = 0
    stricter: int = 0
    samples: Samples = field(default_factory=Samples)


@dataclass(slots=True)
class Observed:
    """The count. ``enforced`` tells whether decisions that were enforced are among those counted by rule."""

    enforced: bool = False
    decisions: int = 0
    unenforced: int = 0
    ask: int = 0
    deny: int = 0
    first: datetime | None = None
    last: datetime | None = None
    by: dict[str, dict[str, _Row]] = field(default_factory=lambda: {name: {} for name in BY})
    trials: dict[str, _Trial] = field(default_factory=dict)

    def add(self, record: Record) -> None:
        """Count one decision."""
        self.decisions += 1
        self.unenforced += not record.enforced
        self.first = min(self.first or record.decided_at, record.decided_at)
        self.last = max(self.last or record.decided_at, record.decided_at)
        self._try(record)
        if record.verdict == Verdict.ALLOW.value or (record.enforced and not self.enforced):
            return
        self.ask += record.verdict == _ASK
        self.deny += record.verdict == _DENY
        rules, shown = _deciding(record), sample(record)
        for name, source in rules.items():
            row = self._row("rule", name)
            row.source = source
            row.samples.add(shown)
        keys = {
            "rule": list(rules),
            "tool": [record.tool_name],
            "session": ["/".join(record.session)],
            "principal": [record.session[0]],
        }
        for by, names in keys.items():
            for name in names:
                self._row(by, name).add(record, alone=len(names) == 1)

    def _row(self, by: str, name: str) -> _Row:
        return self.by[by].setdefault(name, _Row())

    def _try(self, record: Record) -> None:
        found = cast("dict[str, Any]", record.answer).get("dry_run", [])
        for one in {finding["rule"]: finding for finding in found}.values():
            trial = self.trials.setdefault(one["rule"], _Trial(one["verdict"], one["source"]))
            trial.matched += 1
            trial.stricter += _VERDICTS[one["verdict"]] > _VERDICTS[record.verdict]
            trial.samples.add(sample(record))

    def as_json(self) -> dict[str, JSON]:
        """The count for machines."""
        return {
            "decisions": self.decisions,
            "unenforced": self.unenforced,
            "counted": "all" if self.enforced else "unenforced",
            "first": None if self.first is None else self.first.isoformat(),
            "last": None if self.last is None else self.last.isoformat(),
            "deny": self.deny,
            "ask": self.ask,
            "by": {by: [_listed(by, name, row) for name, row in _most(rows)] for by, rows in self.by.items()},
            "left_out": {by: max(0, len(rows) - MOST_LISTED) for by, rows in self.by.items()},
            "trials": [
                {
                    "rule": name,
                    "effect": trial.effect,
                    "source": trial.source,
                    "matched": trial.matched,
                    "stricter": trial.stricter,
                    "samples": trial.samples.as_json(),
                }
                for name, trial in sorted(self.trials.items(), key=lambda pair: (-pair[1].matched, pair[0]))
            ],
        }


def _deciding(record: Record) -> dict[str, str | None]:
    """The rules that were each enough for the verdict, with their places; without any, the code in parentheses."""
    findings = cast("dict[str, Any]", record.answer)["findings"]
    rules = {one["rule"]: one["source"] for one in findings if one["verdict"] == record.verdict and one["rule"]}
    return rules or {f"({record.code})": None}


def _most(rows: dict[str, _Row]) -> list[tuple[str, _Row]]:
    """The most frequent ones; of two as frequent the one that denies more, and then by name."""
    return sorted(rows.items(), key=lambda pair: (-(pair[1].ask + pair[1].deny), -pair[1].deny, pair[0]))[:MOST_LISTED]


def _listed(by: str, name: str, row: _Row) -> JSON:
    told: dict[str, JSON] = {by: name, **row.as_json()}
    if by == "rule":
        told |= {"alone": row.alone, "source": row.source, "samples": row.samples.as_json()}
    return told
