"""A rule's examples, each tried against this rule alone: in ``/work/repo`` of ``/home/dev``, linux, bash, trusted.

An allow rule matches an example if it settles the whole call, with what is proven to need no rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from msgspec import structs

from lineclear.core.call import Agent, Call, Principal
from lineclear.core.modes import Mode
from lineclear.core.observe import observe
from lineclear.core.own import Own
from lineclear.core.paths.protected import Protections
from lineclear.core.policy import Policy
from lineclear.core.reasons import Code
from lineclear.core.rules.book import RuleBook
from lineclear.core.rules.paths import Touching
from lineclear.core.rules.rule import Effect
from lineclear.core.settle import settle
from lineclear.core.shell.examples import WORKSPACE
from lineclear.core.tools import Use
from lineclear.policyfiles.problems import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lineclear.core.call import JSON
    from lineclear.core.facts import Facts
    from lineclear.core.rules.rule import Rule
    from lineclear.core.tools import Argument, Tool
    from lineclear.policyfiles.long import WrittenRule
    from lineclear.policyfiles.node import Node
    from lineclear.policyfiles.vocabulary import Vocabulary

_HOST = "claude-code"
_KEYS = ("tool", "input", "principal", "agent", "mode", "cwd")
_NAMES = {Use.COMMAND: "Bash", Use.PATH_READ: "Read", Use.PATH_WRITE: "Edit", Use.URL: "WebFetch"}
_DAY = date(2000, 1, 1)


def faults(written: WrittenRule, vocabulary: Vocabulary) -> Iterator[Fault]:
    """A fault for each example that can't be read or doesn't come out as it says."""
    for nodes, expected in ((written.matching, True), (written.not_matching, False)):
        for node in nodes:
            try:
                fault = _fault(written.rule, node, vocabulary, expected=expected)
            except Fault as error:
                fault = error
            if fault is not None:
                yield fault.within(f"rule `{written.rule.id}`")


def _fault(rule: Rule, node: Node, vocabulary: Vocabulary, *, expected: bool) -> Fault | None:
    rule = _for_examples(rule, node)
    if _matches(rule, _call(rule, node, vocabulary), vocabulary) is expected:
        return None
    said = "should match and doesn't" if expected else "shouldn't match and does"
    return node.fault(f"the example `{node.plain()}` {said}; correct the rule or the example")


def _for_examples(rule: Rule, node: Node) -> Rule:
    """The rule without what an example doesn't speak of."""
    said = node.value if isinstance(node.value, Mapping) else {}
    return replace(
        rule,
        agent=rule.agent if "agent" in said else None,
        modes=rule.modes if "mode" in said else None,
        dry_run=False,
        expires=None,
    )


def _matches(rule: Rule, call: Call, vocabulary: Vocabulary) -> bool:
    alone = Policy(
        version="",
        rules=RuleBook((rule,), vocabulary.programs),
        catalogue=vocabulary.catalogue,
        programs=vocabulary.programs,
        protections=Protections(()),
    )
    facts: Facts = observe(call, alone, Own(), _DAY)
    match rule.effect:
        case Effect.DENY:
            return bool(alone.rules.denials(facts))
        case Effect.ASK:
            return bool(alone.rules.questions(facts))
        case Effect.ALLOW:
            settlement = settle(alone, facts)
            return settlement is not None and settlement.code is Code.ALLOW_RULE


def _call(rule: Rule, node: Node, vocabulary: Vocabulary) -> Call:
    if isinstance(node.value, str):
        tool, tool_input = _spelled(rule, node.value, node, vocabulary)
        return made(tool, tool_input, vocabulary)
    entries = node.mapping(_KEYS, "an example")
    if "tool" not in entries:
        raise node.fault("an example that is a mapping needs its `tool`, as a host names it")
    given = entries["input"].entries("`input`") if "input" in entries else {}
    plain = {key: value.plain() for key, value in given.items()}
    call = made(entries["tool"].text("`tool`"), plain, vocabulary)
    return _as_said(call, entries)


def _as_said(call: Call, entries: Mapping[str, Node]) -> Call:
    if (node := entries.get("principal")) is not None:
        said = node.mapping(("id", "groups"), "`principal`")
        groups = frozenset(text for text, _ in said["groups"].texts("`groups`")) if "groups" in said else frozenset()
        call = structs.replace(
            call, principal=Principal(said["id"].text("`id`") if "id" in said else call.principal.id, groups)
        )
    if (node := entries.get("agent")) is not None:
        said = node.mapping(("host", "type", "async"), "`agent`")
        agent = call.agent
        call = structs.replace(
            call,
            agent=Agent(
                host=said["host"].text("`host`") if "host" in said else agent.host,
                type=said["type"].text("`type`") if "type" in said else agent.type,
                is_async=said["async"].flag("`async`") if "async" in said else agent.is_async,
            ),
        )
    if (node := entries.get("mode")) is not None:
        call = structs.replace(call, mode=node.choice("`mode`", Mode))
    if (node := entries.get("cwd")) is not None:
        call = structs.replace(call, environment=replace(call.environment, cwd=node.text("`cwd`")))
    return call


def made(tool: str, tool_input: Mapping[str, JSON], vocabulary: Vocabulary) -> Call:
    """A call of a tool as examples make it."""
    host = _HOST if _HOST in vocabulary.catalogue.hosts and vocabulary.catalogue.resolve(tool, _HOST).known else None
    return Call(
        session_id="example",
        principal=Principal("test"),
        tool_name=tool,
        tool_input=tool_input,
        tool_use_id=None,
        mode=Mode.DEFAULT,
        environment=WORKSPACE,
        agent=Agent(host=host, type="main", is_async=False),
        allowed_tools=None,
        interactive=True,
        context={},
    )


def _spelled(rule: Rule, text: str, node: Node, vocabulary: Vocabulary) -> tuple[str, dict[str, JSON]]:
    """The tool and input of an example that is a text: a command, path or URL as the rule's matcher says, or a tool."""
    use = _use(rule)
    if use is None:
        return text, {}
    for tool in _candidates(rule, use, vocabulary):
        argument = next((one for one in tool.arguments if one.use is use and one.pointer.count("/") == 1), None)
        if argument is not None and "*" not in argument.pointer:
            return tool.name, _input(tool, argument, text)
    raise node.fault(
        f"rule `{rule.id}`: no tool takes the example `{text}`; write it as a mapping with `tool` and `input`"
    )


def _use(rule: Rule) -> Use | None:
    if rule.commands:
        return Use.COMMAND
    if rule.paths is not None:
        reads = rule.paths.access is Touching.READ or (
            rule.paths.access is Touching.ANY and rule.effect is not Effect.ALLOW
        )
        return Use.PATH_READ if reads else Use.PATH_WRITE
    return Use.URL if rule.domains else None


def _candidates(rule: Rule, use: Use, vocabulary: Vocabulary) -> list[Tool]:
    preferred = vocabulary.catalogue.resolve(_NAMES[use], _HOST if _HOST in vocabulary.catalogue.hosts else None)
    if not rule.tools:
        return [preferred]
    found = vocabulary.meant(rule.tools)
    return sorted(found, key=lambda tool: (tool.name != preferred.name, tool.host or "", tool.name))


def _input(tool: Tool, argument: Argument, text: str) -> dict[str, JSON]:
    required = {one.pointer[1:] for one in tool.arguments if one.required and one.pointer.count("/") == 1}
    return {**dict.fromkeys(sorted(required), "example"), argument.pointer[1:]: text}
