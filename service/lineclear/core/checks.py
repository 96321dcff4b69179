"""The checks, in order. The order is this file's tables; the documentation is tested against them.

Denials: the first that holds decides. Questions: all are found and listed, the first gives the code. Allowances: the
first that holds decides, if no question is left. What then is left gets the answer of its mode.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from lineclear.core import breaches, own, settle, toolset
from lineclear.core.breaker import OpenedBy
from lineclear.core.decision import Decision, Finding
from lineclear.core.effects import Proof
from lineclear.core.hidden import hidden
from lineclear.core.modes import Mode
from lineclear.core.paths.critical import critical
from lineclear.core.paths.locate import locate
from lineclear.core.pointers import strings_in, values_at
from lineclear.core.policy import Headless
from lineclear.core.reasons import Code
from lineclear.core.repeats import repeat_key
from lineclear.core.rules.rule import Effect
from lineclear.core.tools import Kind, Use
from lineclear.core.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lineclear.core.effects import Touch
    from lineclear.core.facts import Facts
    from lineclear.core.policy import Policy
    from lineclear.core.rules.rule import Match


@dataclass(frozen=True, slots=True)
class Check:
    """One check: its number in the documentation, what it looks for, and the function that looks."""

    number: str
    title: str
    find: Callable[[Policy, Facts], tuple[Finding, ...]]


def _tool_set(policy: Policy, facts: Facts) -> tuple[Finding, ...]:
    left_out = toolset.left_out(policy, facts)
    return () if left_out is None else (Finding(Code.TOOL_UNAVAILABLE, Verdict.DENY, reason=left_out),)


def _input(_: Policy, facts: Facts) -> tuple[Finding, ...]:
    return () if facts.fault is None else (Finding(Code.INPUT_INVALID, Verdict.DENY, reason=facts.fault),)


def _denial(policy: Policy, facts: Facts) -> tuple[Finding, ...]:
    part = own.touched(facts)
    itself = () if part is None else (Finding(Code.DENY_RULE, Verdict.DENY, own.RULE, "builtin", part=part),)
    rules = _by_rules(Code.DENY_RULE, Verdict.DENY, policy.rules.denials(facts))
    return itself + rules + breaches.of_entries(policy, facts, Verdict.DENY)


def _plan(policy: Policy, facts: Facts) -> tuple[Finding, ...]:
    if facts.call.mode is not Mode.PLAN or facts.tool.kind is Kind.CONTROL:
        return ()
    if settle.is_safe_tool(policy, facts) or settle.proven_read_only(facts):
        return ()
    return (Finding(Code.PLAN_MODE, Verdict.DENY, part=first_unproven(facts)),)


def _critical(_: Policy, facts: Facts) -> tuple[Finding, ...]:
    found = ((touch, _destroyed(touch, facts)) for touch in facts.effects.touches)
    return tuple(
        Finding(Code.CRITICAL_PATH, Verdict.ASK, part=touch.spelled, reason=what) for touch, what in found if what
    )


def _destroyed(touch: Touch, facts: Facts) -> str | None:
    """What a touch would destroy, as seen from where the call starts and from where its own part runs."""
    environment = facts.call.environment
    where = None if touch.by is None else facts.effects.commands[touch.by].cwd
    if (what := critical(touch, environment)) is not None or where in {None, environment.cwd}:
        return what
    there = replace(environment, cwd=where if where.startswith("/") else None)
    return critical(structs.replace(touch, place=locate(touch.spelled, there, there.cwd)), there)


def _protected_question(policy: Policy, facts: Facts) -> tuple[Finding, ...]:
    return breaches.of_entries(policy, facts, Verdict.ASK) + breaches.of_folders(policy, facts)


def _hidden(_: Policy, facts: Facts) -> tuple[Finding, ...]:
    for text in _visible_parts(facts):
        if (what := hidden(text)) is not None:
            return (Finding(Code.HIDDEN_CHARACTERS, Verdict.ASK, part=text, reason=what),)
    return ()


def _possible_denial(policy: Policy, facts: Facts) -> tuple[Finding, ...]:
    return _by_rules(Code.DENY_RULE_POSSIBLE, Verdict.ASK, policy.rules.possible_denials(facts))


def _destructive(_: Policy, facts: Facts) -> tuple[Finding, ...]:
    return (Finding(Code.DESTRUCTIVE_TOOL, Verdict.ASK),) if facts.tool.flags.destructive else ()


def _ask_rule(policy: Policy, facts: Facts) -> tuple[Finding, ...]:
    return _by_rules(Code.ASK_RULE, Verdict.ASK, policy.rules.questions(facts))


def _denied_before(_: Policy, facts: Facts) -> bool | None:
    """Whether nothing clears the classifier's denial of this same call; None where it denied no such call."""
    if facts.call.mode is not Mode.AUTO or not facts.standing.denied:
        return None
    return facts.standing.denied.get(repeat_key(facts))


