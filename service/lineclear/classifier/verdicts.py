"""A stage's answer: one JSON object of a known form. Whatever else a model writes is no verdict."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lineclear.core.hidden import visible
from lineclear.engine.classify import Stage, StageOutcome

if TYPE_CHECKING:
    from lineclear.core.call import JSON
    from lineclear.core.prose import Guidance

MAX_REASON = 300
"""Longest reason, in characters, that is kept of what a model wrote."""
_KEYS = frozenset({"verdict", "rule", "reason"})


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a stage said: ``ALLOW``, ``BLOCK``, ``UNSURE`` or ``UNPARSABLE``, with the rule and reason of a block."""

    outcome: StageOutcome
    rule: str | None = None
    reason: str | None = None


UNPARSABLE = Verdict(StageOutcome.UNPARSABLE)


def parsed(text: str, stage: Stage, guidance: Guidance) -> Verdict:
    """Read an answer. A block must rest on a rule that the policy has, and only the fast stage may be unsure."""
    try:
        answer = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return UNPARSABLE
    if not isinstance(answer, dict) or not answer.keys() <= _KEYS:
        return UNPARSABLE
    rule, reason = answer.get("rule"), answer.get("reason")
    if not isinstance(reason, str | None):
        return UNPARSABLE
    match answer.get("verdict"):
        case "allow" if rule is None:
            return Verdict(StageOutcome.ALLOW)
        case "unsure" if rule is None and stage is Stage.FAST:
            return Verdict(StageOutcome.UNSURE)
        case "block" if isinstance(rule, str) and rule in guidance.citable:
            return Verdict(StageOutcome.BLOCK, rule, _cleaned(reason))
        case _:
            return UNPARSABLE


def schema(stage: Stage, guidance: Guidance) -> dict[str, object]:
    """The same form as a JSON Schema, for servers that hold a model to one."""
    forms = [_form(verdict={"const": "allow"})]
    if stage is Stage.FAST:
        forms.append(_form(verdict={"const": "unsure"}))
    if guidance.citable:
        block: dict[str, object] = {
            "verdict": {"const": "block"},
            "rule": {"type": "string", "enum": sorted(guidance.citable)},
        }
        forms.append(_form(**block) if stage is Stage.FAST else _form(**block, reason={"type": "string"}))
    return {"anyOf": forms}


def _form(**properties: object) -> dict[str, object]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _once(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    """An object whose keys are all different: of two verdicts in one answer neither counts."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _cleaned(reason: str | None) -> str | None:
    if reason is None:
        return None
    flat = " ".join(visible(reason).split())
    return (flat if len(flat) <= MAX_REASON else flat[: MAX_REASON - 1] + "…") or None
