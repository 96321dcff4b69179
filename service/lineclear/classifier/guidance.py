"""The policy's four lists as text for a model: the part of the prefix that the security team writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lineclear.core.prose import Guidance, ProseRule

_NOTHING_TRUSTED = "(empty: nothing beyond this machine and the workspace counts as the user's own)"
_NONE = "(empty)"


def guidance_text(guidance: Guidance) -> str:
    """The lists in their order; the same text for the same content, so that it caches."""
    sections = (
        ("environment: what is trusted", guidance.environment, _NOTHING_TRUSTED),
        ("allow: exceptions", guidance.allow, _NONE),
        ("soft_block: blocked unless cleared by an exception or by consent", guidance.soft_block, _NONE),
        ("hard_block: blocked, and nothing clears it", guidance.hard_block, _NONE),
    )
    lines = ["# The policy"]
    for title, rules, empty in sections:
        lines += ["", f"## {title}", ""]
        lines += list(_lines(rules)) or [empty]
    return "\n".join(lines) + "\n"


def _lines(rules: Sequence[ProseRule]) -> Iterator[str]:
    for rule in sorted(rules, key=lambda rule: rule.id):
        yield f"- id `{rule.id}`: {rule.text}"
        for example in rule.match:
            yield f"  - met by: {example}"
        for example in rule.no_match:
            yield f"  - not met by: {example}"
