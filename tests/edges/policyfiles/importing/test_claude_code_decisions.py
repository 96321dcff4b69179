"""What Claude Code's documentation says of a rule holds for the rule once it is imported.

Each row: the section of "Configure permissions" (code.claude.com/docs/en/permissions, read in 2026-11) that says it, a
rule, a call, and whether the rule speaks to it there. Where Lineclear is stricter on purpose, the row stands in the
table of those: what allows means less here, what denies or asks means more.
"""

from __future__ import annotations

import json

import pytest

from lineclear.core.checks import Undecided, decide
from lineclear.policyfiles.importing.claude_code import File, read
from lineclear.policyfiles.importing.claude_rules import Scope
from lineclear.policyfiles.importing.draft import Draft
from lineclear.policyfiles.load import load_text
from support.rulings import beneath, facts

BASH = [
    ("Match all uses of a tool", "allow", "Bash", "npm run build", True),
    ("Match all uses of a tool", "allow", "Bash(*)", "npm run build", True),
    ("Match all uses of a tool", "deny", "Bash(*)", "npm run build", True),
    ("Use specifiers for fine-grained control", "allow", "Bash(npm run build)", "npm run build", True),
    ("Wildcard patterns", "allow", "Bash(npm run build)", "npm run build --watch", False),
    ("Wildcard patterns", "allow", "Bash(npm run *)", "npm run build", True),
    ("Wildcard patterns", "allow", "Bash(npm run *)", "npm run test --watch", True),
    ("Wildcard patterns", "allow", "Bash(npm run *)", "npm run", True),
    ("Wildcard patterns", "allow", "Bash(npm run *)", "npm install", False),
    ("Wildcard patterns", "deny", "Bash(git log * main)", "git log --oneline main", True),
    ("Wildcard patterns", "deny", "Bash(git log * main)", "git log -5 main", True),
    ("Wildcard patterns", "deny", "Bash(git log * main)", "git push origin main", False),
    ("Wildcard patterns", "allow", "Bash(git * main)", "git merge main", True),
    ("Wildcard patterns", "deny", "Bash(git * main)", "git -c core.fsmonitor=x diff main", True),
    ("Wildcard patterns", "deny", "Bash(git * main)", "git log", False),
    ("Wildcard patterns", "allow", "Bash(* --version)", "acme --version", True),
    ("Wildcard patterns", "allow", "Bash(* --version)", "acme -v", False),
    ("Wildcard patterns", "deny", "Bash(ls *)", "ls -la", True),
    ("Wildcard patterns", "deny", "Bash(ls *)", "ls", True),
    ("Wildcard patterns", "deny", "Bash(ls *)", "lsof", False),
    ("Wildcard patterns", "deny", "Bash(ls*)", "ls -la", True),
    ("Wildcard patterns", "deny", "Bash(ls*)", "lsof", True),
    ("Wildcard patterns", "allow", "Bash(* --help *)", "npm --help x", True),
    ("Wildcard patterns", "allow", "Bash(* --help *)", "npm --help", False),
    ("Wildcard patterns", "deny", "Bash(ls:*)", "ls -la", True),
    ("Wildcard patterns", "allow", "Bash(npm test:*)", "npm test --watch", True),
    ("Wildcard patterns", "deny", "Bash(git:* push)", "git push", False),
    ("Wildcard patterns", "allow", "Bash(git commit *)", "git commit -m x", True),
    ("Wildcard patterns", "deny", "Bash(git push *)", "git push origin main", True),
    ("Compound commands", "allow", "Bash(safe-cmd *)", "safe-cmd && other-cmd", False),
    ("Compound commands", "allow", "Bash(safe-cmd *)", "safe-cmd || other-cmd", False),
    ("Compound commands", "allow", "Bash(safe-cmd *)", "safe-cmd; other-cmd", False),
    ("Compound commands", "allow", "Bash(safe-cmd *)", "safe-cmd | other-cmd", False),
    ("Compound commands", "allow", "Bash(safe-cmd *)", "safe-cmd |& other-cmd", False),
    ("Compound commands", "allow", "Bash(safe-cmd *)", "safe-cmd & other-cmd", False),
    ("Compound commands", "allow", "Bash(safe-cmd *)", "safe-cmd\nother-cmd", False),
    ("Compound commands", "allow", "Bash(npm test)", "git status && npm test", True),
    ("Compound commands", "allow", "Bash(npm *)", "npm test &&", False),
    ("Compound commands", "ask", "Bash(git clean *)", "cd /tmp && git clean -f", True),
    ("Compound commands", "ask", "Bash(git clean *)", 'echo "$(git clean -f)"', True),
    ("Compound commands", "ask", "Bash(git clean *)", "( git clean -f )", True),
    ("Compound commands", "ask", "Bash(git clean *)", "for x in a b; do git clean -f; done", True),
    ("Wrappers", "allow", "Bash(npm test *)", "timeout 30 npm test", True),
    ("Wrappers", "allow", "Bash(npm test *)", "time npm test", True),
    ("Wrappers", "allow", "Bash(npm test *)", "nice npm test", True),
    ("Wrappers", "allow", "Bash(npm test *)", "nohup npm test", True),
    ("Wrappers", "allow", "Bash(npm test *)", "stdbuf -o0 npm test", True),
    ("Wrappers", "allow", "Bash(npm test *)", "command npm test", True),
    ("Wrappers", "allow", "Bash(npm test *)", "nocorrect npm test", False),
    ("Wrappers", "allow", "Bash(npm test *)", "LD_PRELOAD=x npm test", False),
    ("Wrappers", "deny", "Bash(rm *)", "FOO=bar rm -rf tmp/", True),
    ("Wrappers", "allow", "Bash(npm test *)", "xargs -n1 npm test", False),
    ("Wrappers", "allow", "Bash(npm test *)", "docker exec x npm test", False),
    ("Wrappers", "allow", "Bash(npm test *)", "npx npm test", False),
    ("Wrappers", "allow", "Bash(devbox run *)", "devbox run rm -rf x", True),
    ("Wrappers", "allow", "Bash(devbox run npm test)", "devbox run npm test", True),
    ("Wrappers", "allow", "Bash(watch *)", "watch acme x", False),
    ("Wrappers", "allow", "Bash(setsid *)", "setsid acme x", False),
    ("Wrappers", "allow", "Bash(ionice *)", "ionice acme x", False),
    ("Wrappers", "allow", "Bash(flock *)", "flock acme x", False),
    ("Wrappers", "allow", "Bash(find *)", "find src -exec acme {} +", False),
    ("Wrappers", "allow", "Bash(find *)", "find src -delete", False),
    ("Wrappers", "allow", "Bash(watch acme)", "watch acme", True),
    ("What a Bash rule doesn't match", "deny", "Bash(curl *)", "curl https://example.com", True),
    ("What a Bash rule doesn't match", "deny", "Bash(rm *)", "rm -rf build/", True),
    ("Read-only commands", "ask", "Bash(ls *)", "ls -la", True),
    ("Redirections", "allow", "Bash(git commit *)", "git commit -m x > out.txt", False),
    ("Redirections", "allow", "Bash(acme *)", "acme > /dev/null 2>&1", True),
]
FILES = [
    ("Read and Edit", "deny", "Read(./.env)", "Read", "/work/repo/.env", True),
    ("Read and Edit", "deny", "Read(.env)", "Read", "/work/repo/sub/.env", True),
    ("Read and Edit", "deny", "Read(//etc/passwd)", "Read", "/etc/passwd", True),
    ("Read and Edit", "deny", "Read(//etc/passwd)", "Read", "/work/repo/etc/passwd", False),
    ("Read and Edit", "deny", "Read(~/.zshrc)", "Read", "/home/dev/.zshrc", True),
    ("Read and Edit", "deny", "Read(~/.zshrc)", "Read", "/work/repo/.zshrc", False),
    ("Read and Edit", "deny", "Read(/secrets/**)", "Read", "/work/repo/secrets/a", True),
    ("Read and Edit", "deny", "Read(/Users/alice/file)", "Read", "/Users/alice/file", False),
    ("Read and Edit", "deny", "Read(secrets/**)", "Read", "/work/repo/deep/secrets/a", True),
    ("Read and Edit", "deny", "Read(*.pem)", "Read", "/work/repo/deep/in/key.pem", True),
    ("Read and Edit", "deny", "Read(*.pem)", "Read", "/work/repo/deep/in/key.pub", False),
    ("Read and Edit", "deny", "Read(/notes/*)", "Read", "/work/repo/notes/a", True),
    ("Read and Edit", "deny", "Read(/secrets/a)", "Edit", "/work/repo/secrets/a", True),
    ("Read and Edit", "deny", "Read(/secrets/a)", "Write", "/work/repo/secrets/a", True),
    ("Read and Edit", "allow", "Edit(/docs/**)", "Edit", "/work/repo/docs/a.md", True),
    ("Read and Edit", "allow", "Edit(/docs/**)", "Edit", "/docs/a.md", False),
    ("Read and Edit", "allow", "Edit(/docs/**)", "Write", "/work/repo/docs/a.md", True),
    ("Read and Edit", "allow", "Edit(src/**)", "Edit", "/work/repo/src/a", True),
    ("Read and Edit", "allow", "Edit(src/**)", "Edit", "/work/repo/pkg/src/a", False),
    ("Read and Edit", "allow", "Edit(/src/**/*.ts)", "Edit", "/work/repo/src/a/b.ts", True),
    ("Read and Edit", "allow", "Edit(/src/**/*.ts)", "Edit", "/work/repo/src/a/b.js", False),
    ("Read and Edit", "allow", "Edit(~/Documents/*.txt)", "Edit", "/home/dev/Documents/a.txt", True),
    ("Read and Edit", "allow", "Edit(~/Documents/*.txt)", "Edit", "/home/dev/Documents/x/a.txt", False),
    ("Read and Edit", "allow", "Edit(//tmp/scratch.txt)", "Write", "/tmp/scratch.txt", True),
    ("Read and Edit", "allow", "Write(/docs/**)", "Write", "/work/repo/docs/a", False),
    ("Read and Edit", "allow", "NotebookEdit(/docs/**)", "Write", "/work/repo/docs/a", False),
    ("Read and Edit", "deny", "Edit(/vendor/**)", "Write", "/work/repo/vendor/a", True),
    ("Read and Edit", "deny", "Edit(/vendor/**)", "Edit", "/work/repo/src/a", False),
]
AGENT = {"prompt": "x", "description": "d"}
OTHERS = [
    ("WebFetch", "allow", "WebFetch(domain:example.com)", "WebFetch", {"url": "https://example.com/a"}, True),
    ("WebFetch", "allow", "WebFetch(domain:example.com)", "WebFetch", {"url": "https://example.org/a"}, False),
    ("WebFetch", "allow", "WebFetch(domain:EXAMPLE.com)", "WebFetch", {"url": "https://Example.com/a"}, True),
    ("WebFetch", "allow", "WebFetch(domain:*.example.com)", "WebFetch", {"url": "https://a.b.example.com"}, True),
    ("WebFetch", "deny", "WebFetch(domain:*.example.com)", "WebFetch", {"url": "https://example.com"}, False),
    ("WebFetch", "allow", "WebFetch(domain:example.*)", "WebFetch", {"url": "https://example.org"}, True),
    ("WebFetch", "allow", "WebFetch(domain:example.*)", "WebFetch", {"url": "https://example.evil.com"}, False),
    ("WebFetch", "allow", "WebFetch(domain:*)", "WebFetch", {"url": "https://a.b.c.example"}, True),
    ("WebFetch", "deny", "WebFetch(domain:example.com)", "WebFetch", {"url": "http://example.com"}, True),
    ("MCP", "allow", "mcp__puppeteer", "mcp__puppeteer__navigate", {"x": 1}, True),
    ("MCP", "allow", "mcp__puppeteer__*", "mcp__puppeteer__navigate", {"x": 1}, True),
    ("MCP", "allow", "mcp__puppeteer__navigate", "mcp__puppeteer__click", {"x": 1}, False),
    ("Tool name wildcards", "allow", "mcp__github__get_*", "mcp__github__get_issue", {"x": 1}, True),
    ("Tool name wildcards", "allow", "mcp__github__get_*", "mcp__github__close_issue", {"x": 1}, False),
    ("Tool name wildcards", "allow", "mcp__*", "mcp__github__get_issue", {"x": 1}, False),
    ("Tool name wildcards", "allow", "*", "mcp__github__get_issue", {"x": 1}, False),
    ("Tool name wildcards", "deny", "mcp__*", "mcp__github__get_issue", {"x": 1}, True),
    ("Tool name wildcards", "deny", "*", "mcp__github__get_issue", {"x": 1}, True),
    ("Match by input parameter", "deny", "Agent(model:opus)", "Agent", AGENT | {"model": "opus"}, True),
    ("Match by input parameter", "deny", "Agent(model : opus)", "Agent", AGENT | {"model": "opus"}, True),
    ("Match by input parameter", "deny", "Agent(model:opus)", "Agent", AGENT | {"model": "sonnet"}, False),
    ("Match by input parameter", "ask", "Agent(isolation:*)", "Agent", AGENT | {"isolation": "worktree"}, True),
    ("Match by input parameter", "ask", "Agent(model:*)", "Agent", AGENT | {"subagent_type": "x"}, False),
    ("Match by input parameter", "deny", "Agent(run_in_background:true)", "Agent",
     AGENT | {"run_in_background": True}, True),
    ("Match by input parameter", "deny", "Bash(command:acme *)", "Bash", {"command": "acme x"}, False),
    ("Agent (subagents)", "deny", "Agent(Explore)", "Agent", AGENT | {"subagent_type": "Explore"}, True),
    ("Agent (subagents)", "deny", "Agent(Explore)", "Agent", AGENT | {"subagent_type": "Plan"}, False),
    ("Agent (subagents)", "deny", "Task(Explore)", "Agent", AGENT | {"subagent_type": "Explore"}, True),
    ("Skills: Restrict Claude's skill access", "allow", "Skill(commit)", "Skill", {"skill": "commit"}, True),
    ("Skills: Restrict Claude's skill access", "allow", "Skill(commit)", "Skill", {"skill": "review-pr"}, False),
    ("Match by input parameter", "deny", "Skill(skill:commit)", "Skill", {"skill": "/commit", "args": "x"}, True),
    ("Skills: Restrict Claude's skill access", "allow", "Skill(review-pr *)", "Skill",
     {"skill": "review-pr", "args": "123"}, True),
]  # fmt: skip
STRICTER = [  # the last column: whether the rule speaks to the call at Claude Code; here it is the other way round
    ("Wildcard patterns", "deny", "Bash(git log * main)", "git -C x log -5 main", False),
    ("Wildcard patterns", "deny", "Bash(* --help *)", "acme --help", False),
    ("Wrappers", "allow", "Bash(npm test *)", "builtin npm test", True),
    ("Wrappers", "allow", "Bash(npm test *)", "noglob npm test", True),
    ("Wrappers", "allow", "Bash(npm test *)", "NODE_ENV=test npm test", True),
    ("Wrappers", "allow", "Bash(acme *)", "xargs acme pattern", True),
    ("What a Bash rule doesn't match", "deny", "Bash(curl *)", "/usr/bin/curl https://example.com", False),
    ("What a Bash rule doesn't match", "deny", "Bash(curl *)", "sh -c 'curl https://example.com'", False),
    ("What a Bash rule doesn't match", "deny", "Bash(rm *)", "bash -c 'rm -rf build/'", False),
    ("What a Bash rule doesn't match", "deny", "Bash(git push *)", "git -C . push origin main", False),
    ("What a Bash rule doesn't match", "deny", "Bash(git push *)", "git -c a.b=c push origin main", False),
    ("What a Bash rule doesn't match", "deny", "Bash(git push *)", "git 'push' origin main", False),
]
MORE = {"Read": {}, "Edit": {"old_string": "a", "new_string": "b"}, "Write": {"content": "c"}}
ROWS = [
    *((section, effect, rule, "Bash", {"command": command}, speaks) for section, effect, rule, command, speaks in BASH),
    *(
        (section, effect, rule, tool, {"file_path": path} | MORE[tool], speaks)
        for section, effect, rule, tool, path, speaks in FILES
    ),
    *(
        (section, effect, rule, tool, ({"prompt": "x"} if tool == "WebFetch" else {}) | given, speaks)
        for section, effect, rule, tool, given, speaks in OTHERS
    ),
]


