"""What the documentation of Codex, Gemini CLI and OpenCode says of a rule holds for the rule once it is imported.

Each row: the section that says it, a rule, a command or call, and the verdict of rules there. Pages, read in 2026-11:
Codex, "Rules" (developers.openai.com/codex/rules) and the readme of execpolicy in openai/codex; Gemini CLI,
docs/reference/policy-engine.md of google-gemini/gemini-cli; OpenCode, "Permissions" (opencode.ai/docs/permissions).
``stricter`` marks the rows where Lineclear says more on purpose.
"""

from __future__ import annotations

import json

import pytest

from lineclear.core.checks import Undecided, decide
from lineclear.core.verdict import Verdict
from lineclear.policyfiles.importing import codex, gemini, opencode
from lineclear.policyfiles.importing.draft import Draft
from lineclear.policyfiles.load import load_text
from support.rulings import beneath, facts

PUSH = 'prefix_rule(pattern = ["git", ["push", "fetch"]], decision = "prompt")'
VIEW = 'prefix_rule(pattern = ["gh", "pr", "view"], decision = "prompt")'
RESET = 'prefix_rule(pattern = ["git", "reset", "--hard"], decision = "forbidden")'
CODEX = [
    ("execpolicy, Overview", PUSH, "git push origin main", "ask"),
    ("execpolicy, Overview", PUSH, "git fetch", "ask"),
    ("execpolicy, Overview", PUSH, "git pull", None),
    ("execpolicy, Overview", 'prefix_rule(pattern = ["acme"])', "acme x y", "allow"),
    ("execpolicy, Overview", 'prefix_rule(pattern = ["acme"])', "acmetool", None),
    ("Create a rules file", VIEW, "gh pr view 7888", "ask"),
    ("Create a rules file", VIEW, "gh pr view --repo openai/codex", "ask"),
    ("Create a rules file", VIEW, "gh pr view 7888 --json title,body,comments", "ask"),
    ("Understand rule fields", RESET, "git reset --hard", "deny"),
    ("Understand rule fields", RESET, "git reset --keep", None),
    (
        "execpolicy, Response shape",
        f"{PUSH}\nprefix_rule(pattern = ['git'], decision = 'forbidden')",
        "git push",
        "deny",
    ),
    ("execpolicy, Response shape", f"{PUSH}\nprefix_rule(pattern = ['git'])", "git push", "ask"),
    ("execpolicy, Response shape", f"{PUSH}\nprefix_rule(pattern = ['git'])", "git gc", "allow"),
    ("Shell wrappers and compound commands", 'prefix_rule(pattern = ["acme"])', "acme x && other", None),
    ("Shell wrappers and compound commands", 'prefix_rule(pattern = ["acme"])', "bash -lc 'acme x && other'", None),
    ("Shell wrappers and compound commands", 'prefix_rule(pattern = ["acme"])', "acme x > out", None),
    ("Shell wrappers and compound commands", 'prefix_rule(pattern = ["acme"])', "X=1 acme x", None),
    ("Shell wrappers and compound commands", 'prefix_rule(pattern = ["acme"])', "acme $(other)", None),
    ("Shell wrappers and compound commands", RESET, "cd x && git reset --hard", "deny"),
    ("Shell wrappers and compound commands", RESET, "bash -lc 'git add . && git reset --hard'", "deny"),
]


def gemini_rule(decision, **conditions):
    return "[[rule]]\n" + "".join(
        f"{key} = {json.dumps(one)}\n" for key, one in {**conditions, "decision": decision}.items()
    )


