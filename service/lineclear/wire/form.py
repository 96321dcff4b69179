"""How calls and decisions look as JSON, before redaction: the engine's ``Form``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from lineclear.core.call import Agent, Call, Dialect, Environment, Platform, Principal
from lineclear.core.modes import Mode
from lineclear.core.reasons import NO_OBJECTION
from lineclear.core.settle import proven_read_only
from lineclear.core.standing import Shown
from lineclear.core.verdict import Verdict

if TYPE_CHECKING:
    from lineclear.core.breaker import Breaker
    from lineclear.core.call import JSON
    from lineclear.core.decision import Finding
    from lineclear.core.facts import Facts
    from lineclear.core.redact import Redacted
    from lineclear.engine.classify import Judged
    from lineclear.engine.record import Decided

RESULT_END_CHARS = 3000
"""Characters that a model gets of either end of a long result, as KinetAios does it."""


class JsonForm:
    """The translation that the service uses."""

    def request(self, call: Call) -> JSON:
        """What is kept of a believed call."""
        environment, agent = call.environment, call.agent
        return {
            "session_id": call.session_id,
            "tool_use_id": call.tool_use_id,
            "tool_name": call.tool_name,
            "tool_input": call.tool_input,
            "permission_mode": call.mode,
            "cwd": environment.cwd,
            "environment": {
                "workspace_roots": environment.roots,
                "home": environment.home,
                "platform": environment.platform,
                "shell": environment.dialect,
                "resolved_paths": environment.real_paths,
                "repository_trusted": environment.repository_trusted,
            },
            "agent": {"host": agent.host, "id": agent.id, "type": agent.type, "is_async": agent.is_async},
            "allowed_tools": call.allowed_tools,
            "interactive": call.interactive,
            "context": call.context,
            "principal": {"id": call.principal.id, "groups": sorted(call.principal.groups)},
        }

    def recalled(self, request: Redacted) -> Call:
        """The call that was kept as this, with its secrets missing."""
        kept = cast("dict[str, Any]", request)
        environment, agent, principal = kept["environment"], kept["agent"], kept["principal"]
        roots, allowed = environment["workspace_roots"], kept["allowed_tools"]
        return Call(
            session_id=kept["session_id"],
            principal=Principal(principal["id"], frozenset(principal["groups"])),
            tool_name=kept["tool_name"],
            tool_input=kept["tool_input"],
            tool_use_id=kept["tool_use_id"],
            mode=Mode(kept["permission_mode"]),
            environment=Environment(
                cwd=kept["cwd"],
                roots=None if roots is None else tuple(roots),
                home=environment["home"],
                platform=Platform(environment["platform"]),
                dialect=Dialect(environment["shell"]),
                real_paths=environment["resolved_paths"],
                repository_trusted=environment["repository_trusted"],
            ),
            agent=Agent(agent["host"], agent["id"], agent["type"], agent["is_async"]),
            allowed_tools=None if allowed is None else tuple(allowed),
            interactive=kept["interactive"],
            context=kept["context"],
        )

    def questions(self, answer: Redacted) -> frozenset[Shown]:
        """The questions that a person is shown of a kept answer."""
        findings = cast("dict[str, Any]", answer)["findings"]
        return frozenset(Shown(found["code"], found["rule"], found["part"]) for found in findings)

    def answer(self, decided: Decided) -> JSON:
        """The full answer, as an operator may see it once it is redacted."""
        decision = decided.decision
        return {
            "decision_id": str(decided.id),
            "verdict": decision.verdict.value,
            "code": decision.code,
            "reason": decided.texts.reason,
            "agent_message": decided.texts.agent_message,
            "next": decided.texts.next,
            "mode": decision.mode,
            "downgraded_from": None if decision.downgraded_from is None else decision.downgraded_from.value,
            "objection": decision.enforced
            and decision.verdict is not Verdict.ALLOW
            and decision.code not in NO_OBJECTION,
            "enforced": decision.enforced,
            "findings": [_finding(finding) for finding in decision.findings],
            "dry_run": [_finding(finding) for finding in decision.trials],
            "classifier": None if decided.judged is None else _judged(decided.judged),
            "breaker": None if decided.breaker is None else breaker(decided.breaker),
            "approval": _approval(decided),
            "obligations": _obligations(decided.facts),
            "policy_version": decided.policy_version,
            "input_sha256": decided.input_sha256,
            "ignored_workspace_roots": list(decided.ignored_roots),
            "replayed": False,
            "duration_ms": round(decided.duration_ms, 3),
        }


def _finding(finding: Finding) -> JSON:
    return {
        "code": finding.code,
        "verdict": finding.verdict.value,
        "rule": finding.rule,
        "layer": finding.layer,
        "source": finding.source,
        "part": finding.part,
    }


def breaker(state: Breaker) -> dict[str, JSON]:
    """A session's breaker, as answers and sessions show it."""
    return {
        "state": "open" if state.open else "closed",
        "consecutive": state.consecutive,
        "total": state.total,
        "opened_by": state.opened_by,
    }


def _judged(judged: Judged) -> JSON:
    return {
        "stage": judged.stage,
        "outcome": judged.result,
        "rule": judged.rule,
        "stages": [
            {
                "stage": report.stage,
                "outcome": report.outcome,
                "model": report.model,
                "duration_ms": round(report.duration_ms, 1),
                "input_tokens": report.input_tokens,
                "output_tokens": report.output_tokens,
            }
            for report in judged.stages
        ],
    }


def _approval(decided: Decided) -> JSON:
    if decided.expires_at is None:
        return None
    return {"state": "held" if decided.decision.held else "pending", "expires_at": decided.expires_at.isoformat()}


def _obligations(facts: Facts) -> JSON:
    limit = facts.tool.flags.max_result_chars
    end = None if limit is None else min(RESULT_END_CHARS, limit // 2)
    return {
        "concurrency_safe": facts.tool.flags.concurrency_safe or proven_read_only(facts),
        "max_result_chars": limit,
        "result_head_chars": end,
        "result_tail_chars": end,
    }
