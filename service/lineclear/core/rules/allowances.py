"""The allow rules of a policy: what they cover of a call, part by part, each under one strict reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.effects import Proof
from lineclear.core.rules.bearing import applies, under
from lineclear.core.rules.covering import chooses, resolved
from lineclear.core.rules.domains import address
from lineclear.core.rules.index import RuleIndex
from lineclear.core.rules.rule import Coverage, Match
from lineclear.core.tools import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lineclear.core.effects import Command
    from lineclear.core.facts import Facts
    from lineclear.core.rules.rule import Rule
    from lineclear.core.shell.programs import Programs

_FILE_KINDS = frozenset({Kind.READ, Kind.EDIT, Kind.SEARCH})


class Allowances:
    """Rules of the effect allow, in the order in which the first that covers a part is taken."""

    __slots__ = ("_index", "_programs")

    def __init__(self, rules: Sequence[Rule], programs: Programs) -> None:
        self._index = RuleIndex(rules, strict=True)
        self._programs = programs

    def coverage(self, facts: Facts, *, suspended: bool) -> Coverage:
        """What is covered. ``suspended`` leaves out the rules that let a caller choose what is executed."""
        if facts.effects.doubt is not None or not self._index.rules or (suspended and facts.tool.kind is Kind.AGENT):
            return Coverage()
        return _Covering(self._index, self._programs, facts, suspended=suspended).coverage()


class _Covering:
    """One walk over the parts of a call."""

    def __init__(self, index: RuleIndex, programs: Programs, facts: Facts, *, suspended: bool) -> None:
        self._index = index
        self._programs = programs
        self._facts = facts
        self._suspended = suspended
        self._holding: dict[int, bool] = {}
        self._touched = self._rules_by_touch()

    def coverage(self) -> Coverage:
        commands = {command.index: match for command in self._facts.effects.commands if (match := self._over(command))}
        self._see_through(commands)
        touches = {
            index: Match(rules[0], self._facts.effects.touches[index].spelled)
            for index, found in self._touched.items()
            if (rules := [rule for rule in found.values() if not rule.commands and not rule.domains])
        }
        return Coverage(whole=self._whole(), call=self._call(), commands=commands, touches=touches)

    def _whole(self) -> Match | None:
        facts, shell = self._facts, self._facts.tool.kind is Kind.SHELL
        if shell and (
            self._suspended or not all(resolved(command, self._programs) for command in facts.effects.commands)
        ):
            return None
        if any(touch.redirect and touch.place is None for touch in facts.effects.touches):
            return None
        rules = self._applying(set(self._index.tools.find(facts.tool)))
        return Match(rules[0][1], facts.call.tool_name) if rules else None

    def _over(self, command: Command) -> Match | None:
        home = self._facts.call.environment.cwd
        positions = {
            at
            for at, pattern in self._index.commands.find(command)
            if not (self._suspended and (pattern.chooses or chooses(pattern, command, self._programs)))
            and pattern.covers(command, home, self._programs)
        }
        if not positions or not self._all_known(command.index):
            return None
        for at, rule in self._applying(positions):
            if not rule.domains and (rule.paths is None or self._paths_hold(at, rule, command)):
                return Match(rule, command.text)
        return None

    def _all_known(self, wrapper: int) -> bool:
        effects = self._facts.effects
        return all(self._known(command) for command in effects.commands if under(effects, command.index, wrapper))

    def _known(self, command: Command) -> bool:
        """Whether a command needs no rule, or holds no word that a rule would have to know and can't."""
        return command.proof in {Proof.READ_ONLY, Proof.WRAPPER} or resolved(command, self._programs)

    def _paths_hold(self, at: int, rule: Rule, command: Command) -> bool:
        """Whether a rule that names a command and paths covers every touch of the command that it is about."""
        effects = self._facts.effects
        mine = [index for index, touch in enumerate(effects.touches) if under(effects, touch.by, command.index)]
        meant = [index for index in mine if rule.paths is not None and rule.paths.means(effects.touches[index])]
        return bool(meant) and all(at in self._touched.get(index, {}) for index in meant)

    def _see_through(self, commands: dict[int, Match]) -> None:
        """A transparent wrapper that isn't proven is covered by the rule that covers what it runs."""
        effects = self._facts.effects
        for command in reversed(effects.commands):
            if command.transparent and command.index not in commands and command.proof is not Proof.WRAPPER:
                inner = [other.index for other in effects.commands if other.wrapper == command.index]
                if inner and all(index in commands for index in inner) and not command.assignments:
                    commands[command.index] = commands[inner[0]]

    def _rules_by_touch(self) -> Mapping[int, Mapping[int, Rule]]:
        """For each touch the rules whose paths cover it, by position."""
        touches = self._facts.effects.touches
        return {
            index: dict(self._applying(self._index.touching(touch, self._facts.call.environment)))
            for index, touch in enumerate(touches)
        }

    def _call(self) -> Match | None:
        kind = self._facts.tool.kind
        if kind is Kind.FETCH:
            return self._every_host()
        return None if kind is Kind.SHELL or kind in _FILE_KINDS else self._every_path()

    def _every_host(self) -> Match | None:
        matches = []
        for host in self._facts.effects.hosts:
            where = address(host.url) if host.fetch else None
            if where is None:
                return None
            positions = {at for at, pattern in self._index.domains.find(where) if pattern.covers(where)}
            rules = [rule for _, rule in self._applying(positions) if not rule.commands and not rule.paths]
            if not rules:
                return None
            matches.append(Match(rules[0], host.url))
        return matches[0] if matches else None

    def _applying(self, positions: Iterable[int]) -> list[tuple[int, Rule]]:
        """The rules at some positions that hold but for their parts, in order."""
        return [(at, self._index.rules[at]) for at in sorted(positions) if self._applies(at)]

    def _applies(self, at: int) -> bool:
        """Whether all but the parts holds; asked once for each rule, since a condition takes its time."""
        if at not in self._holding:
            self._holding[at] = applies(self._index.rules[at], self._facts, strict=True)
        return self._holding[at]

    def _every_path(self) -> Match | None:
        """Another tool's call, if a rule that names the tool covers each of its paths, and it connects to nothing."""
        effects = self._facts.effects
        if effects.hosts or effects.commands:
            return None
        named = [
            [
                rule
                for rule in self._touched.get(index, {}).values()
                if rule.tools and not rule.commands and not rule.domains
            ]
            for index in range(len(effects.touches))
        ]
        return Match(named[0][0], effects.touches[0].spelled) if named and all(named) else None
