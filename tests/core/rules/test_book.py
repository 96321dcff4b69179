"""How rules combine: what binds their matchers together, what puts one out of force, what order has no part in."""

from __future__ import annotations

from datetime import date

import pytest

from lineclear.core.call import Agent
from lineclear.core.modes import Mode
from lineclear.core.observe import observe
from lineclear.core.own import Own
from lineclear.core.rules.index import ToolIndex
from lineclear.core.rules.selectors import server_selectors
from support.rulings import call, facts, permissions, policy, shell

RM_DATA = {"id": "r", "effect": "deny", "command": ["rm *"], "path": ["//data/**"]}


def denials(policy, command: str) -> list[str]:
    return [match.part for match in policy.rules.denials(shell(policy, command))]


def test_all_matchers_meet_in_one_part() -> None:
    loaded = policy(rules=[RM_DATA])
    assert denials(loaded, "rm -rf /data/x") == ["rm -rf /data/x"]
    assert denials(loaded, "sudo rm /data/x") == ["rm /data/x"]
    assert denials(loaded, "ls /data && rm x") == []


def test_an_allowance_of_a_command_and_paths_covers_it_only_with_all_its_paths() -> None:
    loaded = policy(rules=[{"id": "r", "effect": "allow", "command": ["cp *"], "path": ["/docs/**"]}])

    def covered(command: str) -> bool:
        return 0 in loaded.rules.coverage(shell(loaded, command), suspended=False).commands

    assert covered("cp docs/a docs/b")
    assert not covered("cp docs/a src/b")
    assert not covered("cp secrets/a docs/b")


def test_the_part_is_what_the_caller_wrote() -> None:
    loaded = permissions(deny=["Bash(git push *)", "Read(secret.txt)", "WebFetch(domain:evil.example)", "WebSearch"])
    assert denials(loaded, "cd x  &&  git  -C y push") == ["git  -C y push"]
    assert denials(loaded, "cat ./a/../secret.txt") == ["./a/../secret.txt"]
    assert denials(loaded, "curl -s https://EVIL.example/x") == ["https://EVIL.example/x"]
    (match,) = loaded.rules.denials(facts(loaded, "WebSearch", {"query": "x"}))
    assert match.part == "WebSearch"


def test_matches_come_by_layer_and_place_whatever_the_effect_of_others() -> None:
    loaded = permissions(deny=["Bash(git *)", "Bash(git push *)", "Bash(git push origin)"], allow=["Bash"])
    found = [match.rule.id for match in loaded.rules.denials(shell(loaded, "git push origin"))]
    assert found == [f"organisation:deny:Bash({text})" for text in ("git *", "git push *", "git push origin")]


def test_an_allowance_holds_through_its_last_day() -> None:
    loaded = policy(rules=[{"id": "r", "effect": "allow", "command": ["npm test"], "expires": "2026-11-29"}])
    request = call("Bash", {"command": "npm test"})
    for day, held in ((date(2026, 11, 29), True), (date(2026, 11, 30), False)):
        found = loaded.rules.coverage(observe(request, loaded, Own(), day), suspended=False).commands
        assert bool(found) is held


def test_a_rule_on_trial_has_no_effect() -> None:
    loaded = policy(rules=[{"id": "r", "effect": "deny", "command": ["rm *"], "dry_run": True}])
    assert denials(loaded, "rm x") == []
    assert [rule.id for rule in loaded.rules.rules] == ["r"]


def test_filters_narrow_questions_and_allowances() -> None:
    loaded = policy(
        rules=[
            {"id": "a", "effect": "ask", "command": ["npm *"], "modes": ["auto"]},
            {"id": "b", "effect": "ask", "command": ["npm *"], "agent": {"type": ["lead"]}},
            {"id": "c", "effect": "allow", "command": ["npm *"], "agent": {"main": True}},
        ]
    )

    def asked(**more) -> list[str]:
        return [match.rule.id for match in loaded.rules.questions(shell(loaded, "npm test", **more))]

    assert asked() == []
    assert asked(mode=Mode.AUTO) == ["a"]
    assert asked(agent=Agent(type="lead")) == ["b"]
    # of an agent of which nothing is known a question is asked, and nothing is allowed
    assert asked(agent=Agent()) == ["b"]
    assert not loaded.rules.coverage(shell(loaded, "npm test", agent=Agent()), suspended=False).commands


