"""Codex' rules, Gemini CLI's policies, OpenCode's permissions: what is carried over, and what is told of the rest."""

from __future__ import annotations

import json

import pytest

from lineclear.core.rules.rule import Effect
from lineclear.policyfiles.importing import codex, gemini, opencode
from lineclear.policyfiles.importing.draft import Draft
from lineclear.policyfiles.importing.faults import ImportFault
from lineclear.policyfiles.load import load_text
from support.rulings import beneath


def drafted(module, text):
    draft = Draft(beneath().vocabulary)
    module.read(text, "x", draft)
    load_text(draft.as_yaml(), beneath())
    return draft


CODEX = """
# a comment
prefix_rule(pattern=["git", "push"], decision="prompt")
prefix_rule(pattern=["git", ["fetch", "pull"]], decision="allow", match=["git fetch origin"])
prefix_rule(pattern=["rm", "-rf", "a b*"], decision="forbidden")
prefix_rule(pattern=["ls"], justification="it only looks")
prefix_rule(pattern=[name], decision="allow")
host_executable(name="git")
"""


def test_codex():
    draft = drafted(codex, CODEX)
    assert draft.rules == {
        Effect.DENY: [r"Bash(rm -rf \a\ \b\* *)"],
        Effect.ASK: ["Bash(git push *)"],
        Effect.ALLOW: ["Bash(git fetch *)", "Bash(git pull *)", "Bash(ls *)"],
    }
    assert [(note.fate, note.where) for note in draft.notes] == [
        ("changed", "x:6"), ("dropped", "x:7"), ("dropped", "x:8"),
    ]  # fmt: skip


GEMINI = """
[[rule]]
toolName = "run_shell_command"
commandPrefix = ["git push", "npm publish"]
decision = "ask_user"
priority = 100

[[rule]]
toolName = "run_shell_command"
commandRegex = "^rm .*"
decision = "deny"

[[rule]]
mcpName = "jira"
toolName = ["search", "get"]
decision = "allow"

[[rule]]
toolName = ["write_file", "mcp_wiki_delete_page", "mcp_old_*", "mcp_*"]
decision = "deny"
denyMessage = "ask first"

[[rule]]
commandPrefix = "make"
decision = "allow"
allowRedirection = true

[[safety_checker]]
toolName = "*"
"""


def test_gemini():
    draft = drafted(gemini, GEMINI)
    assert draft.rules == {
        Effect.DENY: ["write_file", "mcp__wiki__delete_page", "mcp__old", "mcp__*"],
        Effect.ASK: ["Bash(git push *)", "Bash(npm publish *)"],
        Effect.ALLOW: ["mcp__jira__search", "mcp__jira__get", "Bash(make *)"],
    }
    assert [(note.fate, note.where) for note in draft.notes] == [
        ("dropped", "x"), ("changed", "x rule 1"), ("dropped", "x rule 2"), ("changed", "x rule 4"),
        ("changed", "x rule 5"),
    ]  # fmt: skip


OPENCODE = {
    "permission": {
        "edit": "ask",
        "webfetch": {"https://docs.python.org/*": "allow", "https://*.pastebin.com/*": "deny", "*.py": "allow"},
        "bash": {"*": "ask", "git status": "allow", "git push *": "ask", "rm *": "deny", "rm -i *": "allow"},
        "doom_loop": "ask",
        "glob": {"**/.env": "deny"},
    },
    "tools": {"websearch": False, "read": True, "mine": False},
    "agent": {"review": {"permission": {"edit": "deny"}}, "plain": {"model": "x"}},
}


def test_opencode():
    draft = drafted(opencode, json.dumps(OPENCODE))
    assert draft.rules == {
        Effect.DENY: ["WebFetch(domain:*.pastebin.com)", "Bash(rm *)", "WebSearch"],
        Effect.ASK: ["Edit", "Bash(git push *)"],
        Effect.ALLOW: ["WebFetch(domain:docs.python.org)", "Bash(git status)"],
    }
    assert [note.entry for note in draft.notes if note.fate == "dropped"] == [
        "*.py: allow", "*: ask", "rm -i *: allow", "*: ask", "**/.env: deny", "read: true", "mine: false",
        "agent.review",
    ]  # fmt: skip


def test_opencode_s_comments_and_last_commas():
    text = """{ // {"permission": "allow"}
      /* a rule, */ "permission": {"bash": {"echo // , }": "ask", "rm *": "deny",},},
    }"""
    draft = drafted(opencode, text)
    assert draft.rules[Effect.DENY] == ["Bash(rm *)"]
    assert draft.rules[Effect.ASK] == [r"Bash(echo // , \})"]


@pytest.mark.parametrize(("action", "rules"), [("allow", []), ("ask", []), ("deny", ["*"])])
def test_opencode_s_one_action_for_all(action, rules):
    draft = drafted(opencode, json.dumps({"permission": action}))
    assert [text for texts in draft.rules.values() for text in texts] == rules
    assert len(draft.notes) == 1


@pytest.mark.parametrize(
    ("module", "text"),
    [(codex, "prefix_rule("), (gemini, "[[rule"), (gemini, "rule = 1"), (opencode, "{"), (opencode, "[]")],
)
def test_what_is_none_of_theirs_is_refused(module, text):
    with pytest.raises(ImportFault, match=r"^x: "):
        drafted(module, text)
