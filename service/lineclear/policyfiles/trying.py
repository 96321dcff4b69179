"""Case files are tried against a folder of policies: each case decided without a service, a database or a model."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from lineclear.core.call import Key, Role
from lineclear.core.checks import Undecided, unclassified
from lineclear.core.own import Own
from lineclear.core.reasons import Code
from lineclear.engine.judge import judge
from lineclear.policyfiles import sources
from lineclear.policyfiles.compiling import Beneath, examined
from lineclear.policyfiles.coverage import Coverage
from lineclear.policyfiles.lint.run import lint
from lineclear.policyfiles.problems import Fault, PolicyError
from lineclear.wire.errors import Malformed
from lineclear.wire.request import from_mapping

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from lineclear.core.call import JSON
    from lineclear.core.decision import Decision
    from lineclear.core.policy import Policy
    from lineclear.policyfiles.cases import Case, Expected
    from lineclear.policyfiles.compiling import Compiled

_NO_MODEL = "no model is asked in a test of policies"


@dataclass(frozen=True, slots=True)
class Tried:
    """A case and what came of it, both sides as they are printed."""

    case: Case
    passed: bool
    expected: JSON
    got: JSON

    def as_json(self) -> dict[str, JSON]:
        """The case in a report."""
        return {
            "id": self.case.id,
            "title": self.case.title,
            "passed": self.passed,
            "expected": self.expected,
            "got": self.got,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """What came of all cases, in their order, and which rules of the folder they matched."""

    tried: tuple[Tried, ...]
    coverage: Coverage

    @property
    def failed(self) -> tuple[Tried, ...]:
        """Those that didn't come out as expected."""
        return tuple(one for one in self.tried if not one.passed)

    def as_json(self) -> dict[str, JSON]:
        """The report as ``--output json`` prints it."""
        cases: list[JSON] = [one.as_json() for one in self.tried]
        return {
            "passed": len(self.tried) - len(self.failed),
            "failed": len(self.failed),
            "cases": cases,
            "coverage": self.coverage.as_json(),
        }


@dataclass(slots=True)
class Bench:
    """A folder of policies, read once, on which cases are tried.

    ``own`` is what of the machine counts as Lineclear itself; by default its usual address and data folders.
    """

    folder: Path
    builtin: Path
    own: Own = field(default_factory=Own)
    _beneath: Beneath = field(init=False)
    _found: Compiled = field(init=False)

    def __post_init__(self) -> None:
        """Raise ``PolicyError`` if the folder itself can't be loaded."""
        self._beneath = Beneath.read(self.builtin)
        self._found = examined(self._beneath, sources.organisation(self.folder))

    def run(self, cases: Iterable[Case]) -> Report:
        """Try some cases."""
        coverage = Coverage(self._found)
        return Report(tuple(self._tried(case, coverage) for case in cases), coverage)

    def _tried(self, case: Case, coverage: Coverage) -> Tried:
        expected = _expected(case)
        try:
            found = self._found_for(case)
        except PolicyError as error:
            passed = case.refused and all(word in str(error) for word in case.words)
            return Tried(case, passed, expected, {"error": str(error)})
        if case.refused:
            return Tried(case, passed=False, expected=expected, got={"error": None})
        if case.expected is None:
            return _linted(case, found)
        try:
            decision = self._decided(case, found.policy, coverage)
        except Malformed as error:
            return Tried(case, passed=False, expected=expected, got={"error": str(error)})
        rule = decision.primary.rule
        got: dict[str, JSON] = {"verdict": decision.verdict.value, "code": decision.code.value, "rule": rule}
        return Tried(case, _fits(case.expected, decision), expected, got)

    def policy_of(self, case: Case) -> Policy:
        """The policy that a case is about: its own, or the folder's. Raises ``PolicyError``."""
        return self._found_for(case).policy

    def _found_for(self, case: Case) -> Compiled:
        if case.policy is None:
            return self._found
        if isinstance(case.policy, str):
            return examined(self._beneath, (sources.of_text(case.policy, case.file),))
        try:
            return examined(self._beneath, (sources.of_node(case.policy, case.file),))
        except Fault as fault:
            raise PolicyError([fault.of(case.file)]) from fault

    def _decided(self, case: Case, policy: Policy, coverage: Coverage) -> Decision:
        key = Key("case", Role.HOST, case.principal)
        today = datetime.now(UTC).date()
        judgement = judge(from_mapping(case.request), key, policy, self.own, today)
        coverage.add(judgement.facts, policy)
        outcome = judgement.outcome
        if isinstance(outcome, Undecided):
            return unclassified(policy, outcome, Code.CLASSIFIER_UNAVAILABLE, _NO_MODEL)
        return outcome


def _expected(case: Case) -> JSON:
    if case.expected is not None:
        return _shown(case.expected)
    return {"error" if case.refused else "lint": list(case.words)}


def _linted(case: Case, found: Compiled) -> Tried:
    told: list[JSON] = [str(finding) for finding in lint(found, datetime.now(UTC).date())]
    passed = bool(told) and all(any(word in str(line) for line in told) for word in case.words)
    return Tried(case, passed, _expected(case), {"lint": told})


def _fits(expected: Expected, decision: Decision) -> bool:
    rule = decision.primary.rule or ""
    return (
        decision.verdict.value in expected.verdicts
        and (not expected.codes or decision.code.value in expected.codes)
        and (not expected.rules or any(rule in {name, f"organisation:{name}"} for name in expected.rules))
    )


def _shown(expected: Expected) -> dict[str, JSON]:
    shown = {"verdict": expected.verdicts, "code": expected.codes, "rule": expected.rules}
    return {key: values[0] if len(values) == 1 else list(values) for key, values in shown.items() if values}
