"""Claude Code's settings: what is carried over as it is, what with a note, and what is named as dropped."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from lineclear.policyfiles.importing.claude_code import File, read
from lineclear.policyfiles.importing.claude_rules import Scope
from lineclear.policyfiles.importing.draft import Draft, Fate
from lineclear.policyfiles.importing.faults import ImportFault
from lineclear.policyfiles.load import load_text
from support.given import corpora
from support.rulings import beneath


def drafted_together(*files):
    """What becomes of several files, each given as a scope and its settings."""
    draft = Draft(beneath().vocabulary)
    read([File(scope, json.dumps(settings), f"{scope}.json") for scope, settings in files], draft)
    load_text(draft.as_yaml(), beneath())
    return draft


def drafted(settings, scope=Scope.PROJECT):
    draft = Draft(beneath().vocabulary)
    read([File(scope, json.dumps(settings), "settings.json")], draft)
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
    "a path rule of another tool": ("Write(/a)", "deny", Scope.PROJECT, ["Write(/a)"], "`Read` and `Edit` only"),
    "a last star behind another": ("Bash(* -h *)", "allow", Scope.PROJECT, ["Bash(* -h * *)"], "written twice"),
    "a field of a server's tool": ("mcp__a__b(x:y)", "deny", Scope.PROJECT, ["mcp__a__b(x:y)"], "goes past rules"),
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
    "a path rule of a tool that isn't asked for": ("Write(/docs/**)", "write `Edit(/docs/**)`"),
    "any command of a program that runs others": ("Bash(watch *)", "name each call"),
    "find with anything": ("Bash(find:*)", "what of it only reads needs no rule"),
    "the field that a tool acts on": ("Bash(command:rm *)", "goes past rules about `command`"),
    "another field of a shell": ("Bash(run_in_background:true)", "`input: {run_in_background: true}`"),
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


SETTINGS = {"permissions": {"allow": ["Bash(make)"], "deny": ["Bash(rm *)"], "defaultMode": "acceptEdits"}}


def test_files_are_taken_together():
    draft = drafted_together((Scope.USER, SETTINGS), (Scope.LOCAL, {"permissions": {"deny": ["Bash(make)"]}}))
    assert [text for texts in draft.rules.values() for text in texts] == ["Bash(rm *)", "Bash(make)", "Bash(make)"]


@pytest.mark.parametrize("turned", [False, True])
def test_the_strongest_file_s_mode_counts_whatever_the_order(turned):
    files = [(Scope.MANAGED, {"permissions": {"defaultMode": "plan"}}), (Scope.USER, SETTINGS)]
    assert drafted_together(*(reversed(files) if turned else files)).default_mode == "plan"


def test_only_managed_rules_count_where_the_managed_file_says_so():
    managed = {"allowManagedPermissionRulesOnly": True, "permissions": {"deny": ["WebFetch"]}}
    draft = drafted_together((Scope.USER, SETTINGS), (Scope.MANAGED, managed))
    assert [text for texts in draft.rules.values() for text in texts] == ["WebFetch"]
    assert {"Bash(make)", "Bash(rm *)"} <= {note.entry for note in draft.notes if "managed settings say" in note.why}


def test_the_same_word_in_another_file_closes_nothing():
    draft = drafted_together((Scope.PROJECT, SETTINGS | {"allowManagedPermissionRulesOnly": True}))
    assert "Bash(rm *)" in [text for texts in draft.rules.values() for text in texts]


@pytest.mark.parametrize("mode", ["auto", "bypassPermissions"])
@pytest.mark.parametrize("scope", [Scope.PROJECT, Scope.LOCAL])
def test_a_project_begins_in_no_mode_that_asks_less(scope, mode):
    draft = drafted({"permissions": {"defaultMode": mode}}, scope)
    assert draft.default_mode is None
    assert [note.fate for note in draft.notes] == [Fate.DROPPED]


@pytest.mark.parametrize("letter", ["ü", "\U0001f680", "\u202e", "\x07", '\\"', "\ufeff"])
def test_any_letter_comes_through(letter):
    entry = f"Bash(acme '{letter}')"
    draft = drafted({"permissions": {"deny": [entry]}})
    (rule,) = load_text(draft.as_yaml(), beneath()).rules.rules
    assert rule.commands[0].text == f"acme '{letter}'"


def test_half_a_letter_is_dropped():
    assert of("Bash(acme '\ud83d')")[0] == []


@pytest.mark.parametrize("text", ["", "[]", "{", '{"permissions": []}', '{"permissions": {"allow": "Bash"}}'])
def test_what_is_no_settings_file_is_refused(text):
    with pytest.raises(ImportFault, match=r"settings\.json"):
        read([File(Scope.PROJECT, text, "settings.json")], Draft(beneath().vocabulary))


def test_every_public_list_is_taken_and_nothing_of_it_is_lost():
    """Of each entry it is known what became of it: as many as there are were carried over, changed or dropped."""
    lists = [json.loads(line)["permissions"] for line in (corpora() / "claude_settings.jsonl").read_text().splitlines()]
    fates = Counter()
    for permissions in lists:
        draft = drafted({"permissions": permissions})
        entries = {
            (f"settings.json permissions.{effect}", entry)
            for effect in ("allow", "ask", "deny")
            for entry in permissions.get(effect) or []
        }
        found = {key: fate for key, fate in draft.fates.items() if " permissions." in key[0]}
        assert found.keys() == entries
        reasons = {(note.where, note.entry) for note in draft.notes}
        assert {key for key, fate in found.items() if fate is not Fate.CARRIED} <= reasons
        assert any(draft.rules.values()) is (set(found.values()) - {Fate.DROPPED} != set())
        fates.update(found.values())
    assert len(lists) >= 25
    assert fates[Fate.CARRIED] > fates[Fate.DROPPED]
