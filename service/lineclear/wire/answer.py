"""An answer as bytes, cut to what the caller's role may see."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import msgspec

from lineclear.core.call import Role

if TYPE_CHECKING:
    from lineclear.engine.decide import Answer

_ENCODER = msgspec.json.Encoder()


def encode(answer: Answer, role: Role) -> bytes:
    """The JSON of an answer. An ``agent`` learns no rule: of findings code and verdict, and no ``reason``."""
    return _ENCODER.encode(as_mapping(answer, role))


def as_mapping(answer: Answer, role: Role) -> dict[str, object]:
    """The same as a mapping."""
    fields = cast("dict[str, object]", answer.record.answer)
    if answer.replayed:
        fields = fields | {"replayed": True}
    if role is not Role.AGENT:
        return fields
    findings = cast("list[dict[str, object]]", fields["findings"])
    shown = [{"code": finding["code"], "verdict": finding["verdict"]} for finding in findings]
    classifier = cast("dict[str, object] | None", fields.get("classifier"))
    judged = None if classifier is None else classifier | {"rule": None}
    return fields | {"reason": None, "findings": shown, "dry_run": [], "classifier": judged}
