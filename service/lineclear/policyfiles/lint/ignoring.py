"""``lint``: findings that the authors know of and keep, each with a reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lineclear.policyfiles.lint.finding import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lineclear.policyfiles.node import Node
    from lineclear.policyfiles.problems import Problems
    from lineclear.policyfiles.sources import Source


@dataclass(frozen=True, slots=True)
class Ignored:
    """An entry: the kinds of findings about one subject that aren't told, and why."""

    subject: str
    kinds: tuple[Kind, ...]
    reason: str
    file: str
    line: int
    column: int


def ignored(sources: Iterable[Source], problems: Problems) -> list[Ignored]:
    """The entries of all files."""
    found = []
    for source in sources:
        if (section := source.entries.get("lint")) is None:
            continue
        with problems.of(source.file):
            entries = section.mapping(("ignore",), "`lint`")
            for node in entries["ignore"].items("`lint.ignore`") if "ignore" in entries else ():
                with problems.of(source.file):
                    found.append(_entry(node, source.file))
    return found


def _entry(node: Node, file: str) -> Ignored:
    entries = node.mapping(("id", "findings", "reason"), "an entry of `lint.ignore`")
    if set(entries) != {"id", "findings", "reason"}:
        raise node.fault("an entry of `lint.ignore` needs `id`, `findings` and `reason`")
    kinds = tuple(one.choice("a finding", Kind) for one in entries["findings"].items("`findings`"))
    if not kinds:
        raise entries["findings"].fault("`findings` is empty; name the codes that the lint prints in brackets")
    return Ignored(entries["id"].text("`id`"), kinds, entries["reason"].text("`reason`"), file, node.line, node.column)
