from __future__ import annotations

import pytest

from lineclear.core.rules.globs import Glob
from lineclear.core.rules.inputs import InputMatcher, NameMatcher
from lineclear.core.tools import Argument, Source, Tool, Use

TOOL = Tool("mcp__pg__query", Source.MCP)


def holds(key, wanted, tool_input, *, strict=False, absent=False):
    values = [Glob.of(one) if isinstance(one, str) else one for one in wanted]
    return InputMatcher.of(key, values, absent=absent).holds(TOOL, tool_input, strict=strict)


BOTH = {
    "pointer": ("/connection/database", ["prod*"], {"connection": {"database": "prod1"}}),
    "top-level key": ("database", ["prod*"], {"database": "prod1"}),
    "any of several values": ("env", ["a", "b"], {"env": "b"}),
    "number": ("limit", [10], {"limit": 10}),
    "boolean": ("dry_run", [True], {"dry_run": True}),
    "null, absent": ("filter", [None], {}),
    "null, there": ("filter", [None], {"filter": None}),
    "star, a text": ("x", ["*"], {"x": ""}),
    "star, a number": ("x", ["*"], {"x": 0}),
    "star, an object": ("x", ["*"], {"x": {}}),
    "every element": ("tables", ["pub_*"], {"tables": ["pub_a", "pub_b"]}),
    "escaped pointer": ("/a~1b", ["x"], {"a/b": "x"}),
    "element by number": ("/tables/0", ["a"], {"tables": ["a", "b"]}),
}


@pytest.mark.parametrize(("key", "wanted", "tool_input"), BOTH.values(), ids=BOTH.keys())
def test_it_holds_for_denials_and_allowances(key, wanted, tool_input) -> None:
    assert holds(key, wanted, tool_input)
    assert holds(key, wanted, tool_input, strict=True)


NEITHER = {
    "another place": ("/connection/database", ["prod*"], {"database": "prod1"}),
    "another case": ("env", ["staging"], {"env": "Staging"}),
    "text for a number": ("limit", [10], {"limit": "10"}),
    "boolean for a number": ("limit", [1], {"limit": True}),
    "number for a boolean": ("dry_run", [True], {"dry_run": 1}),
    "part of the value": ("env", ["prod"], {"env": "prod1"}),
    "missing key": ("database", ["prod*"], {}),
    "star, missing": ("x", ["*"], {}),
    "object for a text": ("env", ["prod*"], {"env": {"prod": 1}}),
    "pointer into a text": ("/env/x", ["*"], {"env": "prod"}),
}


@pytest.mark.parametrize(("key", "wanted", "tool_input"), NEITHER.values(), ids=NEITHER.keys())
def test_it_holds_for_neither(key, wanted, tool_input) -> None:
    assert not holds(key, wanted, tool_input)
    assert not holds(key, wanted, tool_input, strict=True)


DENIALS = {
    "one element": ("tables", ["users"], {"tables": ["orders", "users"]}),
    "deep in an array": ("/files/path", ["*.pem"], {"files": [{"path": "a"}, {"path": "b.pem"}]}),
    "nested arrays": ("x", ["a"], {"x": [["b"], ["a"]]}),
}


@pytest.mark.parametrize(("key", "wanted", "tool_input"), DENIALS.values(), ids=DENIALS.keys())
def test_one_element_is_enough_for_a_denial_only(key, wanted, tool_input) -> None:
    assert holds(key, wanted, tool_input)
    assert not holds(key, wanted, tool_input, strict=True)


def test_an_empty_array_allows_nothing() -> None:
    assert not holds("tables", ["*"], {"tables": []}, strict=True)
    assert not holds("tables", [None], {"tables": []}, strict=True)


def test_a_missing_key_counts_where_the_rule_says_so() -> None:
    assert holds("database", ["prod*"], {}, absent=True)
    assert not holds("database", ["prod*"], {}, absent=True, strict=True)


SKILL = Tool("Skill", Source.BUILTIN, arguments=(Argument("/skill", Use.SKILL_NAME),))


def skill(name, tool_input, *, more=False, strict=False):
    return NameMatcher(Use.SKILL_NAME, Glob.of(name), more).holds(SKILL, tool_input, strict=strict)


def test_a_skill_is_denied_with_any_arguments() -> None:
    for given in (
        {"skill": "deploy"},
        {"skill": "/deploy"},
        {"skill": "deploy prod"},
        {"skill": "deploy", "args": "prod"},
    ):
        assert skill("deploy", given)
    assert not skill("deploy", {"skill": "deployer"})


def test_a_skill_is_allowed_with_arguments_only_if_the_rule_says_so() -> None:
    assert skill("deploy", {"skill": "deploy"}, strict=True)
    assert not skill("deploy", {"skill": "deploy prod"}, strict=True)
    assert not skill("deploy", {"skill": "deploy", "args": "prod"}, strict=True)
    assert skill("deploy", {"skill": "deploy", "args": "prod"}, more=True, strict=True)


def test_an_agent_type_is_compared_whole() -> None:
    tool = Tool("Agent", Source.BUILTIN, arguments=(Argument("/subagent_type", Use.AGENT_TYPE),))
    matcher = NameMatcher(Use.AGENT_TYPE, Glob.of("deployer"))
    assert matcher.holds(tool, {"subagent_type": "deployer"}, strict=True)
    assert not matcher.holds(tool, {"subagent_type": "deployer2"}, strict=False)
    assert not matcher.holds(tool, {}, strict=False)
