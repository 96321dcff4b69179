"""What no rule may say: refused, with the rule's name, the word that is wrong, and what to write instead."""

from __future__ import annotations

import pytest

from lineclear.policyfiles.problems import PolicyError
from support.rulings import permissions, policy

SHORT = {
    "operator": ("allow", "Bash(a && b)", ["Bash(a && b)", "one simple command"]),
    "open quote": ("deny", "Bash(echo 'a)", ["open quote"]),
    "open bracket": ("deny", "Bash(git push", ["closing bracket"]),
    "empty brackets": ("deny", "Bash()", ["write `Bash`"]),
    "unknown tool": ("deny", "Reed(//etc/x)", ["Reed", "`Read`"]),
    "brackets in a path": ("deny", "Read(/a[0-9])", ["Read(/a[0-9])", "`?`"]),
    "exclamation mark": ("deny", "Read(!docs/**)", ["Read(!docs/**)", "exception"]),
    "braces": ("allow", "Edit(src/*.{ts,tsx})", ["brace"]),
    "every server": ("allow", "mcp__*", ["mcp__*", "too broad"]),
    "everything": ("allow", "*", ["`*`", "too broad"]),
    "no such form, list": ("deny", "TodoWrite(x)", ["TodoWrite", "long form"]),
    "no such form, server": ("deny", "mcp__jira__search(open)", ["mcp__jira__search", "long form"]),
    "no such form, search": ("deny", "WebSearch(rust)", ["WebSearch", "input"]),
    "no such form, whole address": ("deny", "WebFetch(https://docs.rs/)", ["WebFetch", "domain"]),
    "parameter that allows": ("allow", "WebSearch(query:x)", ["WebSearch", "can't allow"]),
    "address that allows": ("allow", "WebFetch(domain:1.2.3.4)", ["1.2.3.4"]),
    "not a text": ("deny", 5, ["text"]),
}


@pytest.mark.parametrize(("effect", "text", "said"), SHORT.values(), ids=SHORT.keys())
def test_a_short_rule_is_refused(effect, text, said) -> None:
    with pytest.raises(PolicyError) as caught:
        permissions(**{effect: [text]})
    for words in said:
        assert words in str(caught.value)


COMMAND = {"id": "r", "effect": "deny", "command": ["rm *"]}
LONG = {
    "no id": ({"effect": "deny", "command": ["x"]}, ["`id`"]),
    "no effect": ({"id": "r", "command": ["x"]}, ["`r`", "`effect`"]),
    "other effect": ({**COMMAND, "effect": "permit"}, ["`r`", "permit"]),
    "no matcher": ({"id": "r", "effect": "deny"}, ["`r`", "`command`"]),
    "unknown key": ({**COMMAND, "comand": ["x"]}, ["comand", "`command`"]),
    "regular expression": ({**COMMAND, "command_regex": ["x"]}, ["command_regex"]),
    "condition": ({**COMMAND, "when": "calls.tool == 1"}, ["`r`", "`when`", "did you mean `call`"]),
    "agent of a denial": ({**COMMAND, "agent": {"main": False}}, ["`r`", "agent"]),
    "modes of a denial": ({**COMMAND, "modes": ["auto"]}, ["`r`", "modes"]),
    "end of a denial": ({**COMMAND, "expires": "2026-12-31"}, ["`r`", "expires"]),
    "trial that is a word": ({**COMMAND, "dry_run": "maybe"}, ["`dry_run`"]),
    "no day": ({**COMMAND, "effect": "ask", "expires": "soon"}, ["`expires`"]),
    "unknown mode": ({**COMMAND, "effect": "ask", "modes": ["yolo"]}, ["yolo"]),
    "access without path": ({**COMMAND, "access": "read"}, ["`access`"]),
    "other access": ({"id": "r", "effect": "deny", "path": ["x"], "access": "execute"}, ["execute"]),
    "absent of an allowance": (
        {"id": "r", "effect": "allow", "tools": ["mcp__a__b"], "input": {"x": 1}, "absent": "match"},
        ["`absent: match`"],
    ),
    "argument that the tool acts on": (
        {"id": "r", "effect": "allow", "tools": [{"source": "builtin", "tool": "WebFetch"}], "input": {"/url": "x"}},
        ["`r`", "url", "`domain`"],
    ),
    "path that the tool acts on": (
        {"id": "r", "effect": "allow", "tools": ["Edit"], "input": {"file_path": "x"}}, ["file_path", "`path`"]
    ),
    "input of every tool": ({"id": "r", "effect": "allow", "input": {"x": 1}}, ["`tools`"]),
    "object as a value": ({"id": "r", "effect": "deny", "input": {"x": {"y": 1}}}, ["JSON pointer"]),
    "unknown key of a selector": (
        {"id": "r", "effect": "deny", "tools": [{"source": "mcp", "sever": "jira"}]}, ["sever", "`server`"]
    ),
    "broad selector": ({"id": "r", "effect": "allow", "tools": [{"source": "mcp"}]}, ["too broad"]),
    "broad kind": ({"id": "r", "effect": "allow", "tools": [{"kind": "other"}]}, ["too broad"]),
    "unknown tool allowed by name": (
        {"id": "r", "effect": "allow", "tools": [{"source": "unknown", "tool": "X"}]}, ["too broad"]
    ),
    "server of a plugin": ({"id": "r", "effect": "deny", "tools": [{"source": "plugin", "server": "x"}]}, ["server"]),
    "unknown tool in a selector": (
        {"id": "r", "effect": "deny", "tools": [{"source": "builtin", "tool": "WebFech"}]}, ["WebFech", "`WebFetch`"]
    ),
    "form in the list of tools": ({"id": "r", "effect": "deny", "tools": ["Bash(rm *)"]}, ["`command`"]),
    "empty list": ({"id": "r", "effect": "deny", "command": []}, ["empty"]),
    "empty list of values": ({"id": "r", "effect": "deny", "input": {"x": []}}, ["empty"]),
    "unknown key of an agent": ({**COMMAND, "effect": "ask", "agent": {"typ": "x"}}, ["typ", "`type`"]),
}  # fmt: skip