def _denied_hard(policy: Policy, facts: Facts) -> tuple[Finding, ...]:
    if _denied_before(policy, facts) is not True:
        return ()
    return (Finding(Code.REPEATED_DENIAL, Verdict.DENY, part=first_unproven(facts)),)


def _denied_soft(policy: Policy, facts: Facts) -> tuple[Finding, ...]:
    if _denied_before(policy, facts) is not False:
        return ()
    return (Finding(Code.REPEATED_DENIAL, Verdict.ASK, part=first_unproven(facts)),)


def _grant(_: Policy, facts: Facts) -> tuple[Finding, ...]:
    return () if facts.standing.grant is None else (Finding(Code.HUMAN_GRANT, Verdict.ALLOW),)


def _bypass(_: Policy, facts: Facts) -> tuple[Finding, ...]:
    if facts.call.mode is not Mode.BYPASS:
        return ()
    if facts.effects.doubt is not None:
        return (Finding(Code.UNANALYSABLE, Verdict.ASK, part=facts.effects.raw, reason=str(facts.effects.doubt)),)
    return (Finding(Code.BYPASS_MODE, Verdict.ALLOW),)


def _settled(policy: Policy, facts: Facts) -> tuple[Finding, ...]:
    settlement = settle.settle(policy, facts)
    if settlement is None:
        return ()
    if settlement.rules:
        return _by_rules(settlement.code, Verdict.ALLOW, settlement.rules)
    return (Finding(settlement.code, Verdict.ALLOW),)


def _mode_asks(_: Policy, facts: Facts) -> tuple[Finding, ...]:
    if facts.call.mode in {Mode.AUTO, Mode.DONT_ASK}:
        return ()
    return (Finding(Code.DEFAULT_MODE, Verdict.ASK, part=first_unproven(facts), reason=_doubt(facts)),)


def _mode_refuses(_: Policy, facts: Facts) -> tuple[Finding, ...]:
    if facts.call.mode is not Mode.DONT_ASK:
        return ()
    return (Finding(Code.DONT_ASK_MODE, Verdict.DENY, part=first_unproven(facts), reason=_doubt(facts)),)


def _breaker(_: Policy, facts: Facts) -> tuple[Finding, ...]:
    if facts.call.mode is not Mode.AUTO or not facts.standing.breaker.open:
        return ()
    return (Finding(Code.BREAKER_OPEN, Verdict.ASK, part=first_unproven(facts), reason=_opened(facts)),)


_CODES = {Effect.DENY: Code.DENY_RULE, Effect.ASK: Code.ASK_RULE, Effect.ALLOW: Code.ALLOW_RULE}

DENIALS = (
    Check("1", "the tool isn't in this call's effective tool set, or its name imitates another's", _tool_set),
    Check("2", "the input doesn't fit the tool", _input),
    Check("3", "a deny rule, a protected path that denies, or Lineclear itself is touched", _denial),
    Check(
        "3a", "mode `auto`: the classifier denied the same call by a hard rule, and nothing has changed", _denied_hard
    ),
    Check("4", "mode `plan`, and the call doesn't only read", _plan),
)
QUESTIONS = (
    Check("5", "a critical path is destroyed", _critical),
    Check("6", "a protected path is touched", _protected_question),
    Check("7", "hidden characters in a command, a path or a URL", _hidden),
    Check("8", "a deny rule may match", _possible_denial),
    Check("9", "the tool is marked destructive", _destructive),
    Check("10", "an ask rule matches", _ask_rule),
    Check("11", "mode `auto`: the classifier denied the same call, and nothing has changed", _denied_soft),
)
ALLOWANCES = (
    Check("12", "a person's grant for exactly this call is held", _grant),
    Check("13", "mode `bypassPermissions`; but text whose structure can't be told asks", _bypass),
    Check("14", "every part is settled: safe tool, proof, allow rule, or an edit inside the workspace", _settled),
)
REMAINDER = (
    Check("15", "modes `default`, `acceptEdits` and `plan` ask", _mode_asks),
    Check("16", "mode `dontAsk` denies", _mode_refuses),
    Check("17", "mode `auto`, and the breaker is open", _breaker),
)


