"""A search reads what its pattern names below its folder, whatever a host calls the two."""

from __future__ import annotations

import pytest

from support.judging import answer, call

BELOW = [
    ("claude-code", "Grep", "path", "glob"),
    ("claude-code", "Glob", "path", "pattern"),
    ("codex", "grep_files", "path", "include"),
    ("gemini-cli", "grep_search", "dir_path", "include_pattern"),
    ("gemini-cli", "glob", "dir_path", "pattern"),
    ("opencode", "grep", "path", "include"),
    ("openhands", "glob", "path", "pattern"),
    ("cline", "search_files", "path", "file_pattern"),
    ("kinetaios", "grep", "path", "glob"),
]
PROTECTED = [".env*", ".{env,x}", "{a,.env}", "*.ts, .env", "*.ts .env", "**/.env", "[.]env", "*.{env,x}", "../.env"]
HARMLESS = ["*.py", "*.{ts,tsx}", "!.env", "*", "**/*"]


def searched(tool, host="claude-code", **given):
    asked = {"pattern": "x", "regex": "x"} | given
    return answer(call(tool, asked, agent={"host": host, "type": "main"}))


@pytest.mark.parametrize(("host", "tool", "folder", "pattern"), BELOW)
def test_a_denied_file_below_the_folder_is_denied(host, tool, folder, pattern):
    assert searched(tool, host, **{folder: "/etc", pattern: "shadow"}) == "deny deny_rule"
    assert searched(tool, host, **{folder: "/", pattern: "etc/{hosts,shadow}"}) == "deny deny_rule"


@pytest.mark.parametrize("pattern", PROTECTED)
def test_a_protected_name_is_a_question(pattern):
    assert searched("Grep", path="src", glob=pattern) == "ask protected_path"


@pytest.mark.parametrize("pattern", HARMLESS)
def test_what_names_nothing_protected_asks_nothing(pattern):
    assert searched("Grep", path="src", glob=pattern) == "allow safe_tool"


def test_more_patterns_than_are_looked_at_are_refused():
    assert searched("Grep", path="src", glob=" ".join(f"a{n}" for n in range(300))) == "deny input_invalid"
    assert searched("Grep", path="src", glob="{a,b}" * 20) == "deny input_invalid"