GEMINI = [
    ("Quick start", gemini_rule("deny", toolName="run_shell_command", commandPrefix="rm -rf"), "rm -rf /", "deny"),
    ("Decision", gemini_rule("ask_user", toolName="run_shell_command", commandPrefix="git"), "git commit", "ask"),
    ("Special syntax for run_shell_command", gemini_rule("ask_user", commandPrefix="git"), "git gc", "ask"),
    ("Special syntax for run_shell_command", gemini_rule("ask_user", commandPrefix="git"), "other x", None),
    ("Using arrays (lists)", gemini_rule("ask_user", commandPrefix=["acme a", "acme b"]), "acme b x", "ask"),
    ("TOML rule schema", gemini_rule("allow", commandPrefix="acme"), "acme x", "allow"),
    ("TOML rule schema", gemini_rule("allow", commandPrefix="acme"), "acme x > out", None),
    ("TOML rule schema", gemini_rule("allow", commandPrefix="acme"), "acme x && other", None),
    ("Using arrays (lists)", gemini_rule("ask_user", toolName=["write_file", "replace"]),
     ("write_file", {"file_path": "/work/repo/a", "content": "x"}), "ask"),
    ("Targeting a specific tool on a server", gemini_rule("allow", mcpName="my-jira", toolName="search"),
     ("mcp__my-jira__search", {"q": "x"}), "allow"),
    ("Targeting a specific tool on a server", gemini_rule("allow", mcpName="my-jira", toolName="search"),
     ("mcp__my-jira__delete", {"q": "x"}), None),
    ("Targeting all tools on a specific server", gemini_rule("deny", mcpName="untrusted"),
     ("mcp__untrusted__x", {"q": "x"}), "deny"),
    ("Targeting all MCP servers", gemini_rule("ask_user", toolName="*", mcpName="*"),
     ("mcp__any__x", {"q": "x"}), "ask"),
    ("Tool Name", gemini_rule("deny", toolName="mcp_*"), ("mcp__any__x", {"q": "x"}), "deny"),
    ("Tool Name", gemini_rule("deny", toolName="mcp_wiki_*"), ("mcp__wiki__x", {"q": "x"}), "deny"),
    ("Tool Name", gemini_rule("deny", toolName="mcp_*_drop"), ("mcp__wiki__drop", {"q": "x"}), "deny"),
    ("Tool Name", gemini_rule("deny", toolName="mcp_*_drop"), ("mcp__wiki__read", {"q": "x"}), None),
]  # fmt: skip


def permission(tool, entries):
    return json.dumps({"permission": {tool: entries}})


BASH = {"*": "ask", "acme *": "allow", "rm *": "deny"}
DOCS = {"*": "ask", "packages/web/docs/*.mdx": "allow"}
EDIT = {"old_string": "a", "new_string": "b"}


def edited(path):
    return ("Edit", {"file_path": f"/work/repo/{path}"} | EDIT)


def seen(path):
    return ("Read", {"file_path": path if path.startswith("/") else f"/work/repo/{path}"})


