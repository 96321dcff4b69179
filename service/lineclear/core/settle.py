"""Whether every part of a call is settled: by the safe list, by proof, by an allow rule, or as an edit inside.

A call is settled only if each of its parts is; one part that nothing speaks for leaves the whole call open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from lineclear.core.effects import Access, Proof
from lineclear.core.modes import Mode
from lineclear.core.paths.locate import inside
from lineclear.core.reasons import Code
from lineclear.core.tools import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lineclear.core.effects import Command
    from lineclear.core.facts import Facts
    from lineclear.core.policy import Policy
    from lineclear.core.rules.book import RuleBook
    from lineclear.core.rules.rule import Coverage, Match

_FILE_KINDS = frozenset({Kind.READ, Kind.SEARCH, Kind.EDIT})


class Settlement(Struct, frozen=True):
    """Why a call needs no question: its code, and the rules that it needed (none where proof was enough)."""

    code: Code
    rules: tuple[Match, ...] = ()


def settle(policy: Policy, facts: Facts) -> Settlement | None:
    """The settlement of a call, or None where a part of it is left open."""
    if facts.effects.doubt is not None:
        return None
    if _safe(policy, facts):
        return Settlement(Code.SAFE_TOOL)
    coverage = policy.rules.coverage(facts, suspended=facts.call.mode is Mode.AUTO)
    may_edit = facts.call.mode is Mode.ACCEPT_EDITS or (facts.call.mode is Mode.AUTO and policy.workspace.edits_in_auto)
    return _Settling(policy, facts, coverage, may_edit=may_edit).settlement()


def speaks_of(rules: RuleBook, policy: Policy, facts: Facts) -> bool:
    """Whether allow rules speak of a call: they settle all of it, with what is proven, and at least one is needed."""
    if facts.effects.doubt is not None:
        return False
    coverage = rules.coverage(facts, suspended=False)
    settlement = _Settling(policy, facts, coverage, may_edit=False).settlement()
    return settlement is not None and settlement.code is Code.ALLOW_RULE


def proven_read_only(facts: Facts) -> bool:
    """Whether the call is a shell command of which it is proven that it only reads."""
    return facts.tool.kind is Kind.SHELL and facts.effects.read_only


def is_safe_tool(policy: Policy, facts: Facts) -> bool:
    """Whether the tool is on the list of safe tools, for this agent."""
    return any(
        safe.tool.holds(facts.tool, strict=True) and (safe.agent is None or safe.agent.holds(facts.call.agent))
        for safe in policy.safe_tools
    )


def _safe(policy: Policy, facts: Facts) -> bool:
    """Whether the safe list settles the call; a tool that runs a command besides is as safe as its command."""
    if facts.effects.commands:
        return False
    return is_safe_tool(policy, facts) and (policy.workspace.reads_anywhere or _reads_inside(facts))


def _reads_inside(facts: Facts) -> bool:
    environment = facts.call.environment
    return all(
        touch.place is not None and inside(touch.place, environment, writing=False) for touch in facts.effects.touches
    )


class _Settling:
    """One walk over the parts of a call, noting what each needed."""

    def __init__(self, policy: Policy, facts: Facts, coverage: Coverage, *, may_edit: bool) -> None:
        self._facts = facts
        self._coverage = coverage
        self._reads_anywhere = policy.workspace.reads_anywhere
        self._may_edit = may_edit
        self._rules: dict[str, Match] = {}
        self._edited = False

    def settlement(self) -> Settlement | None:
        kind = self._facts.tool.kind
        if kind is Kind.SHELL:
            effects = self._facts.effects
            runs = bool(effects.commands) or any(touch.redirect for touch in effects.touches)
            settled = runs and self._parts_are_settled()
        elif kind in _FILE_KINDS:
            settled = bool(self._facts.effects.touches) and self._touches_are_settled()
            settled = settled or self._by_rule(self._coverage.whole or self._coverage.call)
        else:
            settled = self._by_rule(self._coverage.whole or self._coverage.call)
        if not settled:
            return None
        if self._rules:
            return Settlement(Code.ALLOW_RULE, tuple(self._rules.values()))
        return Settlement(Code.WORKSPACE_EDIT if self._edited else Code.READ_ONLY_COMMAND)

    def _parts_are_settled(self) -> bool:
        commands = self._facts.effects.commands
        return all(self._command_is_settled(command) for command in commands) and self._loose_touches_are_settled()

    def _command_is_settled(self, command: Command) -> bool:
        match command.proof:
            case Proof.READ_ONLY | Proof.WRAPPER:
                return True
            case Proof.EDIT if self._edits_are_settled(command):
                return True
            case Proof.EDIT | Proof.NONE:
                return self._by_rule(self._rule_over(command))

    def _rule_over(self, command: Command) -> Match | None:
        """The rule that covers a command, or a wrapper that runs it with words of its own."""
        at: int | None = command.index
        while at is not None:
            if (match := self._coverage.commands.get(at)) is not None:
                return match
            at = self._facts.effects.commands[at].wrapper
        return self._coverage.whole

    def _edits_are_settled(self, command: Command) -> bool:
        written = [
            index
            for index, touch in enumerate(self._facts.effects.touches)
            if touch.by == command.index and not touch.redirect and touch.deed.access is Access.WRITE
        ]
        if not written or not all(self._can_settle(index) for index in written):
            return False
        return self._all_settled(written)

    def _loose_touches_are_settled(self) -> bool:
        """Redirects, which no command speaks for; and reads, where the policy wants them inside."""
        for index, touch in enumerate(self._facts.effects.touches):
            if touch.redirect and not self._touch_is_settled(index):
                return False
            if not self._reads_anywhere and touch.deed.access is Access.READ and not self._touch_is_settled(index):
                return False
        return True

    def _touches_are_settled(self) -> bool:
        return self._all_settled(range(len(self._facts.effects.touches)))

    def _all_settled(self, indexes: Iterable[int]) -> bool:
        """Whether each of them is; all are walked, so that every rule that was needed is named."""
        return all([self._touch_is_settled(index) for index in indexes])  # noqa: C419 - see the sentence above

    def _can_settle(self, index: int) -> bool:
        return self._is_inside_edit(index) or index in self._coverage.touches

    def _touch_is_settled(self, index: int) -> bool:
        touch = self._facts.effects.touches[index]
        if touch.deed.access is Access.READ and touch.by is not None:
            outside = touch.place is None or not inside(touch.place, self._facts.call.environment, writing=False)
            return not (outside and not self._reads_anywhere) or self._by_rule(self._coverage.touches.get(index))
        if self._is_inside_edit(index):
            self._edited = True
            return True
        whole = self._coverage.whole if touch.place is not None else None
        return self._by_rule(self._coverage.touches.get(index) or whole)

    def _is_inside_edit(self, index: int) -> bool:
        touch = self._facts.effects.touches[index]
        return (
            self._may_edit
            and touch.deed.access is Access.WRITE
            and touch.place is not None
            and not touch.glob
            and not touch.recursive
            and inside(touch.place, self._facts.call.environment, writing=True)
        )

    def _by_rule(self, match: Match | None) -> bool:
        if match is None:
            return False
        self._rules.setdefault(match.rule.name, match)
        return True
