"""A call's own list of tools only narrows: by names, kinds and globs, and by ``Tool(x)`` to what such a rule allows."""

from __future__ import annotations

import pytest

from support.judging import answer, call

NARROWED = {
    "the command itself": (["Bash(npm test)"], "npm test", True),
    "another command": (["Bash(npm test)"], "npm publish", False),
    "more than the command": (["Bash(npm test)"], "npm test && npm publish", False),
    "a star": (["Bash(npm *)"], "npm run x", True),
    "each part by an entry of its own": (["Bash(npm test)", "Bash(make)"], "npm test && make", True),
    "what is proven beside it": (["Bash(npm test)"], "cd src && npm test | head", True),
    "what is proven alone": (["Bash(npm test)"], "ls", False),
    "an assignment before it": (["Bash(npm test)"], "LD_PRELOAD=x npm test", False),
    "a redirect": (["Bash(npm test)"], "npm test > out", False),
    "a redirect that is named as well": (["Bash(npm test)", "Edit(/out)"], "npm test > out", True),
    "text that can't be parsed": (["Bash(npm *)"], "npm (", False),
    "the tool by its name beside it": (["Bash(npm test)", "Bash"], "npm publish", True),
    "the tool with a star": (["Bash(*)"], "npm publish", True),
    "another tool's entry": (["Edit(src/**)"], "npm test", False),
    "an entry that is none": (["Bash(npm test"], "npm test", False),
    "an entry that can't allow": (["Bash(a && b)"], "a && b", False),
    "more entries than are kept": ([f"Bash(x{n})" for n in range(60)] + ["Bash(npm test)"], "npm test", True),
}


@pytest.mark.parametrize("mode", ["default", "auto", "acceptEdits"])
@pytest.mark.parametrize(("allowed", "command", "there"), NARROWED.values(), ids=NARROWED)
def test_a_shell(allowed, command, there, mode):
    request = call("Bash", {"command": command}, allowed_tools=allowed, permission_mode=mode)
    assert (answer(request) != "deny tool_unavailable") is there


OTHERS = {
    "a path": (["Edit(docs/**)"], "Edit", {"file_path": "/work/repo/docs/a"}, True),
    "another path": (["Edit(docs/**)"], "Edit", {"file_path": "/work/repo/src/a"}, False),
    "a path read": (["Read(docs/**)"], "Read", {"file_path": "/work/repo/docs/a"}, True),
    "another path read": (["Read(docs/**)"], "Read", {"file_path": "/work/repo/src/a"}, False),
    "a domain": (["WebFetch(domain:a.example)"], "WebFetch", {"url": "https://a.example/"}, True),
    "another domain": (["WebFetch(domain:a.example)"], "WebFetch", {"url": "https://b.example/"}, False),
    "an agent's type": (["Agent(explore)"], "Agent", {"subagent_type": "explore"}, True),
    "another type": (["Agent(explore)"], "Agent", {"subagent_type": "deploy"}, False),
    "a skill": (["Skill(commit)"], "Skill", {"skill": "commit"}, True),
    "a parameter, which no rule allows by": (["mcp__a__b(x:y)"], "mcp__a__b", {"x": "y"}, False),
}
MORE = {
    "Edit": {"old_string": "a", "new_string": "b"},
    "WebFetch": {"prompt": "x"},
    "Agent": {"prompt": "x", "description": "d"},
}


@pytest.mark.parametrize("mode", ["default", "auto", "acceptEdits"])
@pytest.mark.parametrize(("allowed", "tool", "given", "there"), OTHERS.values(), ids=OTHERS)
def test_other_tools(allowed, tool, given, there, mode):
    request = call(tool, MORE.get(tool, {}) | given, allowed_tools=allowed, permission_mode=mode)
    assert (answer(request) != "deny tool_unavailable") is there


def test_it_allows_nothing():
    request = call("Bash", {"command": "npm test"}, allowed_tools=["Bash(npm test)"])
    assert answer(request) == "ask default_mode"
    assert answer(request, 'version: 1\npermissions: {deny: ["Bash(npm *)"]}\n') == "deny deny_rule"