OPENCODE = [
    ("Granular Rules", permission("bash", BASH), "acme a b", "allow"),
    ("Granular Rules", permission("bash", BASH), "rm a", "deny"),
    ("Granular Rules", permission("bash", BASH), "other a", None),
    ("Granular Rules", permission("bash", {"git *": "allow", "git push *": "deny"}), "git push", "deny"),
    ("Granular Rules", permission("edit", DOCS), edited("packages/web/docs/a.mdx"), "allow"),
    ("Granular Rules", permission("edit", DOCS), edited("packages/web/src/a.mdx"), None),
    ("Granular Rules", permission("edit", {"README.md": "allow"}), edited("README.md"), "allow"),
    ("Granular Rules", permission("edit", {"README.md": "allow"}), edited("deep/README.md"), None),
    ("Wildcards", permission("edit", {"*.mdx": "allow"}), edited("deep/a.mdx"), "allow"),
    ("Wildcards", permission("edit", {"src/*/key": "deny"}), edited("src/a/b/key"), "deny"),
    ("Wildcards", permission("edit", {"src/k*y": "deny"}), edited("src/key"), "deny"),
    ("Wildcards", permission("edit", {"src/k*y": "deny"}), edited("src/k/e/y"), "deny"),
    ("Wildcards", permission("edit", {"src*/key": "deny"}), edited("src1/a/key"), "deny"),
    ("Wildcards", permission("bash", {"acme ?": "deny"}), "acme a", "deny"),
    ("Wildcards", permission("bash", {"acme ?": "allow"}), "acme a", None),
    ("Wildcards", permission("bash", {"acme [a]": "deny"}), "acme '[a]'", "deny"),
    ("Home Directory Expansion", permission("read", {"$HOME/notes/*": "deny"}), seen("/home/dev/notes/a/b"), "deny"),
    ("Home Directory Expansion", permission("read", {"~/notes/*": "deny"}), seen("/home/dev/notes/a"), "deny"),
    ("Home Directory Expansion", permission("read", {"~/notes/*": "deny"}), seen("notes/a"), None),
    ("Command Wrappers", permission("bash", BASH), "sudo rm -rf x", "deny"),
    ("Command Wrappers", permission("bash", BASH), "timeout 5 sudo rm x", "deny"),
    ("Command Wrappers", permission("bash", {"acme *": "allow"}), "timeout 5 acme x", "allow"),
    ("Command Wrappers", permission("bash", {"acme *": "allow"}), "sudo acme x", None),
    ("Available Permissions", permission("webfetch", {"https://docs.example/*": "allow"}),
     ("WebFetch", {"url": "https://docs.example/a", "prompt": "x"}), "allow"),
    ("Available Permissions", permission("webfetch", {"https://docs.example/*": "allow"}),
     ("WebFetch", {"url": "https://docs.example.evil.example/a", "prompt": "x"}), None),
    ("Available Permissions", permission("webfetch", {"https://*.example/x*": "deny"}),
     ("WebFetch", {"url": "https://docs.example/xy", "prompt": "x"}), "deny"),
    ("Available Permissions", permission("task", {"deployer": "deny"}),
     ("Agent", {"subagent_type": "deployer", "prompt": "x", "description": "d"}), "deny"),
    ("Available Permissions", permission("skill", {"commit": "ask"}), ("Skill", {"skill": "commit"}), "ask"),
    ("Defaults", permission("read", {"*": "allow", "*.env": "deny"}), seen("deep/.env"), "deny"),
    ("Configuration", json.dumps({"permission": {"edit": "deny"}}), edited("a"), "deny"),
]  # fmt: skip
STRICTER = [
    (codex, "Create a rules file", VIEW, "gh pr --repo openai/codex view 7888", None, "ask"),
    (codex, "execpolicy, Policy shapes", RESET, "/opt/bin/git reset --hard", None, "deny"),
    (gemini, "Priority system and tiers",
     gemini_rule("allow", commandPrefix="acme a", priority=200) + gemini_rule("deny", commandPrefix="acme", priority=1),
     "acme a", "allow", "deny"),
    (opencode, "Granular Rules", permission("bash", {"acme *": "deny", "acme a": "allow"}), "acme a", "allow", "deny"),
    (opencode, "Granular Rules", permission("edit", {"*": "deny", "a/*": "allow"}), edited("a/b"), "allow", "deny"),
]  # fmt: skip
ROWS = [(module, *row) for module, rows in ((codex, CODEX), (gemini, GEMINI), (opencode, OPENCODE)) for row in rows]


def ruled(module, rule, call):
    """The effect of the rule that speaks to a call once it is imported, None where none does."""
    draft = Draft(beneath().vocabulary)
    module.read(rule, "x", draft)
    policy = load_text(draft.as_yaml(), beneath())
    tool, tool_input = ("Bash", {"command": call}) if isinstance(call, str) else call
    found = decide(policy, facts(policy, tool, tool_input))
    assert not isinstance(found, Undecided)
    return found.verdict.value if found.code == f"{found.verdict.value}_rule" else None


def named(row):
    call = row[3] if isinstance(row[3], str) else " ".join(map(str, (row[3][0], *row[3][1].values())))
    return f"{row[0].__name__.rpartition('.')[2]}, {row[1]}: {call}"


@pytest.mark.parametrize(("module", "rule", "call", "effect"), [(r[0], *r[2:]) for r in ROWS], ids=map(named, ROWS))
def test_it_speaks_to_the_same_calls(module, rule, call, effect):
    assert ruled(module, rule, call) == effect


@pytest.mark.parametrize(
    ("module", "rule", "call", "there", "here"), [(r[0], *r[2:]) for r in STRICTER], ids=map(named, STRICTER)
)
def test_where_it_differs_it_is_stricter(module, rule, call, there, here):
    assert ruled(module, rule, call) == here
    order = {"allow": -1, None: 0} | {verdict.value: verdict.severity for verdict in (Verdict.ASK, Verdict.DENY)}
    assert order[here] > order[there]
