"""Into more than twenty configurations: valid, all else byte for byte as it was, again nothing, and out again."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineclear.hosts.setup.edits import added, entries_of_ours, removed
from lineclear.hosts.setup.tree import Unfit, parse, plain

ENTRIES = {
    ("hooks", "PreToolUse"): {
        "matcher": "*",
        "hooks": [{"type": "command", "command": "python3 -I -S /x/lineclear_hook.py x"}],
    },
    ("hooks", "SessionEnd"): {"hooks": [{"type": "command", "command": "python3 -I -S /x/lineclear_hook.py x"}]},
}
CONFIGURATIONS = {
    "nothing": "",
    "white space": "\n\n",
    "empty object": "{}",
    "empty object, newline": "{}\n",
    "one line": '{"model":"opus","env":{"A":"1"}}',
    "two spaces": '{\n  "model": "opus"\n}\n',
    "four spaces": '{\n    "model": "opus",\n    "env": {\n        "A": "1"\n    }\n}\n',
    "tabs": '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n',
    "carriage returns": '{\r\n  "model": "opus"\r\n}\r\n',
    "byte order mark": '\ufeff{\n  "model": "opus"\n}\n',
    "no newline at the end": '{\n  "model": "opus"\n}',
    "comments": '// mine\n{\n  "model": "opus", // the best\n  /* and */ "env": {} // nothing\n  // the end\n}\n',
    "trailing commas": '{\n  "hooks": {\n    "PreToolUse": [\n      {"hooks": []}, // one\n    ],\n  },\n}\n',
    "hooks of others": '{\n  "hooks": {\n    "PreToolUse": [\n      {"matcher": "Bash", "hooks": [{"type": "command", '
    '"command": "mine"}]}\n    ]\n  }\n}\n',
    "the other event": '{\n  "hooks": {\n    "Stop": [{"hooks": []}]\n  },\n  "z": 1\n}\n',
    "empty hooks": '{\n  "hooks": {}\n}\n',
    "empty list": '{\n  "hooks": {\n    "PreToolUse": []\n  }\n}\n',
    "a comment in an empty list": '{\n  "hooks": {\n    "PreToolUse": [\n      // none yet\n    ]\n  }\n}\n',
    "a comment before the end of a list": '{"hooks": {"PreToolUse": [1, // one\n 2 // two\n]}}',
    "escapes": '{\n  "na\\"me": "{[,]}//",\n  "hooks": {"PreToolUse": [1, "a,b", {"x": "\\\\"}]}\n}\n',
    "unicode": '{\n  "名前": "日本語 🚂",\n  "hooks": {}\n}\n',
    "blank lines": '{\n\n  "a": 1,\n\n  "b": 2\n\n}\n',
    "a comment that ends like an object begins": "{\n  // hooks: {\n}\n",
    "a comment that ends like a list begins": '{\n  "hooks": {\n    "PreToolUse": [ // [\n    ]\n  }\n}\n',
    "keys like ours deeper": '{\n  "x": {"hooks": {"PreToolUse": []}}\n}\n',
}


def value(text):
    return plain(parse(text)) if text.strip() else {}


@pytest.fixture(params=CONFIGURATIONS)
def text(request):
    return CONFIGURATIONS[request.param]


def test_the_entries_are_in_and_all_else_is_as_it_was(text):
    before, after = value(text), value(added(text, ENTRIES))
    for (_, event), entry in ENTRIES.items():
        assert after["hooks"][event].pop() == entry
    expected = dict(before) | {"hooks": {"PreToolUse": [], "SessionEnd": []} | before.get("hooks", {})}
    assert after == expected


def test_every_byte_of_what_was_there_is_still_there_in_its_order(text):
    new = iter(added(text, ENTRIES))
    assert all(char in new for char in text.strip("\n"))


def test_again_changes_nothing(text):
    once = added(text, ENTRIES)
    assert added(once, ENTRIES) == once


def test_out_again_only_ours_is_gone(text):
    after = removed(added(text, ENTRIES), tuple(ENTRIES))
    assert entries_of_ours(after, tuple(ENTRIES)) == 0
    kept = value(text)
    for event in [name for name, items in kept.get("hooks", {}).items() if not items and name == "PreToolUse"]:
        del kept["hooks"][event]
    if not kept.get("hooks", True):
        del kept["hooks"]
    assert value(after) == kept


def test_a_changed_entry_takes_the_place_of_the_old_one(text):
    changed = {path: json.loads(json.dumps(entry).replace(".py x", ".py y")) for path, entry in ENTRIES.items()}
    again = added(added(text, ENTRIES), changed)
    assert value(again) == value(added(text, changed))


def test_members_of_the_document_stay_as_they_are():
    assert json.loads(added('{"version": 7}', ENTRIES, {"version": 1}))["version"] == 7
    assert json.loads(added("", ENTRIES, {"version": 1}))["version"] == 1


@pytest.mark.parametrize(
    ("broken", "word"),
    [
        ("{", "JSON"),
        ("[]", "no object"),
        ('{"a": 1} x', "follows"),
        ('{"hooks": []}', "no object"),
        ('{"hooks": {"PreToolUse": {}}}', "no list"),
        ('{"hooks": {"PreToolUse": "x"}}', "no list"),
        ('{"hooks": {}, "hooks": {}}', "twice"),
        ("{'a': 1}", "JSON"),
        ('{"a": tru}', "JSON"),
        ('{"a" 1}', "JSON"),
        ('{"a": 1 /* }', "no end"),
        ("[" * 100, "deeply"),
        ('{"a": "x}', "JSON"),
        ("null", "no object"),
    ],
)
def test_what_is_broken_is_left_alone_and_said(broken, word):
    with pytest.raises(Unfit, match=word):
        added(broken, ENTRIES)


def command(text: str) -> dict[str, str]:
    return {"type": "command", "command": text}


GUARD = command("/home/me/guard.sh")
OURS = ENTRIES["hooks", "PreToolUse"]["hooks"][0]
THEIRS = {
    "an address that ends alike": {"hooks": [{"type": "http", "url": "https://corp.example/v1/hooks/claude-code"}]},
    "a wrapper of the shim": {"hooks": [command("my-wrapper -- python3 -I -S /x/lineclear_hook.py x")]},
    "a script that names it": {"hooks": [command("grep -q lineclear_hook.py log")]},
    "an unclosed quote": {"hooks": [command("python3 -I -S '/x/lineclear_hook.py")]},
    "no hooks at all": {"hooks": []},
    "a text": "lineclear_hook.py",
}


@pytest.mark.parametrize("theirs", THEIRS.values(), ids=THEIRS)
def test_what_only_looks_like_ours_is_left_alone(theirs):
    before = {"hooks": {"PreToolUse": [theirs]}}
    once = added(json.dumps(before), ENTRIES)
    assert value(once)["hooks"]["PreToolUse"] == [theirs, ENTRIES["hooks", "PreToolUse"]]
    assert value(removed(once, tuple(ENTRIES))) == before


def test_a_comment_that_names_us_makes_no_hook_ours():
    before = '{"hooks": {"PreToolUse": [{"hooks": [/* unlike lineclear_hook.py */ {"command": "mine"}]}]}}'
    after = removed(added(before, ENTRIES), tuple(ENTRIES))
    assert value(after) == value(before)
    assert "/* unlike lineclear_hook.py */" in after


@pytest.mark.parametrize("order", [(GUARD, OURS), (OURS, GUARD), (GUARD, OURS, OURS)], ids=len)
def test_a_group_that_somebody_put_ours_into_keeps_theirs(order):
    before = json.dumps({"hooks": {"PreToolUse": [{"matcher": "*", "hooks": list(order)}]}}, indent=1)
    once = added(before, ENTRIES)
    theirs = {"matcher": "*", "hooks": [GUARD]}
    assert value(once)["hooks"]["PreToolUse"] == [theirs, ENTRIES["hooks", "PreToolUse"]]
    assert added(once, ENTRIES) == once
    assert value(removed(once, tuple(ENTRIES))) == value(removed(before, tuple(ENTRIES)))
    assert value(removed(before, tuple(ENTRIES)))["hooks"]["PreToolUse"] == [theirs]


def test_of_several_of_ours_one_remains():
    entry = ENTRIES["hooks", "PreToolUse"]
    old = json.loads(json.dumps(entry).replace("/x/", "/old/"))
    before = json.dumps({"hooks": {"PreToolUse": [old, {"hooks": [GUARD]}, old]}})
    assert value(added(before, ENTRIES))["hooks"]["PreToolUse"] == [entry, {"hooks": [GUARD]}]


filling = st.sampled_from(["", " ", "\n", "\r\n  ", "// {\n", "\n// [,\n\t", "/* ] */", "// } // x\n", "/* , */ "])
leaves = st.sampled_from([1, "a", "// x", "/* { */", '"', "\\", "]", ",", True, None])
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "hooks", "//", "{"]), inner),
    max_leaves=6,
)


@st.composite
def written(draw, found):
    """A value as somebody may have written it: comments and trailing commas anywhere."""
    gap = lambda: draw(filling)  # noqa: E731 - it stands five times in a line
    if not isinstance(found, list | dict):
        return json.dumps(found)
    named = (
        [(json.dumps(key) + gap() + ":" + gap(), one) for key, one in found.items()] if isinstance(found, dict) else []
    )
    items = named if isinstance(found, dict) else [("", one) for one in found]
    inner = ",".join(gap() + name + draw(written(one)) + gap() for name, one in items)
    comma = "," if items and draw(st.booleans()) else ""
    begin, end = "{}" if isinstance(found, dict) else "[]"
    return begin + inner + comma + gap() + end


@given(st.data(), st.dictionaries(st.sampled_from(["a", "hooks", "b"]), values), st.lists(values, max_size=2))
def test_however_it_is_written_it_stays_readable_and_says_the_same(data, document, there):
    hooks = document.get("hooks", {})
    hooks = hooks if isinstance(hooks, dict) else {}
    document |= {"hooks": hooks | {"PreToolUse": there}}
    text = data.draw(filling) + data.draw(written(document)) + data.draw(filling)
    after = added(text, ENTRIES)
    lists = {event: [*document["hooks"].get(event, []), entry] for (_, event), entry in ENTRIES.items()}
    assert plain(parse(after)) == document | {"hooks": document["hooks"] | lists}
    assert added(after, ENTRIES) == after
    back = plain(parse(removed(after, tuple(ENTRIES))))
    assert {"hooks": {}} | back | {"hooks": {"PreToolUse": []} | back.get("hooks", {})} == document
