"""All rules of a policy. Deny beats ask beats allow, whatever the order of rules, files and layers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lineclear.core.rules.allowances import Allowances
from lineclear.core.rules.rule import Effect, Layer
from lineclear.core.rules.shelf import Shelf

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lineclear.core.facts import Facts
    from lineclear.core.rules.rule import Coverage, Match, Rule
    from lineclear.core.shell.programs import Programs

_LAYERS = {layer: rank for rank, layer in enumerate(Layer)}


class RuleBook:
    """The rules in force, compiled once, asked for every call; immutable."""

    __slots__ = ("_allow", "_ask", "_deny", "_trials", "_unconditional", "conditions", "rules")

    def __init__(self, rules: Iterable[Rule], programs: Programs) -> None:
        self.rules = tuple(sorted(rules, key=_place))
        """Every rule, those on trial too, in the order in which matches are told: by layer, then by place."""
        self.conditions = tuple(rule.when for rule in self.rules if rule.when is not None)
        in_force = [rule for rule in self.rules if not rule.dry_run]
        on_trial = [rule for rule in self.rules if rule.dry_run]
        self._deny = Shelf(_of(Effect.DENY, in_force), programs)
        self._ask = Shelf(_of(Effect.ASK, in_force), programs)
        self._allow = Allowances(_of(Effect.ALLOW, in_force), programs)
        self._trials = Trials(on_trial, programs) if on_trial else None
        conditional = [replace(rule, when=None) for rule in in_force if rule.when is not None]
        self._unconditional = Trials(conditional, programs) if conditional else None

    def denials(self, facts: Facts) -> tuple[Match, ...]:
        """The deny rules that match any part of a call."""
        return self._deny.matches(facts)

    def possible_denials(self, facts: Facts) -> tuple[Match, ...]:
        """The deny rules that may match, because a word that can't be known stands where the rule's word would."""
        return self._deny.possible(facts)

    def questions(self, facts: Facts) -> tuple[Match, ...]:
        """The ask rules that match any part of a call, or may, because of a word that can't be known."""
        matched = self._ask.matches(facts)
        named = {match.rule.name for match in matched}
        return matched + tuple(match for match in self._ask.possible(facts) if match.rule.name not in named)

    def coverage(self, facts: Facts, *, suspended: bool) -> Coverage:
        """Which parts allow rules cover.

        ``suspended`` (mode ``auto``) leaves out the patterns whose wildcard can choose what is executed, and every
        rule for a tool that starts agents.
        """
        return self._allow.coverage(facts, suspended=suspended)

    def trials(self, facts: Facts, *, suspended: bool) -> tuple[Match, ...]:
        """The rules on trial (``dry_run``) that match, or that cover a part: counted, without effect."""
        return () if self._trials is None else self._trials.matches(facts, suspended=suspended)

    def failing(self, facts: Facts, *, suspended: bool) -> tuple[Rule, ...]:
        """The rules of which all but the condition holds, and that can't be told: which speaks against the call."""
        if self._unconditional is None:
            return ()
        found = {match.rule.name for match in self._unconditional.matches(facts, suspended=suspended)}
        return tuple(rule for rule in self.rules if rule.name in found and rule.when and rule.when.fails(facts))


class Trials:
    """Rules beside those in force, each matched as it would be there."""

    __slots__ = ("_allow", "_tighten")

    def __init__(self, rules: Sequence[Rule], programs: Programs) -> None:
        self._tighten = Shelf([rule for rule in rules if rule.effect is not Effect.ALLOW], programs)
        self._allow = Allowances(_of(Effect.ALLOW, rules), programs)

    def matches(self, facts: Facts, *, suspended: bool) -> tuple[Match, ...]:
        """Each rule that matches or covers a part, once."""
        found = self._allow.coverage(facts, suspended=suspended)
        covering = (found.whole, found.call, *found.commands.values(), *found.touches.values())
        matches = [*self._tighten.matches(facts), *(match for match in covering if match is not None)]
        return tuple({match.rule.name: match for match in reversed(matches)}.values())[::-1]


def _of(effect: Effect, rules: Iterable[Rule]) -> list[Rule]:
    return [rule for rule in rules if rule.effect is effect]


def _place(rule: Rule) -> tuple[int, str, int, int]:
    return _LAYERS[rule.layer], rule.origin.file, rule.origin.line, rule.origin.column
