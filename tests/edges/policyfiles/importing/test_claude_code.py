"""Claude Code's settings: what is carried over as it is, what with a note, and what is named as dropped."""

import json
import os
from pathlib import Path

import pytest

from lineclear.policyfiles.importing.claude_code import Scope, read
from lineclear.policyfiles.importing.draft import Draft
from lineclear.policyfiles.importing.faults import ImportFault
from lineclear.policyfiles.load import load_text
from support.rulings import beneath

CORPORA = Path(os.environ.get("LINECLEAR_CORPORA", Path(__file__).parents[5] / "shared" / "corpora"))


def drafted(settings, scope=Scope.PROJECT):
    draft = Draft(beneath().vocabulary)
    read(json.dumps(settings), scope, "settings.json", draft)
    load_text(draft.as_yaml(), beneath())
    return draft


def of(entry, effect="allow", scope=Scope.PROJECT):
    draft = drafted({"permissions": {effect: [entry]}}, scope)
    return [text for texts in draft.rules.values() for text in texts], [str(note) for note in draft.notes]


CHANGED = {
    "an older name": ("Task(Explore)", "allow", Scope.PROJECT, ["Agent(Explore)"], "`Agent` here"),
    "a slash command": ("SlashCommand(/deploy *)", "allow", Scope.PROJECT, ["Skill(deploy *)"], "`Skill` here"),
    "a path of the user's settings": ("Read(/notes/**)", "deny", Scope.USER, ["Read(~/.claude/notes/**)"], "began at"),
    "a path of managed settings": ("Read(/notes/**)", "deny", Scope.MANAGED, ["Read(/notes/**)"], "began at"),
    "a variable in a denial": ("Bash(A=1 rm *)", "deny", Scope.PROJECT, ["Bash(rm *)"], "don't matter"),
    "a star within quotes": ('Bash(grep "*" a)', "allow", Scope.PROJECT, ['Bash(grep "*" a)'], "within quotes"),
}


@pytest.mark.parametrize(("entry", "effect", "scope", "rules", "why"), CHANGED.values(), ids=CHANGED)
def test_what_changes_is_noted(entry, effect, scope, rules, why):
    found, (note,) = of(entry, effect, scope)
    assert found == rules
    assert note.startswith("changed: settings.json permissions.")
    assert why in note


DROPPED = {
    "a whole command line": ("Bash(npm test && npm publish)", "the operator `&`"),
    "a pipe": ("Bash(cat a | grep b)", "the operator `|`"),
    "a substitution": ("Bash(echo $(id))", "substitution"),
    "a heredoc": ("Bash(cat <<'EOF'\nx\nEOF\n)", "operator"),
    "a piece of a loop": ("Bash(do echo *)", "a word of the shell"),
    "the end of one": ("Bash(done)", "a word of the shell"),
    "a variable": ("Bash(NODE_ENV=test npm test)", "sets a variable"),
    "every server": ("mcp__*", "too broad"),
    "everything": ("*", "too broad"),
    "arguments of a server's tool": ("mcp__x__y(z)", "long form"),
    "a tool that there isn't": ("Create", "no catalogue has a tool `Create`"),
    "brackets in a path": ("Edit(/a[0-9].txt)", "bracket"),
    "something else than a text": ({"tool": "Bash"}, "a rule is a text"),
    "an open bracket": ("Bash(npm test", "closing bracket"),
}


@pytest.mark.parametrize(("entry", "why"), DROPPED.values(), ids=DROPPED)
def test_what_is_dropped_is_named_with_its_reason(entry, why):
    found, (note,) = of(entry)
    assert found == []
    assert note.startswith("dropped: settings.json permissions.allow: ")
    assert why in note


def test_braces_are_written_out():
    assert of("Edit(/src/{a,b}/*.{ts,tsx})") == (
        ["Edit(/src/a/*.ts)", "Edit(/src/a/*.tsx)", "Edit(/src/b/*.ts)", "Edit(/src/b/*.tsx)"],
        [],
    )
    assert of("Edit(" + "/{a,b,c,d}" * 4 + ")")[0] == []


def test_what_isnt_about_rules_is_named():
    draft = drafted({"hooks": {}, "permissions": {"additionalDirectories": ["/x"], "defaultMode": "acceptEdits"}})
    assert draft.default_mode == "acceptEdits"
    assert {note.entry for note in draft.notes} == {"hooks", "additionalDirectories"}


def test_a_mode_that_asks_nobody_isnt_taken_over():
    draft = drafted({"permissions": {"defaultMode": "bypassPermissions"}})
    assert draft.default_mode is None
    assert [note.entry for note in draft.notes] == ["defaultMode: bypassPermissions"]


def test_a_note_cant_break_out_of_its_comment():
    draft = drafted({"permissions": {"allow": ["Bash(a &&\nb)\u2028permissions: {allow: [Bash]}"]}})
    assert draft.rules[next(iter(draft.rules))] == []
    assert all(line.startswith(("#", "version:")) for line in draft.as_yaml().splitlines())


@pytest.mark.parametrize("text", ["", "[]", "{", '{"permissions": []}', '{"permissions": {"allow": "Bash"}}'])
def test_what_is_no_settings_file_is_refused(text):
    with pytest.raises(ImportFault, match=r"settings\.json"):
        read(text, Scope.PROJECT, "settings.json", Draft(beneath().vocabulary))


@pytest.mark.skipif(not CORPORA.is_dir(), reason=f"no corpora in {CORPORA} (LINECLEAR_CORPORA)")
def test_every_public_list_is_taken_and_nothing_of_it_is_lost():
    for line in (CORPORA / "claude_settings.jsonl").read_text().splitlines():
        permissions = json.loads(line)["permissions"]
        draft = drafted({"permissions": permissions})
        noted = {note.entry for note in draft.notes}
        carried = {text for texts in draft.rules.values() for text in texts}
        for effect in ("allow", "ask", "deny"):
            for entry in permissions.get(effect) or []:
                assert entry.strip() in carried or entry in noted or entry.endswith("(*)")
