"""The trace of a decision: each check in its order with what it found, the parts that were seen, and the rules."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from lineclear.core.checks import ALLOWANCES, DENIALS, QUESTIONS, REMAINDER
from lineclear.core.classified import MODEL
from lineclear.core.effects import Access
from lineclear.core.modes import Mode
from lineclear.core.paths.locate import inside
from lineclear.core.tracing.rules import RuleTrace, traced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.core.decision import Finding
    from lineclear.core.effects import Command, Effects, Host, Touch
    from lineclear.core.facts import Facts
    from lineclear.core.policy import Policy


class State(StrEnum):
    """What became of a check."""

    NOTHING = "nothing"
    """It looked and found nothing."""
    FOUND = "found"
    """It found something beside the check that decides."""
    DECIDES = "decides"
    NOT_REACHED = "not_reached"
    ASKED = "asked"
    """The model would be asked now."""


@dataclass(frozen=True, slots=True)
class CheckTrace:
    """One check, by its number in the documentation."""

    number: str
    title: str
    state: State
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class CommandTrace:
    """A command that was seen, and the rule that covers it."""

    command: Command
    rule: str | None


@dataclass(frozen=True, slots=True)
class TouchTrace:
    """A path that is touched, whether it lies in the workspace, and the rule that covers it."""

    touch: Touch
    inside: bool
    rule: str | None


@dataclass(frozen=True, slots=True)
class Trace:
    """All of it. ``whole`` is the allow rule that covers the call as such, if one does."""

    facts: Facts
    checks: tuple[CheckTrace, ...]
    commands: tuple[CommandTrace, ...]
    touches: tuple[TouchTrace, ...]
    hosts: tuple[Host, ...]
    whole: str | None
    rules: tuple[RuleTrace, ...]


def trace(policy: Policy, facts: Facts) -> Trace:
    """Walk every check over a call, those too that a decision doesn't reach."""
    suspended = facts.call.mode is Mode.AUTO
    coverage = policy.rules.coverage(facts, suspended=suspended)
    effects = facts.effects
    over = coverage.whole or coverage.call
    return Trace(
        facts,
        tuple(_checks(policy, facts)),
        tuple(
            CommandTrace(command, match.rule.name if (match := coverage.commands.get(command.index)) else None)
            for command in effects.commands
        ),
        tuple(
            TouchTrace(touch, _inside(touch, facts), match.rule.name if (match := coverage.touches.get(at)) else None)
            for at, touch in enumerate(effects.touches)
        ),
        _hosts(effects),
        None if over is None else over.rule.name,
        tuple(traced(rule, facts, policy.programs, suspended=suspended) for rule in policy.rules.rules),
    )


def _checks(policy: Policy, facts: Facts) -> Iterator[CheckTrace]:
    """The checks in order; the first group in which anything is found decides, and of the questions the first."""
    decided = False
    for check in (*DENIALS, *QUESTIONS):
        findings = check.find(policy, facts)
        yield CheckTrace(check.number, check.title, _state(bool(findings), decided=decided), findings)
        decided = decided or bool(findings)
    for check in (*ALLOWANCES, *REMAINDER):
        findings = () if decided else check.find(policy, facts)
        state = State.NOT_REACHED if decided else State.DECIDES if findings else State.NOTHING
        yield CheckTrace(check.number, check.title, state, findings)
        decided = decided or bool(findings)
    for number, title in MODEL:
        yield CheckTrace(number, title, State.NOT_REACHED if decided else State.ASKED)


def _state(found: bool, *, decided: bool) -> State:  # noqa: FBT001 - what the state is of
    if not found:
        return State.NOTHING
    return State.FOUND if decided else State.DECIDES


def _inside(touch: Touch, facts: Facts) -> bool:
    writing = touch.deed.access is Access.WRITE
    return touch.place is not None and inside(touch.place, facts.call.environment, writing=writing)


def _hosts(effects: Effects) -> tuple[Host, ...]:
    return tuple(effects.hosts)
