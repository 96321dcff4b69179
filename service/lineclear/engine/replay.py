"""Recorded decisions decided again by another policy: which come out otherwise, and by which rule.

What a model or a person had said of a call is kept, where the other policy leaves it to them as well. Rows of which a
part that the decision rests on was redacted are told apart: what they show isn't exact.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, cast

from lineclear.core import trust
from lineclear.core.breaker import Breaker
from lineclear.core.call import Key, Principal, Role
from lineclear.core.canonical import canonical
from lineclear.core.checks import Undecided
from lineclear.core.observe import observe
from lineclear.core.reasons import Code
from lineclear.core.rules.inputs import InputMatcher
from lineclear.core.tools import Use
from lineclear.core.verdict import Verdict
from lineclear.engine.judge import Past, judge

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from lineclear.core.call import Call, Stated
    from lineclear.core.decision import Decision
    from lineclear.core.facts import Facts
    from lineclear.core.own import Own
    from lineclear.core.policy import Policy
    from lineclear.core.redact import Redacted
    from lineclear.core.tools import Tool
    from lineclear.engine.log import Record
    from lineclear.engine.unaffected import Change

MODEL = "model"
"""Stands for the verdict where a model would be asked that hadn't been."""

_BY_MODEL = frozenset(
    {
        Code.CLASSIFIER_ALLOW, Code.CLASSIFIER_BLOCK, Code.CLASSIFIER_UNAVAILABLE, Code.CLASSIFIER_UNSURE,
        Code.BREAKER_OPEN, Code.REPEATED_DENIAL,
    }
)  # fmt: skip
_TELLS_APART = frozenset({"session_id", "tool_use_id"})
_MOST_KEPT = 20_000
_READ = frozenset(Use) - {Use.DATA, Use.PROSE}


class Restated(Protocol):
    """How a recorded request becomes a stated call again: the port to ``lineclear.wire``."""

    def __call__(self, request: Redacted) -> Stated:
        """The stated call."""


@dataclass(frozen=True, slots=True)
class Side:
    """A decision, before or after: its verdict, its code and the rules that it rests on."""

    verdict: str
    code: str
    rules: tuple[str, ...]

    @property
    def rule(self) -> str | None:
        """The rule that decided, if one did."""
        return self.rules[0] if self.rules else None


@dataclass(frozen=True, slots=True)
class Replayed:
    """A recorded decision with what another policy makes of it. ``exact``: all that it rests on was recorded."""

    record: Record
    before: Side
    after: Side
    exact: bool

    @property
    def flips(self) -> bool:
        """Whether the verdict is another one."""
        return self.before.verdict != self.after.verdict

    @property
    def loosens(self) -> bool:
        """Whether it comes out as *allow*, and didn't."""
        return self.flips and self.after.verdict == Verdict.ALLOW.value


@dataclass(frozen=True, slots=True)
class _Found:
    """What was made of a call: the tool that it means, and the outcome; None where the recorded decision stands."""

    tool: Tool
    outcome: Decision | Undecided | None


