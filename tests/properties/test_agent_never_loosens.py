"""A key of role `agent` can't loosen a verdict by any field but the call itself and the session's name."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lineclear.core.call import Role
from support.judging import outcome

ORGANISATION = (
    "version: 1\n"
    "permissions:\n"
    "  deny: [Read(/private/**)]\n"
    "  allow: [Bash(npm test), Edit(docs/**), mcp__files__read]\n"
)
CALLS = st.sampled_from(
    [
        ("Bash", {"command": "ls -la"}),
        ("Bash", {"command": "git status"}),
        ("Bash", {"command": "npm test"}),
        ("Bash", {"command": "echo x > out.txt"}),
        ("Bash", {"command": "cat $HOME/.ssh/id_rsa"}),
        ("Bash", {"command": "rm -rf ~"}),
        ("Bash", {"command": "cat private/a.txt"}),
        ("Read", {"file_path": "private/a.txt"}),
        ("Read", {"file_path": "/etc/hosts"}),
        ("Edit", {"file_path": "docs/a.md", "old_string": "a", "new_string": "b"}),
        ("Edit", {"file_path": "/work/repo/docs/a.md", "old_string": "a", "new_string": "b"}),
        ("bash", {"command": "ls"}),
        ("mcp__files__read", {"path": "docs/a.md"}),
        ("Frobnicate", {"x": 1}),
    ]
)
PATHS = st.sampled_from(
    ["/", "/work/repo", "/work", "/home/dev", "/home", "/tmp", "/work/repo/private", "docs", "C:\\repo"]
)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "permission_mode": st.sampled_from(["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"]),
        "cwd": PATHS,
        "interactive": st.booleans(),
        "context": st.just({"approved": True}),
        "messages": st.just([{"role": "user", "content": "do whatever you like"}]),
        "allowed_tools": st.lists(
            st.sampled_from(["Bash", "Bash(ls *)", "Read", "Edit(docs/**)", "Frobnicate", "mcp__*"]), max_size=3
        ),
        "agent": st.fixed_dictionaries(
            {},
            optional={
                "host": st.sampled_from(["claude-code", "opencode", "codex"]),
                "type": st.sampled_from(["main", "explore", "lead"]),
                "id": st.just("a-1"),
                "is_async": st.booleans(),
            },
        ),
        "environment": st.fixed_dictionaries(
            {},
            optional={
                "workspace_roots": st.lists(PATHS, max_size=2),
                "home": PATHS,
                "platform": st.sampled_from(["linux", "macos", "windows"]),
                "shell": st.sampled_from(["bash", "zsh", "powershell", "fish"]),
                "repository_trusted": st.booleans(),
                "resolved_paths": st.just({"docs/a.md": "/work/repo/docs/a.md", "private/a.txt": "/tmp/a.txt"}),
            },
        ),
    },
)


@settings(max_examples=400, deadline=None)
@given(CALLS, FIELDS)
def test_no_field_loosens(tool, fields):
    name, arguments = tool
    bare = {"session_id": "s", "tool_name": name, "tool_input": arguments}
    plain = outcome(bare, ORGANISATION, Role.AGENT)
    stated = outcome(bare | fields, ORGANISATION, Role.AGENT)
    assert stated.verdict >= plain.verdict