class Undecided(Struct, frozen=True):
    """No check settles the call, and its mode is ``auto``: a model is asked, or the answer is *ask*."""

    facts: Facts


def decide(policy: Policy, facts: Facts) -> Decision | Undecided:
    """Walk the checks over a call; a plain function of frozen values."""
    for check in DENIALS:
        if findings := check.find(policy, facts):
            return concluded(policy, facts, findings)
    if questions := _unanswered(facts, (finding for check in QUESTIONS for finding in check.find(policy, facts))):
        return concluded(policy, facts, questions)
    for check in (*ALLOWANCES, *REMAINDER):
        if findings := check.find(policy, facts):
            return concluded(policy, facts, findings)
    return Undecided(facts)


def unclassified(policy: Policy, undecided: Undecided, code: Code, reason: str) -> Decision:
    """The decision where no verdict was to be had from a model."""
    facts = undecided.facts
    return concluded(policy, facts, (Finding(code, Verdict.ASK, part=first_unproven(facts), reason=reason),))


def _unanswered(facts: Facts, questions: Iterable[Finding]) -> tuple[Finding, ...]:
    """The questions that no person has approved: a grant strikes out those that were shown, and no others."""
    grant = facts.standing.grant
    return tuple(question for question in questions if grant is None or not grant.strikes(question))


def concluded(policy: Policy, facts: Facts, findings: tuple[Finding, ...]) -> Decision:
    """The decision that the first finding gives; a question that nobody can be asked becomes a denial."""
    verdict, code = findings[0].verdict, findings[0].code
    decision = Decision(
        verdict, code, facts.call.mode, findings, enforced=policy.enforce, trials=_trials(policy, facts)
    )
    if verdict is not Verdict.ASK:
        return decision
    if facts.call.mode is Mode.DONT_ASK:
        return structs.replace(decision, verdict=Verdict.DENY, downgraded_from=Verdict.ASK)
    if facts.call.interactive:
        return decision
    if policy.headless is Headless.HOLD:
        return structs.replace(decision, held=True)
    return structs.replace(decision, verdict=Verdict.DENY, downgraded_from=Verdict.ASK)


def _trials(policy: Policy, facts: Facts) -> tuple[Finding, ...]:
    matches = policy.rules.trials(facts, suspended=facts.call.mode is Mode.AUTO)
    return tuple(_finding(_CODES[match.rule.effect], match.rule.effect.verdict, match) for match in matches)


def _by_rules(code: Code, verdict: Verdict, matches: Iterable[Match]) -> tuple[Finding, ...]:
    return tuple(_finding(code, verdict, match) for match in matches)


def _finding(code: Code, verdict: Verdict, match: Match) -> Finding:
    rule = match.rule
    return Finding(code, verdict, rule.name, rule.layer, str(rule.origin), match.part, rule.reason, rule.agent_message)


def _visible_parts(facts: Facts) -> Iterable[str]:
    """What a person is shown of a call and approves: its commands, paths and URLs, as written."""
    for argument in facts.tool.arguments:
        if argument.use is Use.COMMAND:
            for value in values_at(facts.call.tool_input, argument.pointer):
                yield from (text for _, text in strings_in(value))
    yield from (command.text for command in facts.effects.commands)
    yield from (touch.spelled for touch in facts.effects.touches)
    yield from (host.url for host in facts.effects.hosts)


def first_unproven(facts: Facts) -> str | None:
    """The first command of a call that nothing proves to only read, as written."""
    return next((command.text for command in facts.effects.commands if command.proof in {Proof.NONE, Proof.EDIT}), None)


def _opened(facts: Facts) -> str:
    breaker = facts.standing.breaker
    if breaker.opened_by is OpenedBy.TOTAL:
        return f"the classifier denied {breaker.total} calls of this session"
    return f"the classifier denied {breaker.consecutive} calls of this session in a row"


def _doubt(facts: Facts) -> str | None:
    if facts.effects.doubt is not None:
        return str(facts.effects.doubt)
    return next((command.why for command in facts.effects.commands if command.why), None)
