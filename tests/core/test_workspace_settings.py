"""Settings of the workspace that make a policy stricter: which repositories are trusted, and reads of whole folders."""

import pytest

from support.judging import answer, call

LISTED = "version: 1\nworkspace: {trust_repositories: listed, trusted_repositories: ['~/src/**', //work/repo]}\n"
ASKED = "version: 1\nworkspace: {recursive_reads: ask}\n"


@pytest.mark.parametrize(
    ("cwd", "expected"),
    [
        ("/work/repo", "allow read_only_command"),
        ("/work/repo/deep/in", "allow read_only_command"),
        ("/home/dev/src/x", "allow read_only_command"),
        ("/work/other", "ask default_mode"),
        ("/home/dev/srcs/x", "ask default_mode"),
    ],
)
def test_only_listed_repositories_are_trusted(cwd, expected):
    request = call("Bash", {"command": "git status"})
    environment = {**request["environment"], "workspace_roots": [cwd]}
    assert answer({**request, "cwd": cwd, "environment": environment}, LISTED) == expected


def test_a_listed_repository_that_is_a_link_elsewhere_isnt_trusted():
    request = call("Bash", {"command": "git status"})
    environment = {**request["environment"], "resolved_paths": {"/work/repo": "/work/other"}}
    assert answer({**request, "environment": environment}, LISTED) == "ask default_mode"


@pytest.mark.parametrize(
    ("tool", "tool_input"),
    [
        ("Bash", {"command": "grep -r token ."}),
        ("Bash", {"command": "rg token src"}),
        ("Grep", {"pattern": "token"}),
        ("Grep", {"pattern": "token", "path": "/work/repo/src"}),
    ],
    ids=str,
)
def test_reads_of_whole_folders_are_asked_where_the_policy_says_so(tool, tool_input):
    assert answer(call(tool, tool_input), ASKED) == "ask protected_path"
    assert answer(call(tool, tool_input)).startswith("allow ")


def test_a_read_of_one_file_isnt():
    assert answer(call("Bash", {"command": "grep token README.md"}), ASKED) == "allow read_only_command"
    assert answer(call("Read", {"file_path": "/work/repo/a"}), ASKED) == "allow safe_tool"
