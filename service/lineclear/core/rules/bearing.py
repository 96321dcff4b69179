"""Which parts of a call a rule bears on: one part must satisfy all of a rule's matchers, not each another part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

if TYPE_CHECKING:
    from lineclear.core.effects import Effects
    from lineclear.core.facts import Facts
    from lineclear.core.rules.rule import Rule


class Found(Struct):
    """What of one rule's matchers was found: each with the index of the command, or None outside of commands."""

    commands: list[tuple[int | None, str]] = field(default_factory=list)
    touches: list[tuple[int | None, str]] = field(default_factory=list)
    hosts: list[tuple[int | None, str]] = field(default_factory=list)

    def part(self, rule: Rule, facts: Facts) -> str | None:
        """The part on which all matchers of the rule meet, None if there is none."""
        matchers = ((rule.commands, self.commands), (rule.paths, self.touches), (rule.domains, self.hosts))
        lists = [found for wanted, found in matchers if wanted]
        if not lists:
            return facts.call.tool_name
        for at, part in lists[0]:
            if all(any(_same(facts.effects, at, other) for other, _ in found) for found in lists[1:]):
                return part
        return None


def under(effects: Effects, at: int | None, wrapper: int) -> bool:
    """Whether a command is, or is run by, another one with words of its own."""
    while at is not None:
        if at == wrapper:
            return True
        at = effects.commands[at].wrapper
    return False


def _same(effects: Effects, one: int | None, other: int | None) -> bool:
    if one is None or other is None:
        return True
    return under(effects, one, other) or under(effects, other, one)


def applies(rule: Rule, facts: Facts, *, strict: bool) -> bool:
    """Whether everything but the parts holds: day, team, agent, mode, tool, input, condition; ``strict`` to allow."""
    call = facts.call
    return (
        (rule.expires is None or facts.today <= rule.expires)
        and (rule.audience is None or rule.audience.holds(call, strict=strict))
        and (rule.modes is None or call.mode in rule.modes)
        and (rule.agent is None or rule.agent.holds(call.agent, strict=strict))
        and (not rule.tools or any(selector.holds(facts.tool, strict=strict) for selector in rule.tools))
        and all(matcher.holds(facts.tool, call.tool_input, strict=strict) for matcher in rule.inputs)
        and (rule.when is None or rule.when.holds(facts, strict=strict))
    )
