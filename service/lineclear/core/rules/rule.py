"""A rule: its effect, where it was written, and what it matches."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct, field

from lineclear.core.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from lineclear.core.conditions.condition import Condition
    from lineclear.core.rules.audience import Audience
    from lineclear.core.rules.commands import CommandPattern
    from lineclear.core.rules.domains import DomainPattern
    from lineclear.core.rules.inputs import InputMatcher, NameMatcher
    from lineclear.core.rules.paths import PathMatcher
    from lineclear.core.rules.selectors import AgentFilter, Selector


class Effect(StrEnum):
    """What a rule does. Deny beats ask beats allow, across all layers and whatever the order."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"

    @property
    def verdict(self) -> Verdict:
        """The verdict that the rule asks for."""
        return Verdict(self.value)


class Layer(StrEnum):
    """Whose rule it is. A lower layer only tightens."""

    BUILTIN = "builtin"
    ORGANISATION = "organisation"
    TEAM = "team"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something was written: file (relative to the policies' folder), line and column, both from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Rule:
    """A compiled rule. All matchers that it has must hold; in each, one of the list is enough, of ``inputs`` all.

    ``when`` is asked last, of a call for which all else holds. ``audience`` is for whom a team's rule is meant, None
    for everybody.
    """

    id: str
    effect: Effect
    layer: Layer
    origin: Origin
    tools: tuple[Selector, ...] = ()
    commands: tuple[CommandPattern, ...] = ()
    paths: PathMatcher | None = None
    domains: tuple[DomainPattern, ...] = ()
    inputs: tuple[InputMatcher | NameMatcher, ...] = ()
    agent: AgentFilter | None = None
    modes: frozenset[str] | None = None
    reason: str | None = None
    agent_message: str | None = None
    dry_run: bool = False
    expires: date | None = None
    when: Condition | None = None
    audience: Audience | None = None

    @property
    def name(self) -> str:
        """The rule as decisions name it.

        ``organisation:ask:Bash(git push *)``, ``organisation:no-force-push``, ``builtin.ask-git-push``.
        """
        return self.id if self.id.startswith((f"{self.layer}:", f"{self.layer}.")) else f"{self.layer}:{self.id}"


class Match(Struct, frozen=True):
    """A rule and the part of the call on which it matched, as the caller wrote it."""

    rule: Rule
    part: str


class Coverage(Struct, frozen=True):
    """Which parts of a call allow rules cover, each under one strict reading.

    ``whole`` is a rule about the tool (and its input, an agent's type, a skill's name) that so covers every part;
    ``commands`` and ``touches`` map the index of a part in the call's effects to the rule that covers it; ``call`` is
    a rule that covers a call by other parts (a fetch by domain, another tool's call by its paths).
    """

    whole: Match | None = None
    call: Match | None = None
    commands: Mapping[int, Match] = field(default_factory=dict)
    touches: Mapping[int, Match] = field(default_factory=dict)
