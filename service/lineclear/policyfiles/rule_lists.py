"""All rules of all files, in both spellings; every id once in its layer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lineclear.core.rules.faults import RuleFault
from lineclear.core.rules.rule import Effect, Layer, Origin
from lineclear.policyfiles import long, short
from lineclear.policyfiles.long import WrittenRule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lineclear.core.rules.rule import Rule
    from lineclear.policyfiles.node import Node
    from lineclear.policyfiles.problems import Problems
    from lineclear.policyfiles.sources import Source
    from lineclear.policyfiles.vocabulary import Vocabulary


def rules(sources: Sequence[Source], vocabulary: Vocabulary, problems: Problems) -> list[WrittenRule]:
    """The rules of some files, built-in ones first."""
    written = [*_long(sources, vocabulary, problems), *_short(sources, vocabulary, problems)]
    _check_ids(written, problems)
    return written


def _long(sources: Iterable[Source], vocabulary: Vocabulary, problems: Problems) -> Iterator[WrittenRule]:
    for source in sources:
        if (section := source.entries.get("rules")) is None:
            continue
        with problems.of(source.file):
            for node in section.items("`rules`"):
                with problems.of(source.file):
                    yield _of_team(long.rule(node, source.layer, source.file, vocabulary), source)


def _short(sources: Iterable[Source], vocabulary: Vocabulary, problems: Problems) -> Iterator[WrittenRule]:
    for source in sources:
        if (section := source.entries.get("permissions")) is None:
            continue
        with problems.of(source.file):
            for effect, listed in section.mapping(tuple(Effect), "`permissions`").items():
                for node in listed.items(f"`permissions.{effect}`"):
                    with problems.of(source.file):
                        written = WrittenRule(_short_rule(node, Effect(effect), source, vocabulary), node)
                        yield _of_team(written, source)


def _short_rule(node: Node, effect: Effect, source: Source, vocabulary: Vocabulary) -> Rule:
    origin = Origin(source.file, node.line, node.column)
    try:
        return short.rule(node.text("a short rule"), effect, source.layer, origin, vocabulary)
    except RuleFault as error:
        raise node.fault(str(error)) from error


def _of_team(written: WrittenRule, source: Source) -> WrittenRule:
    if source.audience is None:
        return written
    return replace(written, rule=replace(written.rule, audience=source.audience))


def _check_ids(written: Iterable[WrittenRule], problems: Problems) -> None:
    seen: dict[tuple[Layer, str], Origin] = {}
    for one in written:
        rule = one.rule
        with problems.of(rule.origin.file):
            earlier = seen.setdefault((rule.layer, rule.id), rule.origin)
            if earlier is not rule.origin:
                raise one.node.fault(f"rule `{rule.id}` stands here and in {earlier}; ids are unique, keep one of them")
            if rule.layer is not Layer.BUILTIN and (Layer.BUILTIN, rule.id) in seen:
                advice = "take that one out with `disable` and give this one an id of its own"
                raise one.node.fault(f"rule `{rule.id}` has the id of a built-in rule; {advice}")
