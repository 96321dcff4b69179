"""What Claude Code's documentation says of a rule holds for the rule once it is imported.

Each row: a rule, a call, and whether the rule speaks to it. Sources are the sections of "Configure permissions"
(code.claude.com/docs/en/permissions) and of "Settings" beside it, as of 2026-11.
"""

import json

import pytest

from lineclear.core.checks import Undecided, decide
from lineclear.policyfiles.importing.claude_code import Scope, read
from lineclear.policyfiles.importing.draft import Draft
from lineclear.policyfiles.load import load_text
from support.rulings import beneath, facts

BASH = [  # "Bash": wildcards, word boundaries, compound commands, wrappers
    ("allow", "Bash", "npm run build", True),
    ("allow", "Bash(*)", "npm run build", True),
    ("allow", "Bash(npm run build)", "npm run build", True),
    ("allow", "Bash(npm run build)", "npm run build --watch", False),
    ("allow", "Bash(npm run test *)", "npm run test", True),
    ("allow", "Bash(npm run test *)", "npm run test unit", True),
    ("allow", "Bash(npm run test *)", "npm run tests", False),
    ("allow", "Bash(npm run test:*)", "npm run test --watch", True),
    ("allow", "Bash(npm run test:*)", "npm install", False),
    ("allow", "Bash(npm *)", "npm install left-pad", True),
    ("allow", "Bash(npm *)", "npmx install", False),
    ("allow", "Bash(touch *)", "touch a", True),
    ("allow", "Bash(touchx*)", "touchxyz -a", True),
    ("allow", "Bash(* --version)", "terraform --version", True),
    ("allow", "Bash(* --help *)", "terraform --help plan", True),
    ("allow", "Bash(git * main)", "git checkout main", True),
    ("allow", "Bash(git * main)", "git merge main", True),
    ("allow", "Bash(git * main)", "git checkout develop", False),
    ("allow", "Bash(npm test)", "npm test && npm publish", False),
    ("allow", "Bash(safe-cmd *)", "safe-cmd && other-cmd", False),
    ("allow", "Bash(safe-cmd *)", "safe-cmd; other-cmd", False),
    ("allow", "Bash(safe-cmd *)", "safe-cmd | other-cmd", False),
    ("allow", "Bash(safe-cmd *)", "safe-cmd & other-cmd", False),
    ("allow", "Bash(safe-cmd *)", "safe-cmd\nother-cmd", False),
    ("allow", "Bash(npm test *)", "timeout 30 npm test", True),
    ("allow", "Bash(npm test *)", "time npm test", True),
    ("allow", "Bash(npm test *)", "nice npm test", True),
    ("allow", "Bash(npm test *)", "nohup npm test", True),
    ("allow", "Bash(npm test *)", "stdbuf -o0 npm test", True),
    ("allow", "Bash(npm test *)", "docker exec x npm test", False),
    ("allow", "Bash(npm test *)", "npx npm test", False),
    ("deny", "Bash(curl *)", "curl https://example.com", True),
    ("deny", "Bash(curl *)", "cd x && curl https://example.com", True),
    ("deny", "Bash(curl *)", "echo a | curl -d @- https://example.com", True),
    ("deny", "Bash(curl *)", "wget https://example.com", False),
    ("deny", "Bash(rm *)", "echo $(rm a)", True),
    ("deny", "Bash(git push *)", "git status", False),
    ("ask", "Bash(git push *)", "git push origin main", True),
    ("ask", "Bash(git push *)", "git pull", False),
    ("ask", "Bash(docker run:*)", "docker run -it x", True),
]
FILES = [  # "Read and Edit": the four anchors, gitignore's patterns
    ("deny", "Read(./.env)", "Read", "/work/repo/.env", True),
    ("deny", "Read(.env)", "Read", "/work/repo/sub/.env", True),
    ("deny", "Read(//etc/passwd)", "Read", "/etc/passwd", True),
    ("deny", "Read(//etc/passwd)", "Read", "/work/repo/etc/passwd", False),
    ("deny", "Read(~/.zshrc)", "Read", "/home/dev/.zshrc", True),
    ("deny", "Read(~/.zshrc)", "Read", "/work/repo/.zshrc", False),
    ("deny", "Read(/secrets/**)", "Read", "/work/repo/secrets/a", True),
    ("deny", "Read(./secrets/**)", "Read", "/work/repo/secrets/deep/a", True),
    ("deny", "Read(*.pem)", "Read", "/work/repo/deep/in/key.pem", True),
    ("deny", "Read(*.pem)", "Read", "/work/repo/deep/in/key.pub", False),
    ("allow", "Edit(/docs/**)", "Edit", "/work/repo/docs/a.md", True),
    ("allow", "Edit(/docs/**)", "Edit", "/docs/a.md", False),
    ("allow", "Edit(/src/**/*.ts)", "Edit", "/work/repo/src/a/b.ts", True),
    ("allow", "Edit(/src/**/*.ts)", "Edit", "/work/repo/src/a/b.js", False),
    ("allow", "Edit(~/Documents/*.txt)", "Edit", "/home/dev/Documents/a.txt", True),
    ("allow", "Edit(~/Documents/*.txt)", "Edit", "/home/dev/Documents/x/a.txt", False),
    ("allow", "Edit(//tmp/scratch/**)", "Write", "/tmp/scratch/a.txt", True),
    ("allow", "Edit(/src/*.{ts,tsx})", "Edit", "/work/repo/src/a.tsx", True),
    ("deny", "Edit(/vendor/**)", "Write", "/work/repo/vendor/a", True),
    ("deny", "Edit(/vendor/**)", "Edit", "/work/repo/src/a", False),
]
OTHERS = [  # "WebFetch", "MCP", "Agents", "Skills"
    ("allow", "WebFetch(domain:example.com)", "WebFetch", {"url": "https://example.com/a", "prompt": "x"}, True),
    ("allow", "WebFetch(domain:example.com)", "WebFetch", {"url": "https://example.org/a", "prompt": "x"}, False),
    ("allow", "WebFetch(domain:*.example.com)", "WebFetch", {"url": "https://a.example.com", "prompt": "x"}, True),
    ("deny", "WebFetch(domain:example.com)", "WebFetch", {"url": "http://example.com", "prompt": "x"}, True),
    ("allow", "mcp__puppeteer", "mcp__puppeteer__navigate", {"x": 1}, True),
    ("allow", "mcp__puppeteer__*", "mcp__puppeteer__navigate", {"x": 1}, True),
    ("allow", "mcp__puppeteer__navigate", "mcp__puppeteer__click", {"x": 1}, False),
    ("deny", "mcp__puppeteer", "mcp__puppeteer__click", {"x": 1}, True),
    ("deny", "Agent(Explore)", "Agent", {"subagent_type": "Explore", "prompt": "x", "description": "d"}, True),
    ("deny", "Agent(Explore)", "Agent", {"subagent_type": "Plan", "prompt": "x", "description": "d"}, False),
    ("deny", "Task(Explore)", "Agent", {"subagent_type": "Explore", "prompt": "x", "description": "d"}, True),
    ("allow", "Skill(commit)", "Skill", {"skill": "commit"}, True),
    ("allow", "Skill(commit)", "Skill", {"skill": "review-pr"}, False),
    ("allow", "Skill(review-pr *)", "Skill", {"skill": "review-pr", "args": "123"}, True),
]
MORE = {"Read": {}, "Edit": {"old_string": "a", "new_string": "b"}, "Write": {"content": "c"}}
ROWS = [
    *((effect, rule, "Bash", {"command": command}, speaks) for effect, rule, command, speaks in BASH),
    *((effect, rule, tool, {"file_path": path} | MORE[tool], speaks) for effect, rule, tool, path, speaks in FILES),
    *OTHERS,
]


def imported(effect, rule):
    draft = Draft(beneath().vocabulary)
    read(json.dumps({"permissions": {effect: [rule]}}), Scope.PROJECT, "settings.json", draft)
    return load_text(draft.as_yaml(), beneath())


@pytest.mark.parametrize(
    ("effect", "rule", "tool", "tool_input", "speaks"),
    ROWS,
    ids=[f"{effect} {rule} {next(iter(tool_input.values()))}" for effect, rule, _, tool_input, _ in ROWS],
)
def test_it_speaks_to_the_same_calls(effect, rule, tool, tool_input, speaks):
    policy = imported(effect, rule)
    found = decide(policy, facts(policy, tool, tool_input))
    assert not isinstance(found, Undecided)
    assert (found.code == f"{effect}_rule") is speaks


def test_there_are_enough_of_them():
    assert len(ROWS) >= 60
