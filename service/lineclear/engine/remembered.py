"""What was made of a call holds for the next one that is like it, as long as nothing that it rests on has changed."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from lineclear.core.checks import decide
from lineclear.core.facts import Facts
from lineclear.core.observe import observe

if TYPE_CHECKING:
    from collections.abc import Hashable
    from datetime import date

    from lineclear.core.call import Call
    from lineclear.core.checks import Undecided
    from lineclear.core.decision import Decision
    from lineclear.core.effects import Effects
    from lineclear.core.own import Own
    from lineclear.core.policy import Policy
    from lineclear.core.tools import Tool

MOST_CALLS = 2_048
"""So many calls are remembered; of more, those that came first are forgotten."""
LONGEST_CHARS = 1_000
"""Calls whose texts are longer than this together are judged anew: few of them come twice, and they would fill it."""
MOST_CHARS = 200_000
"""All that is remembered, in characters of the calls; what was made of one takes 45 to 75 bytes for each."""


class Remembered:
    """What was observed of calls and what the checks decided, under one policy, on one day.

    A call is like another if all is the same but ``session_id`` and ``tool_use_id``, which no check reads. Conditions
    read more, the moment for one: where a policy has any, only what was observed is kept. What a session holds for or
    against a call isn't part of it (see ``judge``).
    """

    def __init__(self) -> None:
        self._under: tuple[Policy, Own, date] | None = None
        self._calls: dict[Hashable, tuple[int, Tool, Effects, str | None, Decision | Undecided | None]] = {}
        self._chars = 0
        self.spent_s = 0.0
        """Seconds spent on observing calls so far."""

    def __call__(self, call: Call, policy: Policy, own: Own, today: date) -> tuple[Facts, Decision | Undecided | None]:
        """The facts of a call outside of any session, and what the checks make of them if that can be known before."""
        under = self._under
        if under is None or under[0] is not policy or under[1] is not own or under[2] != today:
            self._calls, self._chars, self._under = {}, 0, (policy, own, today)
        chars, key = _key(call)
        if chars > LONGEST_CHARS:
            return self._observed(call, policy, own, today), None
        found = self._calls.get(key)
        if found is not None:
            _, tool, effects, fault, outcome = found
            return Facts(call, tool, effects, today, own, fault), outcome
        facts = self._observed(call, policy, own, today)
        outcome = None if policy.rules.conditions else decide(policy, facts)
        self._keep(key, chars, facts, outcome)
        return facts, outcome

    def _observed(self, call: Call, policy: Policy, own: Own, today: date) -> Facts:
        begun = perf_counter()
        facts = observe(call, policy, own, today)
        self.spent_s += perf_counter() - begun
        return facts

    def _keep(self, key: Hashable, chars: int, facts: Facts, outcome: Decision | Undecided | None) -> None:
        self._calls[key] = (chars, facts.tool, facts.effects, facts.fault, outcome)
        self._chars += chars
        while len(self._calls) > MOST_CALLS or self._chars > MOST_CHARS:
            first = next(iter(self._calls))
            self._chars -= self._calls.pop(first)[0]


def _key(call: Call) -> tuple[int, Hashable]:
    """How long a call is, and what two calls have in common that are judged alike; exact, down to the order of keys."""
    there = call.environment
    given = repr(call.tool_input)
    more = repr((call.context, there.real_paths)) if call.context or there.real_paths else ""
    chars = len(given) + len(more) + len(there.cwd or "") + len(there.home or "")
    if there.roots is not None:
        chars += sum(map(len, there.roots))
    if call.allowed_tools is not None:
        chars += sum(map(len, call.allowed_tools))
    whose = (call.principal, call.agent, call.mode, call.interactive, call.allowed_tools)
    return chars, (call.tool_name, given, more, there, whose)