@pytest.mark.parametrize(("rule", "said"), LONG.values(), ids=LONG.keys())
def test_a_long_rule_is_refused(rule, said) -> None:
    with pytest.raises(PolicyError) as caught:
        policy(rules=[rule])
    for words in said:
        assert words in str(caught.value)


def test_ids_are_unique_in_both_spellings() -> None:
    with pytest.raises(PolicyError, match="`same` stands here"):
        policy(
            rules=[
                {"id": "same", "effect": "deny", "command": ["a"]},
                {"id": "same", "effect": "ask", "command": ["b"]},
            ]
        )
    with pytest.raises(PolicyError, match="stands here and in"):
        permissions(deny=["Read(x)", "Read(x)"])


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(PolicyError) as caught:
        permissions(deny=["Reed(x)", "Bash(a | b)"], allow=["*"])
    assert len(caught.value.problems) == 3


EXAMPLES = {
    "should match": ({"effect": "deny", "command": ["git push --force *"]}, {"match": ["git push origin main"]}),
    "should not match": ({"effect": "deny", "command": ["git push *"]}, {"no_match": ["cd x && git push"]}),
    "allowance of two parts": ({"effect": "allow", "command": ["npm test"]}, {"match": ["npm test && npm publish"]}),
    "path": ({"effect": "deny", "path": ["/private/**"]}, {"match": ["/work/repo/privates/a.txt"]}),
    "domain": ({"effect": "deny", "domain": ["*.example.com"]}, {"match": ["https://example.com/"]}),
    "mapping": (
        {"effect": "deny", "tools": ["mcp__pg__*"], "input": {"db": "prod*"}},
        {"match": [{"tool": "mcp__pg__query", "input": {"db": "dev"}}]},
    ),
    "mapping without a tool": ({"effect": "deny", "command": ["x"]}, {"match": [{"input": {}}]}),
}


@pytest.mark.parametrize(("rule", "examples"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_an_example_that_fails_is_an_error(rule, examples) -> None:
    with pytest.raises(PolicyError, match="example"):
        policy(rules=[{"id": "r", **rule, "examples": examples}])


HOLDING = {
    "command": ({"effect": "deny", "command": ["git push *"]}, ["cd x && git push"], ["git pull"]),
    "allowance beside proofs": (
        {"effect": "allow", "command": ["npm test"]}, ["cd src && npm test | tail -2"], ["npm test && npm publish"]
    ),
    "path to write": ({"effect": "allow", "path": ["/docs/**"], "access": "write"}, ["docs/a.md"], ["src/a.md"]),
    "path to read": ({"effect": "deny", "path": ["~/vault/**"], "access": "read"}, ["~/vault/x"], ["~/other"]),
    "domain": ({"effect": "allow", "domain": ["docs.rs"]}, ["https://docs.rs/x"], ["https://docs.rs:8443/"]),
    "tool": ({"effect": "deny", "tools": ["mcp__jira__*"]}, ["mcp__jira__get"], ["mcp__jira2__get"]),
    "filters are left aside": (
        {"effect": "ask", "command": ["rm *"], "modes": ["auto"], "agent": {"type": "lead"}, "expires": "2001-01-01"},
        ["rm x"], ["ls"],
    ),
    "filter of the mapping": (
        {"effect": "ask", "command": ["rm *"], "agent": {"type": "lead"}},
        [{"tool": "Bash", "input": {"command": "rm x"}, "agent": {"type": "lead"}}],
        [{"tool": "Bash", "input": {"command": "rm x"}, "agent": {"type": "main"}}],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("rule", "match", "no_match"), HOLDING.values(), ids=HOLDING.keys())
def test_examples_that_hold_load(rule, match, no_match) -> None:
    loaded = policy(rules=[{"id": "r", **rule, "examples": {"match": match, "no_match": no_match}}])
    assert [one.id for one in loaded.rules.rules] == ["r"]
