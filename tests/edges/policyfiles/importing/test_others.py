"""Codex' rules, Gemini CLI's policies, OpenCode's permissions: as far as they mean the same here."""

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
prefix_rule(pattern=["ls"])
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
    assert [note.where for note in draft.notes] == ["x:7", "x:8"]


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
toolName = "write_file"
decision = "deny"
"""


def test_gemini():
    draft = drafted(gemini, GEMINI)
    assert draft.rules == {
        Effect.DENY: ["write_file"],
        Effect.ASK: ["Bash(git push *)", "Bash(npm publish *)"],
        Effect.ALLOW: ["mcp__jira__search", "mcp__jira__get"],
    }
    assert [(note.fate, note.where) for note in draft.notes] == [
        ("changed", "x rule 1"), ("changed", "x rule 1"), ("dropped", "x rule 2"),
    ]  # fmt: skip


OPENCODE = {
    "permission": {
        "edit": "ask",
        "webfetch": {"*.python.org": "allow", "*.pastebin.com": "deny"},
        "bash": {"*": "ask", "git status": "allow", "git push *": "ask", "rm *": "deny", "rm -i *": "allow"},
        "doom_loop": "ask",
    }
}


def test_opencode():
    draft = drafted(opencode, json.dumps(OPENCODE))
    assert draft.rules == {
        Effect.DENY: ["WebFetch(domain:*.pastebin.com)", "Bash(rm *)"],
        Effect.ASK: ["Edit", "Bash(git push *)"],
        Effect.ALLOW: ["WebFetch(domain:*.python.org)", "Bash(git status)"],
    }
    assert [note.entry for note in draft.notes] == ["*: ask", "rm -i *: allow", "doom_loop"]


@pytest.mark.parametrize(
    ("module", "text"),
    [(codex, "prefix_rule("), (gemini, "[[rule"), (gemini, "rule = 1"), (opencode, "{"), (opencode, "[]")],
)
def test_what_is_none_of_theirs_is_refused(module, text):
    with pytest.raises(ImportFault, match=r"^x: "):
        drafted(module, text)
