"""``policy show``, ``diff``, ``schema`` and ``import``: what is in force, what a change changes, what was elsewhere."""

import json

import pytest

from lineclear import resources

OLD = """
version: 1
permissions: {allow: ["Bash(npm test)"], deny: ["Bash(rm *)"]}
rules: [{id: r, effect: ask, command: [make *], reason: slow}]
"""
NEW = """
version: 1
modes: {default: plan}
permissions: {allow: ["Bash(npm test)", "Bash(npm run lint)"]}
rules: [{id: r, effect: deny, command: [make *], reason: slow}]
protected_paths: [{id: builtin.env, effect: deny}]
"""


def test_show_names_where_each_rule_was_written(lineclear, organisation):
    status, out, _ = lineclear("policy", "show", "--policies", organisation(OLD))
    assert status == 0
    assert "  organisation:r  (organisation/a.yaml:4:14)" in out.splitlines()
    assert "builtin.ask-git-push" in out
    assert "builtin.env" in out


def test_show_as_json(lineclear, organisation):
    document = json.loads(lineclear("policy", "show", "--policies", organisation(OLD), "--output", "json")[1])
    rules = {rule["name"]: rule for rule in document["rules"]}
    assert rules["organisation:r"]["rule"]["commands"] == ["make *"]
    assert document["version"].startswith("sha256:")


def test_diff_goes_rule_by_rule(lineclear, organisation):
    old, new = organisation(OLD, "old"), organisation(NEW, "new")
    status, out, _ = lineclear("policy", "diff", old, new, "--output", "json")
    found = {(one["change"], one["kind"], one["name"]): one for one in json.loads(out)}
    assert status == 1
    assert set(found) == {
        ("removed", "rule", "organisation:deny:Bash(rm *)"),
        ("added", "rule", "organisation:allow:Bash(npm run lint)"),
        ("changed", "rule", "organisation:r"),
        ("changed", "protected path", "builtin.env"),
        ("changed", "`modes`", "default"),
    }
    changed = found["changed", "rule", "organisation:r"]
    assert (changed["before"], changed["after"]) == ({"effect": "ask"}, {"effect": "deny"})


def test_diff_as_text(lineclear, organisation):
    _, out, _ = lineclear("policy", "diff", organisation(OLD, "old"), organisation(NEW, "new"))
    lines = out.splitlines()
    assert "- rule organisation:deny:Bash(rm *)" in lines
    assert '    + {"effect": "deny"}' in lines
    assert " -> sha256:" in lines[-1]


def test_diff_tells_what_of_an_entry_differs_and_in_the_words_of_files(lineclear, organisation):
    rule = "version: 1\nrules: [{id: r, effect: deny, tools: [Bash], command: [%s], reason: x}]\n"
    old = organisation(rule % "make a, make b" + "enforcement: observe\n", "old")
    new = organisation(rule % "make b, make c" + "programs: [{name: make}]\n", "new")
    _, out, _ = lineclear("policy", "diff", old, new)
    assert out.splitlines()[:-1] == [
        "~ rule organisation:r  (organisation/a.yaml:2:14)",
        '    - {"commands": ["make a"]}',
        '    + {"commands": ["make c"]}',
        "~ `enforcement`",
        '    - "observe"',
        '    + "enforce"',
        "~ program make",
    ]
    _, out, _ = lineclear("policy", "diff", organisation("version: 1\n", "none"), old)
    assert '    + {"effect": "deny", "layer": "organisation", "tools": ["Bash"], "commands"' in out


def test_comments_and_order_are_no_difference(lineclear, organisation):
    other = OLD.replace("permissions:", "# why\npermissions:").replace('"Bash(npm test)"', '"Bash(npm test)" ')
    status, out, _ = lineclear("policy", "diff", organisation(OLD, "old"), organisation(other, "new"))
    assert (status, out.count("\n")) == (0, 1)


def test_diff_on_the_built_in_layer_of_another_release(lineclear, organisation, tmp_path):
    release = tmp_path / "release" / "builtin"
    release.mkdir(parents=True)
    (release / "rules.yaml").write_text("version: 1\n")
    folder = organisation("version: 1\n")
    status, out, _ = lineclear("policy", "diff", folder, folder, "--builtin", release)
    assert status == 1
    assert "+ rule builtin.ask-git-push" in out


def test_a_folder_that_isnt_there_is_no_difference(lineclear, organisation, tmp_path):
    status, out, err = lineclear("policy", "diff", tmp_path / "old", organisation(NEW, "new"))
    assert (status, out) == (2, "")
    assert err.startswith("lineclear: the folder of policies `")


def test_the_schema_is_printed_as_it_is_published(lineclear):
    assert lineclear("policy", "schema") == (0, resources.policy_schema().read_text(), "")


SETTINGS = {"permissions": {"allow": ["Bash(npm test)", "Bash(a && b)"], "defaultMode": "plan"}}


class TestImport:
    @pytest.fixture
    def file(self, tmp_path):
        path = tmp_path / "settings.json"
        path.write_text(json.dumps(SETTINGS))
        return path

    def test_a_policy_with_notes(self, lineclear, organisation, file):
        status, out, err = lineclear("policy", "import", "claude-code", file)
        assert status == 0
        assert err == "2 entries: 1 carried, 0 changed, 1 dropped\n"
        assert "# dropped: settings.json permissions.allow: `Bash(a && b)`" in out
        assert "modes: {default: plan}" in out
        assert lineclear("policy", "lint", "--policies", organisation(out))[0] == 0

    def test_json(self, lineclear, file):
        told = json.loads(lineclear("policy", "import", "claude-code", file, "--output", "json")[1])
        assert told["permissions"]["allow"] == ["Bash(npm test)"]
        assert [note["fate"] for note in told["notes"]] == ["dropped"]

    def test_a_file_that_isnt_there(self, lineclear, tmp_path):
        assert lineclear("policy", "import", "codex", tmp_path / "x")[0] == 2
