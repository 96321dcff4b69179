from __future__ import annotations

import pytest

from lineclear.core.call import Agent
from lineclear.core.rules.faults import RuleFault
from lineclear.core.rules.selectors import AgentFilter, server_selectors
from support.rulings import beneath

VOCABULARY = beneath().vocabulary


def means(text: str, name: str, *, host: str | None = None, strict: bool = False) -> bool:
    tool = VOCABULARY.catalogue.resolve(name, host)
    return any(selector.holds(tool, strict=strict) for selector in VOCABULARY.selectors(text, strict=strict))


@pytest.mark.parametrize(
    ("host", "name"),
    [("claude-code", "Bash"), ("codex", "shell"), ("gemini-cli", "run_shell_command"), ("cline", "execute_command"),
     ("opencode", "bash"), ("kinetaios", "shell"), (None, "Bash")],
)  # fmt: skip
@pytest.mark.parametrize("strict", [False, True])
def test_a_kind_is_meant_whatever_a_host_calls_it(host: str, name: str, strict: bool) -> None:  # noqa: FBT001
    assert means("Bash", name, host=host, strict=strict)


def test_one_tool_of_one_host_is_that_alone() -> None:
    assert means("claude-code/Bash", "Bash", host="claude-code")
    assert not means("claude-code/Bash", "run_shell_command", host="gemini-cli")
    # whose tool it is isn't known: a denial means it, an allowance doesn't
    assert means("claude-code/Bash", "Bash")
    assert not means("claude-code/Bash", "Bash", strict=True)


SERVERS = {
    "server": ("mcp__jira", "mcp__jira__search"),
    "server with star": ("mcp__jira__*", "mcp__jira__search"),
    "tool": ("mcp__jira__search", "mcp__jira__search"),
    "star in the tool": ("mcp__jira__get_*", "mcp__jira__get_issue"),
}


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(("text", "name"), SERVERS.values(), ids=SERVERS.keys())
def test_servers(text: str, name: str, strict: bool) -> None:  # noqa: FBT001
    assert means(text, name, strict=strict)
    assert not means(text, "mcp__jira2__search", strict=strict)
    assert not means(text, "mcp__xjira__search", strict=strict)


def test_a_name_that_can_be_split_in_two_ways_is_meant_by_denials_only() -> None:
    for text in ("mcp__a", "mcp__a__b", "mcp__a__*", "mcp__a__b__c"):
        assert means(text, "mcp__a__b__c")
        assert not means(text, "mcp__a__b__c", strict=True)


def test_denials_take_stars_anywhere() -> None:
    assert means("*delete*", "mcp__jira__delete_issue")
    assert means("mcp__*__delete_*", "mcp__jira__delete_issue")
    assert means("mcp__*", "mcp__jira__delete_issue")


@pytest.mark.parametrize("text", ["mcp__*", "*", "mcp__*__get", "mcp__jira*__get", "Re*", "claude-code/*"])
def test_a_broad_allowance_is_refused_by_name(text: str) -> None:
    with pytest.raises(RuleFault, match="too broad") as caught:
        VOCABULARY.selectors(text, strict=True)
    assert f"`{text}`" in str(caught.value)


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(RuleFault, match="`Grep`"):
        VOCABULARY.selectors("Gerp", strict=False)


def test_a_server_without_a_name_is_refused() -> None:
    with pytest.raises(RuleFault, match="names no server"):
        server_selectors("mcp__", strict=False)


def test_an_agent_of_which_nothing_is_known_is_meant_by_questions_only() -> None:
    unknown, explorer = Agent(), Agent(host="codex", type="explore", is_async=True)
    for filter_ in (
        AgentFilter(hosts=frozenset({"codex"})),
        AgentFilter(types=frozenset({"explore"})),
        AgentFilter(is_async=True),
        AgentFilter(main=False),
    ):
        assert filter_.holds(explorer)
        assert filter_.holds(unknown, strict=False)
    assert not AgentFilter(types=frozenset({"explore"})).holds(unknown)
    assert not AgentFilter(main=True).holds(explorer, strict=False)