@dataclass(frozen=True, slots=True)
class Replay:
    """Decides records again by one policy.

    ``change`` is what of its rules differs from a policy that records may have been decided by; decisions that it
    can't touch aren't made again.
    """

    policy: Policy
    own: Own
    restated: Restated
    change: Change | None = None
    _found: dict[object, _Found] = field(default_factory=dict, repr=False)
    """What was made of calls that come again: agents repeat themselves."""

    def of(self, record: Record) -> Replayed:
        """What the policy makes of a record."""
        found = self._of_call(record)
        before = Side(record.verdict, record.code, record.rules)
        after = before if found.outcome is None else _after(record, before, found.outcome)
        return Replayed(record, before, after, exact=self._exact(record, found.tool))

    def _of_call(self, record: Record) -> _Found:
        request = cast("dict[str, Any]", record.request)
        now, breaker = record.decided_at, _breaker(record)
        known = self.change is not None and self.change.is_from(record)
        alike = {name: value for name, value in request.items() if name not in _TELLS_APART}
        moment = None if self._conditions_read("now") or self._conditions_read("session") else now.date()
        mark = None if moment is None else (known, record.role, moment, breaker, canonical(alike))
        if mark is not None and (found := self._found.get(mark)) is not None:
            return found
        principal = Principal(request["principal"]["id"], frozenset(request["principal"]["groups"]))
        key = Key(record.key_id, Role(record.role), principal)
        stated = self.restated(record.request)
        observed = [observe(call, self.policy, self.own, now.date()) for call in self._readings(stated, key)]
        if known and not any(map(cast("Change", self.change).bears_on, observed)):
            found = _Found(observed[0].tool, None)
        else:
            recall = _Observed(iter(observed))
            past = Past(breaker=breaker)
            judgement = judge(stated, key, self.policy, self.own, now.date(), past, now=now, recall=recall)
            found = _Found(judgement.facts.tool, judgement.outcome)
        if mark is not None and len(self._found) < _MOST_KEPT:
            self._found[mark] = found
        return found

    def _readings(self, stated: Stated, key: Key) -> tuple[Call, ...]:
        return trust.believe(stated, key, self.policy, None).readings

    def _exact(self, record: Record, tool: Tool) -> bool:
        if record.role == Role.AGENT and not _surroundings_told(record):
            return False
        marks = cast("dict[str, Any]", record.redactions).get("request", [])
        return not marks or not any(self._reads(str(pointer), tool) for pointer, *_ in marks)

    def _reads(self, pointer: str, tool: Tool) -> bool:
        """Whether a decision may rest on a place of the request."""
        _, field, *rest = pointer.split("/")
        if field == "context":
            return self._conditions_read("context")
        if field != "tool_input":
            return field not in {"session_id", "tool_use_id"}
        if not tool.arguments or not rest:
            return True
        uses = {argument.use for argument in tool.arguments if argument.pointer.split("/")[1] == rest[0]}
        return not uses or bool(uses & _READ) or rest[0] in set(self._inputs()) or self._conditions_read("call")

    def _inputs(self) -> Iterator[str]:
        for rule in self.policy.rules.rules:
            yield from (one.path[0] for one in rule.inputs if isinstance(one, InputMatcher))

    def _conditions_read(self, name: str) -> bool:
        return any(name in condition.reading.fields for condition in self.policy.rules.conditions)


@dataclass(frozen=True, slots=True)
class _Observed:
    """The readings of a call that were observed already, in their order, for the judgement that asks for them again."""

    facts: Iterator[Facts]

    def __call__(self, call: Call, policy: Policy, own: Own, today: date) -> tuple[Facts, None]:
        del call, policy, own, today
        return next(self.facts), None


def _surroundings_told(record: Record) -> bool:
    """Whether a record says where a call ran; an agent's may leave it out, where saying nothing was the strict side."""
    request = cast("dict[str, Any]", record.request)
    return request["cwd"] is not None or request["environment"]["workspace_roots"] is not None


def _after(record: Record, before: Side, outcome: Decision | Undecided) -> Side:
    if isinstance(outcome, Undecided):
        return before if record.code in _BY_MODEL else Side(MODEL, MODEL, ())
    rules = tuple(dict.fromkeys(finding.rule for finding in outcome.findings if finding.rule is not None))
    if record.code == Code.HUMAN_GRANT and outcome.verdict is Verdict.ASK:
        return before
    return Side(outcome.verdict.value, outcome.code.value, rules)


def _breaker(record: Record) -> Breaker:
    """The denials that had been counted; an open breaker's question is kept with the model's other verdicts."""
    told = cast("dict[str, Any]", record.answer).get("breaker")
    return Breaker() if told is None else Breaker(told["consecutive"], told["total"])
