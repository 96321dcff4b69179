"""The deny rules of a policy, or its ask rules: any reading of any part of a call is enough for a match."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from lineclear.core.rules.bearing import Found, applies
from lineclear.core.rules.domains import address
from lineclear.core.rules.index import RuleIndex
from lineclear.core.rules.rule import Match

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lineclear.core.effects import Command
    from lineclear.core.facts import Facts
    from lineclear.core.rules.rule import Rule
    from lineclear.core.shell.programs import Programs


MOST_POSSIBLE = 10
"""So many rules that may match a command are told; one is enough for a question."""


class Shelf:
    """Rules of one effect, in the order in which their matches are told."""

    __slots__ = ("_index", "_programs")

    def __init__(self, rules: Sequence[Rule], programs: Programs) -> None:
        self._index = RuleIndex(rules, strict=False)
        self._programs = programs

    def matches(self, facts: Facts) -> tuple[Match, ...]:
        """The rules that match a call, each with the first part on which it does."""
        found: dict[int, Found] = defaultdict(Found)
        for command in facts.effects.commands:
            for at, pattern in self._index.commands.find(command):
                if pattern.matches(command, self._programs):
                    found[at].commands.append((command.index, command.text))
        if facts.effects.raw is not None:
            for at, pattern in self._index.commands.find_raw(facts.effects.raw):
                if (line := pattern.matches_raw(facts.effects.raw)) is not None:
                    found[at].commands.append((None, line))
        self._find_others(facts, found)
        for at in self._index.tools.find(facts.tool):
            found.setdefault(at, Found())
        return self._told(facts, found)

    def possible(self, facts: Facts) -> tuple[Match, ...]:
        """The rules that may match: a word that can't be known stands where one of a pattern's words would.

        One is enough for a question: of many, the first few are told.
        """
        found: dict[int, Found] = defaultdict(Found)
        for command in facts.effects.commands:
            if not all(word.literal for word in command.words[1:]):
                self._find_possible(command, facts, found)
        if not found:
            return ()
        self._find_others(facts, found)
        return self._told(facts, found)

    def _find_possible(self, command: Command, facts: Facts, found: dict[int, Found]) -> None:
        enough = 0
        for at, pattern in self._index.commands.find_possible(command):
            rule = self._index.rules[at]
            if pattern.possible(command, self._programs) and applies(rule, facts, strict=False):
                found[at].commands.append((command.index, command.text))
                enough += rule.paths is None and not rule.domains
                if enough == MOST_POSSIBLE:
                    return

    def _find_others(self, facts: Facts, found: dict[int, Found]) -> None:
        for touch in facts.effects.touches:
            for at in self._index.touching(touch, facts.call.environment):
                found[at].touches.append((touch.by, touch.spelled))
        for host in facts.effects.hosts:
            if (where := address(host.url)) is not None:
                for at, pattern in self._index.domains.find(where):
                    if pattern.matches(where):
                        found[at].hosts.append((host.by, host.url))

    def _told(self, facts: Facts, found: Mapping[int, Found]) -> tuple[Match, ...]:
        told = []
        for at in sorted(found):
            rule = self._index.rules[at]
            part = found[at].part(rule, facts)
            if part is not None and applies(rule, facts, strict=False):
                told.append(Match(rule, part))
        return tuple(told)
