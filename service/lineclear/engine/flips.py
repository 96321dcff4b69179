"""What a replay comes to: how many verdicts flip, which way, and by which rule, tool, session and code."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lineclear.engine.samples import Samples, sample

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lineclear.core.call import JSON
    from lineclear.engine.replay import Replayed

MOST_LISTED = 20
"""So many rules, tools, sessions and codes are listed, the most frequent ones."""

BY = ("rule", "tool", "session", "code")
"""By what flips are counted."""


@dataclass(slots=True)
class Flips:
    """The count. ``ways`` are flips as (verdict before, verdict after)."""

    replayed: int = 0
    inexact: int = 0
    other_codes: int = 0
    """Decisions whose verdict stays, by another code."""
    versions: Counter[str] = field(default_factory=Counter)
    ways: Counter[tuple[str, str]] = field(default_factory=Counter)
    inexact_ways: Counter[tuple[str, str]] = field(default_factory=Counter)
    by: dict[str, Counter[tuple[str, str, str]]] = field(default_factory=lambda: {name: Counter() for name in BY})
    samples: dict[tuple[str, str], Samples] = field(default_factory=dict)

    @staticmethod
    def of(found: Iterable[Replayed]) -> Flips:
        """The count of a replay."""
        flips = Flips()
        for one in found:
            flips.add(one)
        return flips

    def add(self, one: Replayed) -> None:
        """Count one decision."""
        self.replayed += 1
        self.versions[one.record.policy_version] += 1
        self.inexact += not one.exact
        if not one.flips:
            self.other_codes += one.before.code != one.after.code
            return
        way = (one.before.verdict, one.after.verdict)
        if not one.exact:
            self.inexact_ways[way] += 1
            return
        self.ways[way] += 1
        session = "/".join(one.record.session)
        rule = one.after.rule or one.before.rule or "no rule"
        for name, value in zip(BY, (rule, one.record.tool_name, session, one.after.code), strict=True):
            self.by[name][(*way, value)] += 1
        self.samples.setdefault(way, Samples()).add(_sample(one))

    def join(self, other: Flips) -> None:
        """Count what another count holds as well; of samples the first stay."""
        self.replayed += other.replayed
        self.inexact += other.inexact
        self.other_codes += other.other_codes
        self.versions.update(other.versions)
        self.ways.update(other.ways)
        self.inexact_ways.update(other.inexact_ways)
        for name, counts in other.by.items():
            self.by[name].update(counts)
        for way, samples in other.samples.items():
            self.samples.setdefault(way, Samples()).join(samples)

    @property
    def loosened(self) -> int:
        """How many come out as *allow*, and didn't; those of which a part is missing count as well."""
        return sum(
            count for ways in (self.ways, self.inexact_ways) for (_, after), count in ways.items() if after == "allow"
        )

    @property
    def flipped(self) -> int:
        """How many flip at all."""
        return self.ways.total() + self.inexact_ways.total()

    def as_json(self) -> dict[str, JSON]:
        """The count for machines."""
        return {
            "replayed": self.replayed,
            "flips": self.ways.total(),
            "inexact": self.inexact,
            "inexact_flips": self.inexact_ways.total(),
            "other_codes": self.other_codes,
            "recorded_versions": dict(self.versions),
            "ways": [
                {"before": before, "after": after, "count": count, "samples": self.samples[before, after].as_json()}
                for (before, after), count in self.ways.most_common()
            ],
            "by": {
                name: [
                    {"before": before, "after": after, name: value, "count": count}
                    for (before, after, value), count in counts.most_common(MOST_LISTED)
                ]
                for name, counts in self.by.items()
            },
        }


def _sample(one: Replayed) -> dict[str, JSON]:
    """A call as it was recorded, redacted, with both decisions."""
    return sample(one.record) | {
        "before": {"verdict": one.before.verdict, "code": one.before.code, "rule": one.before.rule},
        "after": {"verdict": one.after.verdict, "code": one.after.code, "rule": one.after.rule},
    }
