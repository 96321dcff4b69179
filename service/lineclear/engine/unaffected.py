"""What a change of rules can't touch: a decision that no changed rule bears on stands, without being made again.

It holds for a record that was decided by the policy before the change and by this engine, where nothing but rules
differs between the two policies. Whether a changed rule bears on a call is asked widely: without its condition and its
end, so that it is never missed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lineclear import __version__
from lineclear.core.rules.book import RuleBook
from lineclear.core.rules.rule import Effect
from lineclear.core.tools import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lineclear.core.facts import Facts
    from lineclear.core.policy import Policy
    from lineclear.core.rules.rule import Rule
    from lineclear.engine.log import Record


@dataclass(frozen=True, slots=True)
class Change:
    """The rules that only one of two policies has; ``version`` is that of the policy before."""

    version: str
    _changed: RuleBook
    _allows_addresses: bool

    @staticmethod
    def of(before: Policy, changed: Iterable[Rule]) -> Change:
        """The change from a policy to one that differs in these rules alone; those on trial decide nothing."""
        wide = [replace(rule, when=None, expires=None) for rule in changed if not rule.dry_run]
        allows_addresses = any(rule.effect is Effect.ALLOW and rule.domains for rule in wide)
        return Change(before.version, RuleBook(wide, before.programs), allows_addresses)

    def is_from(self, record: Record) -> bool:
        """Whether a record was decided by the policy before the change, and by this engine."""
        return record.policy_version == self.version and record.engine_version == __version__

    def bears_on(self, facts: Facts) -> bool:
        """Whether a changed rule matches a call, may match it, or covers a part of it."""
        book = self._changed
        # Of several addresses each may be allowed by a rule of its own: a changed one with one that isn't among these.
        if self._allows_addresses and facts.tool.kind is Kind.FETCH:
            return True
        if book.denials(facts) or book.questions(facts) or book.possible_denials(facts):
            return True
        found = book.coverage(facts, suspended=False)
        return bool(found.whole or found.call or found.commands or found.touches)
