"""Recorded decisions decided again by another policy: which come out otherwise, and by which rule.

What a model or a person had said of a call is kept, where the other policy leaves it to them as well. Rows of which a
part that the decision rests on was redacted are told apart: what they show isn't exact.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, cast

from lineclear.core.breaker import Breaker
from lineclear.core.call import Key, Principal, Role
from lineclear.core.canonical import canonical
from lineclear.core.checks import Undecided
from lineclear.core.reasons import Code
from lineclear.core.rules.inputs import InputMatcher
from lineclear.core.tools import Use
from lineclear.core.verdict import Verdict
from lineclear.engine.judge import Past, judge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.core.call import Stated
    from lineclear.core.own import Own
    from lineclear.core.policy import Policy
    from lineclear.core.redact import Redacted
    from lineclear.engine.judge import Judgement
    from lineclear.engine.log import Record

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
class Replay:
    """Decides records again by one policy."""

    policy: Policy
    own: Own
    restated: Restated
    _judged: dict[object, Judgement] = field(default_factory=dict, repr=False)
    """What was made of calls that come again: agents repeat themselves."""

    def of(self, record: Record) -> Replayed:
        """What the policy makes of a record."""
        judgement = self._judgement(record)
        before = Side(record.verdict, record.code, record.rules)
        return Replayed(record, before, _after(record, before, judgement), exact=self._exact(record, judgement))

    def _judgement(self, record: Record) -> Judgement:
        request = cast("dict[str, Any]", record.request)
        now, breaker = record.decided_at, _breaker(record)
        alike = {name: value for name, value in request.items() if name not in _TELLS_APART}
        moment = None if self._conditions_read("now") or self._conditions_read("session") else now.date()
        mark = None if moment is None else (record.role, moment, breaker, canonical(alike))
        if mark is not None and (known := self._judged.get(mark)) is not None:
            return known
        principal = Principal(request["principal"]["id"], frozenset(request["principal"]["groups"]))
        key = Key(record.key_id, Role(record.role), principal)
        stated = self.restated(record.request)
        judgement = judge(stated, key, self.policy, self.own, now.date(), Past(breaker=breaker), now=now)
        if mark is not None and len(self._judged) < _MOST_KEPT:
            self._judged[mark] = judgement
        return judgement

    def _exact(self, record: Record, judgement: Judgement) -> bool:
        marks = cast("dict[str, Any]", record.redactions).get("request", [])
        return not marks or not any(self._reads(str(pointer), judgement) for pointer, *_ in marks)

    def _reads(self, pointer: str, judgement: Judgement) -> bool:
        """Whether a decision may rest on a place of the request."""
        _, field, *rest = pointer.split("/")
        if field == "context":
            return self._conditions_read("context")
        if field != "tool_input":
            return field not in {"session_id", "tool_use_id"}
        tool = judgement.facts.tool
        if not tool.arguments or not rest:
            return True
        uses = {argument.use for argument in tool.arguments if argument.pointer.split("/")[1] == rest[0]}
        return not uses or bool(uses & _READ) or rest[0] in set(self._inputs()) or self._conditions_read("call")

    def _inputs(self) -> Iterator[str]:
        for rule in self.policy.rules.rules:
            yield from (one.path[0] for one in rule.inputs if isinstance(one, InputMatcher))

    def _conditions_read(self, name: str) -> bool:
        return any(name in condition.reading.fields for condition in self.policy.rules.conditions)


def _after(record: Record, before: Side, judgement: Judgement) -> Side:
    outcome = judgement.outcome
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
