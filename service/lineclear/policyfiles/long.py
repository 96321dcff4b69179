"""The long spelling of a rule: matchers joined by *and*, the lists inside by *or*."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING

from lineclear.core.conditions.condition import Condition
from lineclear.core.modes import Mode
from lineclear.core.rules.faults import RuleFault
from lineclear.core.rules.paths import PathMatcher, Touching
from lineclear.core.rules.rule import Effect, Layer, Origin, Rule
from lineclear.core.rules.selectors import Selector
from lineclear.core.tools import Kind
from lineclear.policyfiles import matchers
from lineclear.policyfiles.problems import Fault

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lineclear.core.rules.commands import CommandPattern
    from lineclear.core.rules.inputs import InputMatcher
    from lineclear.policyfiles.node import Node
    from lineclear.policyfiles.vocabulary import Vocabulary

_MATCHERS = ("tools", "command", "path", "domain", "input")
KEYS = (
    "id", "effect", *_MATCHERS, "access", "absent", "when", "agent", "modes", "examples", "reason", "agent_message",
    "dry_run", "expires",
)  # fmt: skip
"""Every key of a rule."""

_SHELL = Selector("shell tools", kinds=frozenset({Kind.SHELL}))
_FETCH = Selector("fetch tools", kinds=frozenset({Kind.FETCH}))


class _Absent(StrEnum):
    MATCH = "match"


@dataclass(frozen=True, slots=True)
class WrittenRule:
    """A rule as it was written: with its examples, which are tried when the policy is complete."""

    rule: Rule
    node: Node
    matching: tuple[Node, ...] = ()
    not_matching: tuple[Node, ...] = ()


def rule(node: Node, layer: Layer, file: str, vocabulary: Vocabulary) -> WrittenRule:
    """The rule of a mapping. Raises ``Fault``, which names the rule."""
    entries = node.entries("a rule")
    if "id" not in entries:
        raise node.fault("a rule needs an `id`, by which decisions name it")
    name = entries["id"].text("the `id` of a rule")
    try:
        return _Long(node, name, layer, file, vocabulary).written()
    except Fault as error:
        raise error.within(f"rule `{name}`") from error


class _Long:
    def __init__(self, node: Node, name: str, layer: Layer, file: str, vocabulary: Vocabulary) -> None:
        self._node = node
        self._name = name
        self._layer = layer
        self._file = file
        self._vocabulary = vocabulary
        self._entries: Mapping[str, Node] = node.mapping(KEYS, "a rule")
        if "effect" not in self._entries:
            raise node.fault("`effect` is missing; there are `allow`, `ask`, `deny`")
        self._effect = self._entries["effect"].choice("`effect`", Effect)
        self._strict = self._effect is Effect.ALLOW

    def written(self) -> WrittenRule:
        self._check_keys()
        place = self._entries["id"]
        selectors = self._selectors()
        rule = Rule(
            id=self._name,
            effect=self._effect,
            layer=self._layer,
            origin=Origin(self._file, place.line, place.column),
            tools=selectors,
            commands=self._commands(),
            paths=self._paths(),
            domains=matchers.domains(node, strict=self._strict) if (node := self._entries.get("domain")) else (),
            inputs=self._inputs(selectors),
            agent=matchers.agent(node) if (node := self._entries.get("agent")) else None,
            modes=self._modes(),
            reason=self._text("reason"),
            agent_message=self._text("agent_message"),
            dry_run=node.flag("`dry_run`") if (node := self._entries.get("dry_run")) else False,
            expires=self._expires(),
            when=self._condition(),
        )
        return self._with_examples(rule)

    def _check_keys(self) -> None:
        entries, node = self._entries, self._node
        if not any(key in entries for key in _MATCHERS):
            raise node.fault(f"at least one of {', '.join(f'`{key}`' for key in _MATCHERS)} is needed")
        if self._effect is Effect.DENY:
            for key in ("agent", "modes", "expires"):
                if key in entries:
                    why = "a denial holds until it is removed" if key == "expires" else "a caller may set it freely"
                    raise node.key_fault(key, f"a deny rule can't depend on `{key}`: {why}")
        if "access" in entries and "path" not in entries:
            raise node.key_fault("access", "`access` says how a `path` is touched; this rule has none")
        if "absent" in entries and ("input" not in entries or self._strict):
            raise node.key_fault("absent", "`absent: match` belongs to the `input` of a deny or ask rule")

    def _selectors(self) -> tuple[Selector, ...]:
        if (node := self._entries.get("tools")) is not None:
            return matchers.tools(node, self._vocabulary, strict=self._strict)
        if not self._strict:
            return ()
        if "command" in self._entries:
            return (_SHELL,)
        if "domain" in self._entries:
            return (_FETCH,)
        if "path" not in self._entries:
            raise self._node.key_fault("input", "an allow rule that goes by `input` must name its `tools`")
        return ()

    def _commands(self) -> tuple[CommandPattern, ...]:
        node = self._entries.get("command")
        return () if node is None else matchers.commands(node, self._vocabulary.programs, strict=self._strict)

    def _paths(self) -> PathMatcher | None:
        node = self._entries.get("path")
        if node is None:
            return None
        access = self._entries.get("access")
        return PathMatcher(matchers.paths(node), access.choice("`access`", Touching) if access else Touching.ANY)

    def _inputs(self, selectors: tuple[Selector, ...]) -> tuple[InputMatcher, ...]:
        node = self._entries.get("input")
        if node is None:
            return ()
        absent = self._entries.get("absent")
        if absent is not None:
            absent.choice("`absent`", _Absent)
        return matchers.inputs(node, selectors, self._vocabulary, strict=self._strict, absent=absent is not None)

    def _modes(self) -> frozenset[str] | None:
        node = self._entries.get("modes")
        if node is None:
            return None
        if not node.items("`modes`"):
            raise node.fault("`modes` is an empty list, which means nothing; leave the key out")
        return frozenset(item.choice("a mode", Mode) for item in node.items("`modes`"))

    def _expires(self) -> date | None:
        node = self._entries.get("expires")
        if node is None:
            return None
        try:
            return date.fromisoformat(node.text("`expires`"))
        except ValueError as error:
            raise node.fault("`expires` must be a day like `2026-12-31`; the rule holds until its end, UTC") from error

    def _condition(self) -> Condition | None:
        node = self._entries.get("when")
        if node is None:
            return None
        try:
            return Condition.of(node.text("`when`"), self._vocabulary.data)
        except RuleFault as error:
            raise node.fault(f"`when`: {error}") from error

    def _text(self, key: str) -> str | None:
        node = self._entries.get(key)
        return None if node is None else node.text(f"`{key}`")

    def _with_examples(self, rule: Rule) -> WrittenRule:
        node = self._entries.get("examples")
        entries = {} if node is None else node.mapping(("match", "no_match"), "`examples`")
        match, no_match = (entries[key].items(f"`{key}`") if key in entries else () for key in ("match", "no_match"))
        if self._layer is Layer.BUILTIN and not (match and no_match):
            raise self._node.fault("a built-in rule needs examples of both kinds, `match` and `no_match`")
        return WrittenRule(rule, self._node, match, no_match)
