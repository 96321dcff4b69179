"""Whatever a file holds, it is imported or refused: what comes out is a policy that loads, and no entry is lost."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from lineclear.policyfiles.importing import claude_code, codex, gemini, opencode
from lineclear.policyfiles.importing.claude_rules import Scope
from lineclear.policyfiles.importing.draft import Draft
from lineclear.policyfiles.importing.faults import ImportFault
from lineclear.policyfiles.load import load_text
from support.rulings import beneath

TEXTS = st.one_of(
    st.sampled_from(["Bash", "Bash(", "Bash(npm *)", "Bash(a:*b)", "Read(/{a,b}/**)", "Agent(x:y)", "mcp__a__*", "*",
                     "Skill(skill:x)", "WebFetch(domain:*)", "Bash(find:*)", "Task(\n)", "Read(C:\\x)", "a b*?",
                     "~/x/*", "https://a.b/*", "$HOME", "allow", "ask", "deny"]),
    st.text(max_size=12),
)  # fmt: skip
VALUES = st.recursive(
    st.one_of(TEXTS, st.none(), st.booleans(), st.integers(-5, 5)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=4)),
    max_leaves=8,
)
LISTS = st.dictionaries(st.sampled_from(["allow", "ask", "deny", "defaultMode", "additionalDirectories"]), VALUES)
CLAUDE = st.fixed_dictionaries({}, optional={"permissions": LISTS, "hooks": VALUES})
TOOLS = st.dictionaries(st.one_of(st.sampled_from(["bash", "edit", "webfetch", "grep", "*", "task"]), TEXTS), VALUES)
OPENCODE = st.fixed_dictionaries({}, optional={"permission": st.one_of(TOOLS, TEXTS), "tools": VALUES, "agent": VALUES})


def loads(read) -> Draft:
    draft = Draft(beneath().vocabulary)
    try:
        read(draft)
    except ImportFault:
        return Draft(beneath().vocabulary)
    load_text(draft.as_yaml(), beneath())
    return draft


@settings(max_examples=150, deadline=None)
@given(CLAUDE, st.sampled_from(Scope))
def test_claude_code(content, scope):
    draft = loads(lambda draft: claude_code.read([claude_code.File(scope, json.dumps(content), "x")], draft))
    told = {entry for _, entry in draft.fates}
    lists = content.get("permissions", {})
    if draft.fates:
        entries = [one for effect in ("allow", "ask", "deny") for one in lists.get(effect) or []]
        assert {one if isinstance(one, str) else json.dumps(one) for one in entries} <= told


@settings(max_examples=150, deadline=None)
@given(OPENCODE)
def test_opencode(content):
    loads(lambda draft: opencode.read(json.dumps(content), "x", draft))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(TEXTS, VALUES), max_size=4))
def test_codex(rules):
    text = "\n".join(f"prefix_rule(pattern={value!r}, decision={decision!r})" for decision, value in rules)
    loads(lambda draft: codex.read(text, "x", draft))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.fixed_dictionaries({}, optional=dict.fromkeys(
    ("toolName", "commandPrefix", "mcpName", "decision", "denyMessage"), st.one_of(TEXTS, st.lists(TEXTS, max_size=2))
)), max_size=3))  # fmt: skip
def test_gemini(rules):
    text = "\n".join(
        "[[rule]]\n" + "\n".join(f"{key} = {json.dumps(one)}" for key, one in rule.items()) for rule in rules
    )
    loads(lambda draft: gemini.read(text, "x", draft))


def test_alternatives_without_end_are_dropped():
    draft = loads(lambda draft: codex.read(f"prefix_rule(pattern={[['a', 'b']] * 30})", "x", draft))
    assert [note.fate for note in draft.notes] == ["dropped"]
