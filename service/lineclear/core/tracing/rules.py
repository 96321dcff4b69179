"""Why a rule matched a call, or the first thing that kept it from doing so."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from lineclear.core.paths.matcher import PathIndex
from lineclear.core.rules.book import RuleBook
from lineclear.core.rules.domains import address
from lineclear.core.rules.inputs import InputMatcher
from lineclear.core.rules.paths import Touching
from lineclear.core.rules.rule import Effect

if TYPE_CHECKING:
    from lineclear.core.facts import Facts
    from lineclear.core.rules.rule import Rule
    from lineclear.core.shell.programs import Programs


_TOUCHED = {Touching.READ: "read", Touching.WRITE: "written", Touching.ANY: "read or written"}


class Reach(StrEnum):
    """How far a rule came."""

    MATCHES = "matches"
    POSSIBLE = "possible"
    """A denial may match: a word that can't be known stands where the rule's word would."""
    MISSES = "misses"
    ELSEWHERE = "elsewhere"
    """It is about other tools, or holds for other callers or another time."""


@dataclass(frozen=True, slots=True)
class RuleTrace:
    """A rule and what came of it; ``parts`` are those of the call on which it matched."""

    rule: Rule
    reach: Reach
    why: str
    parts: tuple[str, ...] = ()


def traced(rule: Rule, facts: Facts, programs: Programs, *, suspended: bool) -> RuleTrace:
    """What came of one rule, tried alone; ``suspended`` as for allow rules in mode ``auto``."""
    book = RuleBook((replace(rule, dry_run=False),), programs)
    trial = "on trial: " if rule.dry_run else ""
    parts = _parts(rule, book, facts, suspended=suspended)
    if parts:
        return RuleTrace(rule, Reach.MATCHES, f"{trial}it {_does(rule.effect)} this", parts)
    if rule.effect is Effect.DENY and (possible := book.possible_denials(facts)):
        return RuleTrace(rule, Reach.POSSIBLE, f"{trial}it may match", tuple(match.part for match in possible))
    if (told := _elsewhere(rule, facts)) is not None:
        return RuleTrace(rule, Reach.ELSEWHERE, told)
    return RuleTrace(rule, Reach.MISSES, _missed(rule, facts, programs, suspended=suspended))


def _parts(rule: Rule, book: RuleBook, facts: Facts, *, suspended: bool) -> tuple[str, ...]:
    if rule.effect is not Effect.ALLOW:
        return tuple(match.part for match in (*book.denials(facts), *book.questions(facts)))
    found = book.coverage(facts, suspended=suspended)
    matches = (found.whole, found.call, *found.commands.values(), *found.touches.values())
    return tuple(dict.fromkeys(match.part for match in matches if match is not None))


def _does(effect: Effect) -> str:
    return {Effect.DENY: "denies", Effect.ASK: "asks about", Effect.ALLOW: "covers"}[effect]


def _elsewhere(rule: Rule, facts: Facts) -> str | None:
    call, strict = facts.call, rule.effect is Effect.ALLOW
    if rule.tools and not any(selector.holds(facts.tool, strict=strict) for selector in rule.tools):
        return "it is about other tools"
    if rule.expires is not None and facts.today > rule.expires:
        return f"it held until {rule.expires.isoformat()}"
    if rule.audience is not None and not rule.audience.holds(call, strict=strict):
        return "it is a team's, and the caller isn't of the team"
    if rule.modes is not None and call.mode not in rule.modes:
        return f"it doesn't hold in mode `{call.mode}`"
    if rule.agent is not None and not rule.agent.holds(call.agent, strict=strict):
        return "it is for other agents"
    return None


def _missed(rule: Rule, facts: Facts, programs: Programs, *, suspended: bool) -> str:
    effects, strict = facts.effects, rule.effect is Effect.ALLOW
    if strict and effects.doubt is not None:
        return f"no rule covers what can't be told ({effects.doubt})"
    for matcher in rule.inputs:
        if not matcher.holds(facts.tool, facts.call.tool_input, strict=strict):
            name = f"`{matcher.key}`" if isinstance(matcher, InputMatcher) else f"`{'*'.join(matcher.name.pieces)}`"
            return f"the input doesn't hold what {name} asks for"
    if rule.commands and not _some_command(rule, facts, programs):
        return "none of the commands is one that it means"
    if rule.paths is not None and (told := _path_missed(rule, facts)) is not None:
        return told
    if rule.domains and not _some_host(rule, facts):
        return "none of the hosts is one that it means"
    if rule.when is not None and not rule.when.holds(facts, strict=strict):
        return "its condition isn't true, or couldn't be evaluated"
    if strict and suspended:
        return "in mode `auto` it doesn't count: it would let the caller choose what is executed, or start agents"
    return "nothing of the call satisfies all that it asks for at once"


def _some_command(rule: Rule, facts: Facts, programs: Programs) -> bool:
    home = facts.call.environment.cwd
    if rule.effect is Effect.ALLOW:
        return any(one.covers(it, home, programs) for one in rule.commands for it in facts.effects.commands)
    raw = facts.effects.raw
    return any(
        any(one.matches(it, programs) for it in facts.effects.commands)
        or (raw is not None and one.matches_raw(raw) is not None)
        for one in rule.commands
    )


def _path_missed(rule: Rule, facts: Facts) -> str | None:
    assert rule.paths is not None
    meant = [touch for touch in facts.effects.touches if rule.paths.means(touch)]
    if not meant:
        return f"no path is {_TOUCHED[rule.paths.access]}"
    index = PathIndex((pattern, rule.effect is Effect.ALLOW) for pattern in rule.paths.patterns)
    environment = facts.call.environment
    if not any(touch.place and index.match(touch.place, environment, glob=touch.glob) for touch in meant):
        return "none of the paths is one that it means"
    return None


def _some_host(rule: Rule, facts: Facts) -> bool:
    places = [place for host in facts.effects.hosts if (place := address(host.url)) is not None]
    if rule.effect is Effect.ALLOW:
        return any(one.covers(place) for one in rule.domains for place in places)
    return any(one.matches(place) for one in rule.domains for place in places)
