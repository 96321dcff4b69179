"""Rules behind other rules: what a stricter one takes from them, or another one of the same effect says already."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from lineclear.core.observe import observe
from lineclear.core.own import Own
from lineclear.core.rules.bound import command_inside, domain_inside, path_inside
from lineclear.core.rules.rule import Effect
from lineclear.policyfiles.lint.finding import Finding, Kind, of_rule
from lineclear.policyfiles.lint.specimens import specimens
from lineclear.policyfiles.version import canonical

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lineclear.core.facts import Facts
    from lineclear.core.policy import Policy
    from lineclear.core.rules.rule import Match, Rule
    from lineclear.policyfiles.vocabulary import Vocabulary

_DAY = date(2000, 1, 1)
_STRICTNESS = {Effect.ALLOW: 0, Effect.ASK: 1, Effect.DENY: 2}


def of_rules(rules: Sequence[Rule], policy: Policy, vocabulary: Vocabulary) -> Iterator[Finding]:
    """The findings of rules among each other."""
    first = _first_to_say(rules)
    single = [rule for rule in rules if first[id(rule)] is rule]
    for rule in rules:
        other = first[id(rule)]
        if other is not rule:
            yield of_rule(Kind.DUPLICATE, rule, f"`{other.name}` ({other.origin}) says the same; keep one of them")
    among = {id(rule) for rule in single if _always_holds(rule)}
    for rule in single:
        observed = [observe(call, policy, Own(), _DAY) for call in specimens(rule, vocabulary)]
        if observed and not rule.dry_run:
            yield from _behind(rule, observed, policy, among - {id(rule)})
    yield from _allowed_already([rule for rule in single if id(rule) in among])


def _behind(rule: Rule, observed: Sequence[Facts], policy: Policy, among: set[int]) -> Iterator[Finding]:
    """A rule that is stricter, or as strict, and matches every specimen."""
    over = _common((policy.rules.denials(facts) for facts in observed), among)
    if over is None and rule.effect is not Effect.DENY:
        over = _common((policy.rules.questions(facts) for facts in observed), among)
    if over is None:
        entry = _protected(observed, policy) if rule.effect is Effect.ALLOW else None
        if entry is not None:
            told = f"all that it means is protected by `{entry}`; except it there, or drop the rule"
            yield of_rule(Kind.SHADOWED, rule, told)
    elif _STRICTNESS[over.effect] > _STRICTNESS[rule.effect]:
        does = "denies" if over.effect is Effect.DENY else "asks about"
        yield of_rule(
            Kind.SHADOWED, rule, f"`{over.name}` ({over.origin}) {does} all that it means; narrow one of them"
        )
    elif rule.reason is None and rule.agent_message is None:  # else it says something of its own
        yield of_rule(Kind.REDUNDANT, rule, f"`{over.name}` ({over.origin}) matches all that it means")


def _common(found: Iterable[tuple[Match, ...]], among: set[int]) -> Rule | None:
    """The first of some rules that is in each of several findings."""
    common: list[Rule] | None = None
    for matches in found:
        here = {id(match.rule): match.rule for match in matches if id(match.rule) in among}
        common = list(here.values()) if common is None else [rule for rule in common if id(rule) in here]
        if not common:
            return None
    return common[0] if common else None


def _always_holds(rule: Rule) -> bool:
    filters = (rule.agent, rule.modes, rule.when, rule.audience, rule.expires)
    return all(one is None for one in filters) and not rule.inputs and not rule.dry_run


def _protected(observed: Sequence[Facts], policy: Policy) -> str | None:
    common: set[str] | None = None
    for facts in observed:
        here = {
            entry.id
            for touch in facts.effects.touches
            for entry in policy.protections.breached(touch, facts.call.environment)
            if entry.audience is None
        }
        common = here if common is None else common & here
    return min(common) if common else None


def _first_to_say(rules: Iterable[Rule]) -> dict[int, Rule]:
    """For each rule the first one that says the same, which may be itself."""
    first: dict[str, Rule] = {}
    return {id(rule): first.setdefault(_meaning(rule), rule) for rule in rules}


def _allowed_already(rules: Iterable[Rule]) -> Iterator[Finding]:
    """Allow rules that lie inside another one, compared where they may: programs, paths, domains apart."""
    apart: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        if rule.effect is Effect.ALLOW:
            for key in _groups(rule):
                apart[key].append(rule)
    told: set[int] = set()
    for group in apart.values():
        for rule in group:
            other = next((one for one in group if one is not rule and _inside(rule, one)), None)
            if other is not None and id(rule) not in told:
                told.add(id(rule))
                yield of_rule(Kind.REDUNDANT, rule, f"`{other.name}` ({other.origin}) allows all that it does")


def _groups(rule: Rule) -> set[str]:
    if rule.commands:
        return {f"command {pattern.program}" for pattern in rule.commands}
    return {"path"} if rule.paths is not None else {"domain"} if rule.domains else set()


def _inside(rule: Rule, other: Rule) -> bool:
    if [one.kinds for one in rule.tools] != [one.kinds for one in other.tools]:
        return False
    if rule.paths is not None and other.paths is not None:
        if rule.paths.access is not other.paths.access or rule.commands or other.commands:
            return False
        return all(any(path_inside(one, wide) for wide in other.paths.patterns) for one in rule.paths.patterns)
    if rule.commands and other.commands and rule.paths is None and other.paths is None:
        return all(any(command_inside(one, wide) for wide in other.commands) for one in rule.commands)
    if rule.domains and other.domains:
        return all(any(domain_inside(one, wide) for wide in other.domains) for one in rule.domains)
    return False


def _meaning(rule: Rule) -> str:
    """What a rule does, without its name, place and words."""
    return canonical(
        {
            "effect": rule.effect,
            "tools": [replace(one, text="") for one in rule.tools],
            "commands": [[pattern.words, pattern.open] for pattern in rule.commands],
            "paths": rule.paths,
            "domains": rule.domains,
            "inputs": rule.inputs,
            "agent": rule.agent,
            "modes": rule.modes,
            "dry_run": rule.dry_run,
            "when": rule.when,
            "audience": rule.audience,
        }
    )
