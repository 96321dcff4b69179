"""Which rules a folder's cases and examples tried: a rule that nothing matched means what nobody has seen.

A case matches a deny or ask rule that matches any part of its call, and an allow rule that covers one, whichever rule
decides; a protected path of one's own is matched by a case that touches it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from lineclear.core.breaches import of_entries
from lineclear.core.modes import Mode
from lineclear.core.rules.book import RuleBook
from lineclear.core.rules.rule import Effect, Layer
from lineclear.core.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lineclear.core.call import JSON
    from lineclear.core.facts import Facts
    from lineclear.core.paths.protected import Protection
    from lineclear.core.policy import Policy
    from lineclear.core.rules.rule import Rule
    from lineclear.policyfiles.compiling import Compiled


@dataclass(frozen=True, slots=True)
class Covered:
    """A rule, how many cases matched it, and how many of its examples do."""

    rule: Rule
    cases: int
    examples: int

    @property
    def ever(self) -> bool:
        """Whether anything matched it."""
        return self.cases > 0 or self.examples > 0

    def as_json(self) -> dict[str, JSON]:
        """The rule in a report."""
        return {
            "rule": self.rule.name,
            "layer": self.rule.layer,
            "effect": self.rule.effect,
            "source": str(self.rule.origin),
            "cases": self.cases,
            "examples": self.examples,
        }


@dataclass(slots=True)
class Coverage:
    """The count over the rules of a folder, the built-in ones among them."""

    found: Compiled
    _cases: Counter[str] = field(default_factory=Counter)
    _touched: Counter[str] = field(default_factory=Counter)
    _alone: dict[str, RuleBook] = field(init=False)

    def __post_init__(self) -> None:
        """Each allow rule is tried alone: of several that cover a part, a policy needs to name only one."""
        programs = self.found.policy.programs
        rules = [written.rule for written in self.found.written if written.rule.effect is Effect.ALLOW]
        self._alone = {rule.name: RuleBook((replace(rule, dry_run=False),), programs) for rule in rules}

    def add(self, facts: Facts, policy: Policy) -> None:
        """Count a case. By a policy of its own it tells only of the built-in rules."""
        self._cases.update(set(self._matched(facts, policy)))
        if policy is self.found.policy:
            touched = [*of_entries(policy, facts, Verdict.ASK), *of_entries(policy, facts, Verdict.DENY)]
            self._touched.update({finding.rule for finding in touched if finding.rule is not None})

    @property
    def rules(self) -> Sequence[Covered]:
        """Each rule of the folder, in the order of layers and places."""
        examples = {written.rule.name: len(written.matching) for written in self.found.written}
        return [
            Covered(rule, self._cases[rule.name], examples.get(rule.name, 0)) for rule in self.found.policy.rules.rules
        ]

    def as_json(self) -> dict[str, JSON]:
        """The count for machines."""
        rules = self.rules
        return {
            "rules": len(rules),
            "matched": sum(one.ever for one in rules),
            "never": [one.rule.name for one in rules if not one.ever],
            "by_rule": [one.as_json() for one in rules],
            "protected_paths": [
                {"id": entry.id, "layer": entry.layer, "source": str(entry.origin), "cases": self._touched[entry.id]}
                for entry in self._protections
            ],
        }

    def as_text(self) -> Iterator[str]:
        """A line for each rule that nothing matched, and one with the numbers."""
        own = [one for one in self.rules if one.rule.layer is not Layer.BUILTIN]
        builtin = [one for one in self.rules if one.rule.layer is Layer.BUILTIN]
        for one in [*own, *builtin]:
            if not one.ever:
                yield f"{one.rule.origin}: {one.rule.name}: no case and no example matches it"
        for entry in self._protections:
            if not self._touched[entry.id]:
                yield f"{entry.origin}: protected path {entry.id}: no case touches it"
        shares = [f"{_share(own)} rules of your own"] if own else []
        yield f"matched: {', '.join([*shares, f'{_share(builtin)} built in'])}"

    @property
    def _protections(self) -> Sequence[Protection]:
        """The protected paths that aren't built in: those have their own tests."""
        return [entry for entry in self.found.policy.protections.entries if entry.layer is not Layer.BUILTIN]

    def _matched(self, facts: Facts, policy: Policy) -> Iterator[str]:
        suspended = facts.call.mode is Mode.AUTO
        matches = [
            *policy.rules.denials(facts),
            *policy.rules.questions(facts),
            *policy.rules.trials(facts, suspended=suspended),
        ]
        own = policy is self.found.policy
        yield from (match.rule.name for match in matches if own or match.rule.layer is Layer.BUILTIN)
        for name, alone in self._alone.items() if own else ():
            found = alone.coverage(facts, suspended=suspended)
            if found.whole or found.call or found.commands or found.touches:
                yield name


def _share(rules: Sequence[Covered]) -> str:
    return f"{sum(one.ever for one in rules)} of {len(rules)}"
