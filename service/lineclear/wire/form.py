"""How calls and decisions look as JSON, before redaction: the engine's ``Form``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.settle import proven_read_only
from lineclear.core.verdict import Verdict

if TYPE_CHECKING:
    from lineclear.core.call import JSON, Call
    from lineclear.core.decision import Finding
    from lineclear.core.facts import Facts
    from lineclear.engine.record import Decided

RESULT_END_CHARS = 3000
"""Characters that a model gets of either end of a long result, as KinetAios does it."""
_NO_OBJECTION = frozenset({"default_mode", "dont_ask_mode"})


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
            "objection": decision.verdict is not Verdict.ALLOW and decision.code not in _NO_OBJECTION,
            "enforced": decision.enforced,
            "findings": [_finding(finding) for finding in decision.findings],
            "classifier": None,
            "breaker": None,
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
