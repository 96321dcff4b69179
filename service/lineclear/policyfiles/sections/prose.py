"""``classifier``: what the policy tells the model, in four lists that all layers add to.

The same id in a higher layer replaces the entry below; of the settings beside the lists the highest layer's count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from lineclear.core.prose import FastBlock, Guidance, ProseRule
from lineclear.core.verdict import Verdict
from lineclear.policyfiles import teams

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lineclear.core.rules.rule import Layer
    from lineclear.policyfiles.node import Node
    from lineclear.policyfiles.problems import Problems
    from lineclear.policyfiles.sources import Source

LISTS = ("environment", "allow", "soft_block", "hard_block")
SETTINGS = ("on_block", "on_unavailable", "fast_block", "recent_calls")


class _Answer(StrEnum):
    ASK = "ask"
    DENY = "deny"


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an id or a setting was written last: another one of the same layer contradicts it."""

    file: str
    line: int
    layer: Layer


def guidance(sources: Sequence[Source], problems: Problems) -> Guidance:
    """The sections of all files as one value; sources come in the order of their layers."""
    lists: dict[str, dict[str, ProseRule]] = {name: {} for name in LISTS}
    places: dict[str, _Place] = {}
    found = Guidance()
    for source in sources:
        if (section := source.entries.get("classifier")) is None:
            continue
        with problems.of(source.file):
            known = (*LISTS, *SETTINGS) if source.team is None else teams.CLASSIFIER
            for key, node in section.mapping(known, "`classifier`").items():
                with problems.of(source.file):
                    if key in lists:
                        _extend(lists, key, node, source, problems, places)
                    else:
                        _claim(f"classifier.{key}", node, source, places)
                        found = _told(found, key, node)
    return replace(
        found,
        environment=tuple(lists["environment"].values()),
        allow=tuple(lists["allow"].values()),
        soft_block=tuple(lists["soft_block"].values()),
        hard_block=tuple(lists["hard_block"].values()),
    )


def _extend(
    lists: dict[str, dict[str, ProseRule]],
    name: str,
    node: Node,
    source: Source,
    problems: Problems,
    places: dict[str, _Place],
) -> None:
    for item in node.items(f"`classifier.{name}`"):
        with problems.of(source.file):
            rule = replace(_rule(item, f"an entry of `classifier.{name}`"), audience=source.audience)
            if source.team is not None and rule.id in places:
                raise item.fault(f"`{rule.id}` is taken already, and a team replaces nothing; choose another id")
            _claim(rule.id, item, source, places)
            if any(rule.id in rules for other, rules in lists.items() if other != name):
                raise item.fault(f"`{rule.id}` stands in another list below; an entry keeps its list")
            lists[name][rule.id] = rule


def _claim(name: str, node: Node, source: Source, places: dict[str, _Place]) -> None:
    earlier = places.get(name)
    if earlier is not None and earlier.layer is source.layer:
        raise node.fault(f"`{name}` is set here and in {earlier.file}:{earlier.line}; keep one of them")
    places[name] = _Place(source.file, node.line, source.layer)


def _rule(node: Node, what: str) -> ProseRule:
    entries = node.mapping(("id", "text", "examples"), what)
    if not {"id", "text"} <= set(entries):
        raise node.fault(f"{what} needs both `id` and `text`")
    examples = entries["examples"].mapping(("match", "no_match"), "`examples`") if "examples" in entries else {}
    return ProseRule(
        entries["id"].text("`id`"),
        _flat(entries["text"]),
        _examples(examples, "match"),
        _examples(examples, "no_match"),
    )


def _examples(entries: Mapping[str, Node], side: str) -> tuple[str, ...]:
    return tuple(_flat(node) for node in entries[side].items(f"`{side}`")) if side in entries else ()


def _flat(node: Node) -> str:
    """A text as one line, so that the same words are the same policy however they are laid out."""
    return " ".join(node.text("a text for the classifier").split())


def _told(found: Guidance, key: str, node: Node) -> Guidance:
    what = f"`classifier.{key}`"
    match key:
        case "on_block":
            return replace(found, on_block=Verdict(node.choice(what, _Answer).value))
        case "on_unavailable":
            return replace(found, on_unavailable=Verdict(node.choice(what, _Answer).value))
        case "fast_block":
            return replace(found, fast_block=node.choice(what, FastBlock))
        case _:
            return replace(found, recent_calls=node.count(what))
