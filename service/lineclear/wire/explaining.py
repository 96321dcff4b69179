"""An explanation as JSON, redacted: the decision's own fields, and its ``trace``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import msgspec

from lineclear.core.call import Key, Principal, Role
from lineclear.core.redact import redact
from lineclear.core.tracing.rules import Reach
from lineclear.engine.explain import as_record
from lineclear.wire.errors import Malformed, Problem
from lineclear.wire.form import JsonForm
from lineclear.wire.names import MAX_NAME
from lineclear.wire.reading import read
from lineclear.wire.request import RequestWire

if TYPE_CHECKING:
    from datetime import datetime

    from lineclear.core.call import JSON
    from lineclear.core.decision import Finding
    from lineclear.core.policy import Policy
    from lineclear.core.tracing.rules import RuleTrace
    from lineclear.core.tracing.trace import CheckTrace, CommandTrace, TouchTrace, Trace
    from lineclear.engine.explain import Explained

MOST_RULES = 200
"""So many rules are told of one by one; of the others their number is."""

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_NAME)]


class PrincipalWire(msgspec.Struct):
    """For whom a call is explained."""

    id: Name = "test"
    groups: list[Name] = []


class ExplainWire(RequestWire):
    """A decision request, and whose key would have sent it."""

    principal: PrincipalWire = msgspec.field(default_factory=PrincipalWire)
    role: Role = Role.HOST


_DECODER = msgspec.json.Decoder(ExplainWire)


def caller(body: bytes) -> Key:
    """The key in whose place a call is explained. Raises ``Malformed``."""
    wanted = read(_DECODER, body)
    if wanted.role not in {Role.HOST, Role.AGENT}:
        raise Malformed([Problem("/role", "invalid", "only a `host` or an `agent` has calls decided")])
    return Key("explain", wanted.role, Principal(wanted.principal.id, frozenset(wanted.principal.groups)))


def encoded(explained: Explained, key: Key, policy: Policy, now: datetime) -> dict[str, JSON]:
    """The whole explanation: what the answer would be, without an id since nothing is recorded, and the trace."""
    record = as_record(explained, key, policy, now, JsonForm())
    answer = cast("dict[str, JSON]", record.answer)
    unset: dict[str, JSON] = dict.fromkeys(("decision_id", "input_sha256", "duration_ms"))
    return answer | unset | {"trace": shown(explained.trace)}


def shown(trace: Trace) -> dict[str, JSON]:
    """The trace, redacted. What isn't about the call's tool is counted, not listed."""
    near = [one for one in trace.rules if one.reach is not Reach.ELSEWHERE]
    told: JSON = {
        "tool": _tool(trace),
        "checks": [_check(check) for check in trace.checks],
        "parts": {
            "doubt": trace.facts.effects.doubt,
            "covered_by": trace.whole,
            "commands": [_command(one) for one in trace.commands],
            "paths": [_touch(one) for one in trace.touches],
            "hosts": [host.url for host in trace.hosts],
        },
        "rules": [_rule(one) for one in near[:MOST_RULES]],
        "rules_left_out": len(trace.rules) - len(near[:MOST_RULES]),
    }
    redacted, _ = redact(told)
    return cast("dict[str, JSON]", redacted)


def _tool(trace: Trace) -> JSON:
    tool = trace.facts.tool
    return {"name": tool.name, "kind": tool.kind, "source": tool.source, "host": tool.host}


def _check(check: CheckTrace) -> JSON:
    return {
        "number": check.number,
        "title": check.title,
        "state": check.state,
        "findings": [_finding(finding) for finding in check.findings],
    }


def _finding(finding: Finding) -> JSON:
    return {
        "code": finding.code,
        "verdict": finding.verdict.value,
        "rule": finding.rule,
        "source": finding.source,
        "part": finding.part,
        "reason": finding.reason,
    }


def _command(one: CommandTrace) -> JSON:
    command = one.command
    return {
        "text": command.text,
        "words": [word.shape if word.literal else None for word in command.words],
        "directory": command.cwd,
        "run_by": command.wrapper,
        "proof": command.proof.value,
        "why": command.why,
        "covered_by": one.rule,
    }


def _touch(one: TouchTrace) -> JSON:
    touch, place = one.touch, one.touch.place
    return {
        "text": touch.spelled,
        "path": None if place is None else place.lexical,
        "real_path": None if place is None else place.real,
        "deed": touch.deed,
        "recursive": touch.recursive,
        "command": touch.by,
        "inside_workspace": one.inside,
        "covered_by": one.rule,
    }


def _rule(one: RuleTrace) -> JSON:
    return {
        "rule": one.rule.name,
        "effect": one.rule.effect,
        "source": str(one.rule.origin),
        "reach": one.reach,
        "why": one.why,
        "parts": list(one.parts),
    }
