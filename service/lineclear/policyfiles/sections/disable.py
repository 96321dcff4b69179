"""``disable``: built-in rules and protected paths that the organisation takes out, each with its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lineclear.core.rules.rule import Layer
from lineclear.policyfiles.node import nearest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from lineclear.policyfiles.node import Node
    from lineclear.policyfiles.problems import Problems
    from lineclear.policyfiles.sources import Source


def disabled(sources: Iterable[Source], known: Collection[str], problems: Problems) -> frozenset[str]:
    """The ids that are taken out; ``known`` are those of the built-in layer."""
    found: dict[str, str] = {}
    for source in sources:
        if (section := source.entries.get("disable")) is None:
            continue
        with problems.of(source.file):
            if source.layer is not Layer.ORGANISATION:
                raise section.fault("only the organisation may use `disable`; remove the entry itself")
            for node in section.items("`disable`"):
                with problems.of(source.file):
                    found |= _entry(node, known, found)
    return frozenset(found)


def _entry(node: Node, known: Collection[str], earlier: Collection[str]) -> dict[str, str]:
    entries = node.mapping(("id", "reason"), "an entry of `disable`")
    if set(entries) != {"id", "reason"}:
        raise node.fault("an entry of `disable` needs both `id` and `reason`")
    name = entries["id"].text("`id`")
    if name in earlier:
        raise entries["id"].fault(f"`{name}` is disabled twice; keep one of them")
    if name not in known:
        near = nearest(name, known)
        hint = f"did you mean `{near}`" if near else "the organisation's own rules are changed where they stand"
        raise entries["id"].fault(f"nothing built in has the id `{name}`; {hint}")
    return {name: entries["reason"].text("`reason`")}
