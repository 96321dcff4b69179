"""All rules of a policy. Deny beats ask beats allow, whatever the order of rules, files and layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.rules.allowances import Allowances
from lineclear.core.rules.rule import Effect, Layer
from lineclear.core.rules.shelf import Shelf

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lineclear.core.facts import Facts
    from lineclear.core.rules.rule import Coverage, Match, Rule
    from lineclear.core.shell.programs import Programs

_LAYERS = {layer: rank for rank, layer in enumerate(Layer)}


class RuleBook:
    """The rules in force, compiled once, asked for every call; immutable."""

    __slots__ = ("_allow", "_ask", "_deny", "rules")

    def __init__(self, rules: Iterable[Rule], programs: Programs) -> None:
        self.rules = tuple(sorted(rules, key=_place))
        """Every rule, those on trial too, in the order in which matches are told: by layer, then by place."""
        in_force = [rule for rule in self.rules if not rule.dry_run]
        self._deny = Shelf([rule for rule in in_force if rule.effect is Effect.DENY], programs)
        self._ask = Shelf([rule for rule in in_force if rule.effect is Effect.ASK], programs)
        self._allow = Allowances([rule for rule in in_force if rule.effect is Effect.ALLOW], programs)

    def denials(self, facts: Facts) -> tuple[Match, ...]:
        """The deny rules that match any part of a call."""
        return self._deny.matches(facts)

    def possible_denials(self, facts: Facts) -> tuple[Match, ...]:
        """The deny rules that may match, because a word that can't be known stands where the rule's word would."""
        return self._deny.possible(facts)

    def questions(self, facts: Facts) -> tuple[Match, ...]:
        """The ask rules that match any part of a call."""
        return self._ask.matches(facts)

    def coverage(self, facts: Facts, *, suspended: bool) -> Coverage:
        """Which parts allow rules cover.

        ``suspended`` (mode ``auto``) leaves out the patterns whose wildcard can choose what is executed, and every
        rule for a tool that starts agents.
        """
        return self._allow.coverage(facts, suspended=suspended)


def _place(rule: Rule) -> tuple[int, str, int, int]:
    return _LAYERS[rule.layer], rule.origin.file, rule.origin.line, rule.origin.column