def speaks_to(effect, rule, tool, tool_input):
    """Whether a rule, once it is imported, speaks to a call."""
    draft = Draft(beneath().vocabulary)
    read([File(Scope.PROJECT, json.dumps({"permissions": {effect: [rule]}}), "settings.json")], draft)
    policy = load_text(draft.as_yaml(), beneath())
    found = decide(policy, facts(policy, tool, tool_input))
    assert not isinstance(found, Undecided)
    return found.code == f"{effect}_rule"


@pytest.mark.parametrize(
    ("effect", "rule", "tool", "tool_input", "speaks"),
    [row[1:] for row in ROWS],
    ids=[f"{row[0]}: {row[1]} {row[2]} {next(reversed(row[4].values()))}" for row in ROWS],
)
def test_it_speaks_to_the_same_calls(effect, rule, tool, tool_input, speaks):
    assert speaks_to(effect, rule, tool, tool_input) is speaks


@pytest.mark.parametrize(
    ("effect", "rule", "command", "speaks"),
    [row[1:] for row in STRICTER],
    ids=[f"{row[0]}: {row[1]} {row[2]} {row[3]}" for row in STRICTER],
)
def test_where_it_differs_it_is_stricter(effect, rule, command, speaks):
    assert speaks_to(effect, rule, "Bash", {"command": command}) is not speaks
    assert speaks is (effect == "allow")


def test_there_are_enough_of_them():
    assert len(ROWS) >= 60