def test_a_denial_of_commands_holds_for_any_tool_that_takes_one() -> None:
    loaded = permissions(deny=["Bash(git push *)"])
    assert loaded.rules.denials(facts(loaded, "mcp__shell__run", {"command": "git push origin"}))
    assert loaded.rules.denials(facts(loaded, "Frobnicate", {"cmd": "git push"}))


def test_a_read_denial_binds_readers_and_writers_and_an_edit_denial_writers() -> None:
    loaded = permissions(deny=["Read(/private/**)", "Edit(/locked/**)"])
    for command in (
        "cat private/a",
        "grep x private/a",
        "echo x > private/a",
        "cp locked/a locked/b",
        "sed -i s/a/b/ locked/a",
    ):
        assert denials(loaded, command), command
    assert denials(loaded, "cat locked/a") == []


def test_a_read_allowance_covers_no_write() -> None:
    loaded = permissions(allow=["Read(/docs/**)"])
    edit = facts(loaded, "Edit", {"file_path": "/work/repo/docs/a", "old_string": "a", "new_string": "b"})
    assert not loaded.rules.coverage(edit, suspended=False).touches


@pytest.mark.parametrize("tool", ["mcp__fs__write", "Frobnicate"])
def test_a_path_allowance_settles_no_other_tool_unless_it_names_it(tool: str) -> None:
    loaded = permissions(allow=["Edit(docs/**)"])
    found = loaded.rules.coverage(facts(loaded, tool, {"path": "docs/a.md"}), suspended=False)
    assert found.call is None
    assert found.whole is None


def test_a_rule_that_names_a_server_tool_and_its_paths() -> None:
    loaded = policy(rules=[{"id": "r", "effect": "allow", "tools": ["mcp__fs__write"], "path": ["/docs/**"]}])

    def call_of(path: str):
        return loaded.rules.coverage(facts(loaded, "mcp__fs__write", {"path": path}), suspended=False).call

    assert call_of("docs/a.md") is not None
    assert call_of("src/a.md") is None


def test_every_address_of_a_call_must_be_allowed() -> None:
    loaded = permissions(allow=["WebFetch(domain:docs.rs)", "WebFetch(domain:docs.python.org)"])

    def covered(prompt: str) -> bool:
        request = facts(loaded, "web_fetch", {"prompt": prompt}, agent=Agent(host="gemini-cli", type="main"))
        return loaded.rules.coverage(request, suspended=False).call is not None

    assert covered("see https://docs.rs/a and https://docs.python.org/3/")
    assert not covered("see https://docs.rs/a and https://evil.example/b")
    assert not covered("see nothing")


def test_an_address_in_a_shell_is_allowed_by_no_domain() -> None:
    loaded = permissions(allow=["WebFetch(domain:docs.rs)"])
    found = loaded.rules.coverage(shell(loaded, "curl https://docs.rs/"), suspended=False)
    assert (found.call, found.whole, found.commands) == (None, None, {})


@pytest.mark.parametrize("rule", ["Agent", "Agent(explore)"])
def test_rules_that_allow_agents_are_suspended_in_auto(rule: str) -> None:
    loaded = permissions(allow=[rule])
    request = facts(loaded, "Agent", {"description": "x", "prompt": "y", "subagent_type": "explore"})
    assert loaded.rules.coverage(request, suspended=False).whole is not None
    assert loaded.rules.coverage(request, suspended=True).whole is None


def test_rules_for_other_servers_are_not_even_looked_at() -> None:
    selectors = [selector for n in range(100) for selector in server_selectors(f"mcp__team{n}__*", strict=False)]
    index = ToolIndex(enumerate([*selectors, *server_selectors("mcp__*-prod", strict=False)]))
    loaded = permissions()
    ends = set(range(len(selectors), len(selectors) + 2))

    def at(name: str) -> set[int]:
        return set(index.find(facts(loaded, name, {}).tool))

    assert at("Bash") <= ends
    assert {selectors[one].text for one in at("mcp__team7__drop") - ends} == {"mcp__team7__*"}
    assert {selectors[one].text for one in at("mcp__team77__") - ends} == {"mcp__team77__*"}
